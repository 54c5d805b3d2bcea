#include "ddx/data/augmented.h"

#include "ddx/core/random_key.h"
#include "ddx/data/epoch.h"
#include "ddx/data/prefetched.h"
#include "ddx/data/subset.h"
#include "ddx/data/training_epochs.h"

#include "tests/support/numbered_data.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::data {
namespace augmented_test {

using ddx::testing::NumberedData;
using Numbers = std::vector<std::int64_t>;

/// Adds a number of the key, at least 1000, to each sample.
Numbers shifted(Numbers batch, RandomKey key) {
  for (auto& number : batch) {
    number += 1000 * (1 + key.words(0)[0] % 1000);
  }
  return batch;
}

/// All batches of an epoch.
template <class Batches>
std::vector<Numbers> all(const Batches& batches) {
  std::vector<Numbers> result;
  for (std::int64_t i = 0; i < batches.size(); ++i) {
    result.push_back(batches[i]);
  }
  return result;
}

/// The samples behind the shifted numbers.
std::vector<Numbers> unshifted(std::vector<Numbers> batches) {
  for (auto& batch : batches) {
    for (auto& number : batch) {
      number %= 1000;
    }
  }
  return batches;
}

static_assert(!RandomDataset<NumberedData>);
static_assert(RandomDataset<Augmented<NumberedData, decltype(&shifted)>>);
static_assert(RandomDataset<Subset<Augmented<NumberedData, decltype(&shifted)>>>);
static_assert(!RandomDataset<Subset<NumberedData>>);

TEST(Augmented, ChangesOnlyWithAKey) {
  const NumberedData data{4};
  const Augmented changed(data, &shifted);
  EXPECT_EQ(changed.size(), 4);
  EXPECT_EQ(changed.batch(Numbers{2, 0}), (Numbers{2, 0}));
  EXPECT_EQ(changed.batch(Numbers{2, 0}, RandomKey(1)), shifted({2, 0}, RandomKey(1)));
  EXPECT_EQ(all(Epoch(changed, 2, plain_order(4))), (std::vector<Numbers>{{0, 1}, {2, 3}}));
}

TEST(Augmented, EachBatchOfEachEpochHasItsOwnKey) {
  const NumberedData data{9};
  const Augmented changed(data, &shifted);
  const TrainingEpochs epochs(changed, {.batch_size = 3, .key = RandomKey(5)});
  const auto first = all(epochs[0]);
  EXPECT_EQ(first, all(epochs[0]));
  EXPECT_NE(first[0][0] / 1000, first[1][0] / 1000);
  EXPECT_NE(first[0][0] / 1000, all(epochs[1])[0][0] / 1000);
  // The order is that of the data set without changes.
  EXPECT_EQ(unshifted(first), all(TrainingEpochs(data, {.batch_size = 3, .key = RandomKey(5)})[0]));
}

TEST(Augmented, IsTheSameAheadAndInParts) {
  const NumberedData data{10};
  const Augmented changed(data, &shifted);
  const Subset part(changed, {9, 8, 7, 6});
  const auto epoch = TrainingEpochs(part, {.batch_size = 1, .key = RandomKey(2)})[3];
  Prefetched ahead(epoch, 0, epoch.size(), {});
  for (std::int64_t i = 0; i < epoch.size(); ++i) {
    const auto batch = *ahead.next();
    EXPECT_EQ(batch, epoch[i]);
    EXPECT_GE(batch[0], 1000);
    EXPECT_GE(batch[0] % 1000, 6);
  }
}

}  // namespace augmented_test
}  // namespace ddx::data
