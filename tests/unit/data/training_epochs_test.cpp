#include "ddx/data/training_epochs.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"

#include "tests/support/numbered_data.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::data {
namespace training_epochs_test {

using ddx::testing::NumberedData;
using Numbers = std::vector<std::int64_t>;

/// All samples of an epoch, one batch after the other.
Numbers samples_of(const Epoch<NumberedData>& epoch) {
  Numbers all;
  for (const auto& batch : epoch) {
    all.insert(all.end(), batch.begin(), batch.end());
  }
  return all;
}

TEST(TrainingEpochs, EachIsAFunctionOfKeyAndNumber) {
  const NumberedData data{50};
  const TrainingEpochs epochs(data, {.batch_size = 8, .key = RandomKey(2)});
  const TrainingEpochs same(data, {.batch_size = 8, .key = RandomKey(2)});
  const TrainingEpochs other(data, {.batch_size = 8, .key = RandomKey(3)});
  const auto third = samples_of(epochs[2]);  // Without those before.
  EXPECT_EQ(third, samples_of(same[2]));
  EXPECT_NE(third, samples_of(epochs[1]));
  EXPECT_NE(third, samples_of(other[2]));
  auto sorted = third;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, plain_order(50));
}

TEST(TrainingEpochs, KeepOrDropTheRest) {
  const NumberedData data{50};
  EXPECT_EQ(TrainingEpochs(data, {.batch_size = 8})[0].size(), 7);
  EXPECT_EQ(TrainingEpochs(data, {.batch_size = 8, .drop_last = true})[0].size(), 6);
}

TEST(TrainingEpochs, TakeAnyOrder) {
  const NumberedData data{4};
  const TrainingEpochs epochs(
      data, {.batch_size = 3, .order = [](std::int64_t, RandomKey) { return Numbers{3, 3, 0}; }});
  EXPECT_EQ(samples_of(epochs[7]), (Numbers{3, 3, 0}));
}

TEST(TrainingEpochs, EmptyBatchesAreAnError) {
  const NumberedData data{4};
  EXPECT_EQ(ddx::testing::message_of<UsageError>([&] { TrainingEpochs(data, {.batch_size = 0}); }),
            "Epoch: batch size is 0, at least 1 is required");
}

}  // namespace training_epochs_test
}  // namespace ddx::data
