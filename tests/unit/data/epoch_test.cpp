#include "ddx/data/epoch.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"

#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <vector>

namespace ddx::data {
namespace epoch_test {

using Numbers = std::vector<std::int64_t>;
using ddx::testing::message_of;

/// A data set whose batches are the numbers of their samples, and which notes what was asked for.
struct Counting {
  std::int64_t count = 0;
  mutable std::vector<Numbers> asked = {};

  [[nodiscard]] std::int64_t size() const { return count; }
  [[nodiscard]] Numbers batch(std::span<const std::int64_t> samples) const {
    asked.emplace_back(samples.begin(), samples.end());
    return asked.back();
  }
};
static_assert(Dataset<Counting>);
static_assert(!Dataset<Numbers>);

TEST(Epoch, CutsTheOrderIntoBatches) {
  const Counting data{7};
  const Epoch epoch(data, 3, {6, 5, 4, 3, 2, 1, 0});
  EXPECT_EQ(epoch.size(), 3);
  EXPECT_EQ(epoch.samples_in(0), 3);
  EXPECT_EQ(epoch.samples_in(2), 1);
  std::vector<Numbers> batches;
  for (const auto& batch : epoch) {
    batches.push_back(batch);
  }
  EXPECT_EQ(batches, (std::vector<Numbers>{{6, 5, 4}, {3, 2, 1}, {0}}));
}

TEST(Epoch, DropsAShortLastBatchWhereAsked) {
  const Counting data{7};
  const Epoch epoch(data, 3, plain_order(7), {.drop_last = true});
  EXPECT_EQ(epoch.size(), 2);
  EXPECT_EQ(epoch[1], (Numbers{3, 4, 5}));
  // A whole last batch stays, and one that is short alone goes.
  EXPECT_EQ(Epoch(data, 3, plain_order(6), {.drop_last = true}).size(), 2);
  EXPECT_EQ(Epoch(data, 3, plain_order(2), {.drop_last = true}).size(), 0);
}

TEST(Epoch, MakesBatchesOnlyWhenAskedFor) {
  const Counting data{100};
  const Epoch epoch(data, 10, plain_order(100));
  EXPECT_TRUE(data.asked.empty());
  EXPECT_EQ(epoch[9].front(), 90);
  EXPECT_EQ(data.asked.size(), 1U);
}

TEST(Epoch, PartsOfABatchHaveEachOfItsSamplesOnce) {
  const Counting data{.count = 11};
  for (const std::int64_t count : {1, 2, 3, 4, 5}) {
    std::vector<Numbers> together(3);
    for (std::int64_t number = 0; number < count; ++number) {
      const Epoch epoch(data, 4, plain_order(11), {.part = {.number = number, .count = count}});
      ASSERT_EQ(epoch.size(), 3);
      for (std::int64_t step = 0; step < 3; ++step) {
        EXPECT_EQ(epoch.samples_in(step), step == 2 ? 3 : 4);
        const auto own = static_cast<std::size_t>(epoch.own_samples_in(step));
        const auto batch = epoch[step];
        // A part of nothing is made of the first sample of its batch.
        EXPECT_EQ(batch.size(), std::max<std::size_t>(own, 1));
        if (own == 0) {
          EXPECT_EQ(batch, Numbers{step * 4});
        }
        auto& all = together[static_cast<std::size_t>(step)];
        all.insert(all.end(), batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(own));
      }
    }
    EXPECT_EQ(together, (std::vector<Numbers>{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10}}));
  }
}

TEST(Epoch, APartThatDoesNotExistIsAnError) {
  const Counting data{.count = 3};
  EXPECT_EQ(message_of<UsageError>(
                [&] { (void)Epoch(data, 1, plain_order(3), {.part = {.number = 2, .count = 2}}); }),
            "Epoch: there is no part 2 of 2");
}

TEST(Epoch, NothingGivesNoBatch) {
  const Counting data{0};
  EXPECT_EQ(Epoch(data, 3, {}).size(), 0);
}

TEST(Epoch, ImpossibleBatchesAreAnError) {
  const Counting data{3};
  EXPECT_EQ(message_of<UsageError>([&] { Epoch(data, 0, {}); }),
            "Epoch: batch size is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([&] { Epoch(data, 1, {0, 3}); }),
            "Epoch: sample 3 of a data set of 3");
  EXPECT_EQ(message_of<UsageError>([&] { Epoch(data, 1, {-1}); }),
            "Epoch: sample -1 of a data set of 3");
}

TEST(ShuffledOrder, HasEachNumberOnceAndFollowsTheKey) {
  auto order = shuffled_order(1000, RandomKey(1));
  EXPECT_EQ(order, shuffled_order(1000, RandomKey(1)));
  EXPECT_NE(order, shuffled_order(1000, RandomKey(2)));
  EXPECT_NE(order, plain_order(1000));
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, plain_order(1000));
  EXPECT_EQ(shuffled_order(0, RandomKey(1)), Numbers());
}

TEST(ShuffledOrder, EveryOrderIsEquallyLikely) {
  std::array<int, 27> counts{};
  constexpr int draws = 12000;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    const auto order = shuffled_order(3, RandomKey(seed));
    ++counts[static_cast<std::size_t>(order[0] * 9 + order[1] * 3 + order[2])];
  }
  // Six orders, 2000 draws each, standard deviation 41.
  int orders = 0;
  for (const int count : counts) {
    if (count != 0) {
      ++orders;
      EXPECT_NEAR(count, 2000, 200);
    }
  }
  EXPECT_EQ(orders, 6);
}

}  // namespace epoch_test
}  // namespace ddx::data
