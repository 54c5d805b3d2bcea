#include "ddx/data/subset.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/data/epoch.h"

#include "tests/support/numbered_data.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::data {
namespace subset_test {

using ddx::testing::message_of;
using ddx::testing::NumberedData;
using Numbers = std::vector<std::int64_t>;
static_assert(Dataset<Subset<NumberedData>>);

TEST(Subset, GivesSamplesOfTheWhole) {
  const NumberedData data{10};
  const Subset part(data, {7, 3, 5});
  EXPECT_EQ(part.size(), 3);
  EXPECT_EQ(part.batch(Numbers{2, 0}), (Numbers{5, 7}));
  // A part of a part.
  EXPECT_EQ(Subset(part, {1}).batch(Numbers{0}), (Numbers{3}));
  EXPECT_EQ(message_of<UsageError>([&] { Subset(data, {10}); }), "Subset: sample 10 of 10");
}

TEST(Slice, IsARun) {
  const NumberedData data{10};
  EXPECT_EQ(slice(data, 3, 6).batch(Numbers{0, 1, 2}), (Numbers{3, 4, 5}));
  EXPECT_EQ(slice(data, 0, 10).size(), 10);
  EXPECT_EQ(slice(data, 10, 10).size(), 0);
  for (const auto& [begin, end] : {std::pair{-1, 2}, {4, 3}, {5, 11}}) {
    EXPECT_EQ(message_of<UsageError>([&, b = begin, e = end] { (void)slice(data, b, e); }),
              "slice: samples " + std::to_string(begin) + " to " + std::to_string(end) + " of 10");
  }
}

TEST(Split, HasEachSampleOnceAndFollowsTheKey) {
  const NumberedData data{103};
  const auto [training, validation] = split(data, 0.2, RandomKey(4));
  EXPECT_EQ(validation.size(), 20);  // 20.6, rounded down
  Numbers all = training.places();
  all.insert(all.end(), validation.places().begin(), validation.places().end());
  EXPECT_FALSE(std::is_sorted(all.begin(), all.end()));
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, plain_order(103));
  EXPECT_EQ(split(data, 0.2, RandomKey(4)).validation.places(), validation.places());
  EXPECT_NE(split(data, 0.2, RandomKey(5)).validation.places(), validation.places());
}

TEST(Split, MayTakeNothingOrAll) {
  const NumberedData data{3};
  EXPECT_EQ(split(data, 0, RandomKey(1)).validation.size(), 0);
  EXPECT_EQ(split(data, 1, RandomKey(1)).training.size(), 0);
  EXPECT_EQ(split(NumberedData{0}, 0.5, RandomKey(1)).training.size(), 0);
  EXPECT_EQ(message_of<UsageError>([&] { (void)split(data, 1.5, RandomKey(1)); }),
            "split: a share of 1.500000 is not in [0, 1]");
  EXPECT_EQ(message_of<UsageError>([&] { (void)split(data, std::nan(""), RandomKey(1)); }),
            "split: a share of nan is not in [0, 1]");
}

}  // namespace subset_test
}  // namespace ddx::data
