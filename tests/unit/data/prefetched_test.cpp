#include "ddx/data/prefetched.h"

#include "ddx/core/error.h"
#include "ddx/data/epoch.h"

#include "tests/support/numbered_data.h"
#include "tests/support/temporary_folder.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ddx::data {
namespace prefetched_test {

using ddx::testing::message_of;
using ddx::testing::NumberedData;
using Numbers = std::vector<std::int64_t>;

/// Numbers that take unequal times to make; some cannot be made.
struct Slow {
  std::int64_t bad = -1;
  mutable std::atomic<std::int64_t> made = 0;

  std::int64_t operator[](std::int64_t place) const {
    std::this_thread::sleep_for(std::chrono::microseconds(place * 7919 % 300));
    if (place == bad) {
      throw std::runtime_error("item " + std::to_string(place));
    }
    ++made;
    return 10 * place;
  }
};

TEST(Prefetched, GivesAllInTheirOrderWhateverTheThreads) {
  for (const std::int64_t threads : {1, 2, 5}) {
    for (const std::int64_t ahead : {1, 2, 7}) {
      const Slow slow;
      Prefetched items(slow, 3, 40, {.threads = threads, .ahead = ahead});
      for (std::int64_t place = 3; place < 40; ++place) {
        EXPECT_EQ(items.next(), 10 * place);
      }
      EXPECT_EQ(items.next(), std::nullopt);
      EXPECT_EQ(items.next(), std::nullopt);
    }
  }
}

TEST(Prefetched, GivesTheBatchesOfAnEpoch) {
  const NumberedData data{7};
  const Epoch epoch(data, 3, {6, 5, 4, 3, 2, 1, 0});
  Prefetched batches(epoch, 0, epoch.size());
  EXPECT_EQ(batches.next(), (Numbers{6, 5, 4}));
  EXPECT_EQ(batches.next(), (Numbers{3, 2, 1}));
  EXPECT_EQ(batches.next(), (Numbers{0}));
  EXPECT_EQ(batches.next(), std::nullopt);
}

TEST(Prefetched, NothingIsDoneAtOnce) {
  const Slow slow;
  Prefetched items(slow, 5, 5);
  EXPECT_EQ(items.next(), std::nullopt);
}

TEST(Prefetched, MakesNoMoreThanAllowedAhead) {
  const Slow slow;
  Prefetched items(slow, 0, 100, {.threads = 4, .ahead = 3});
  EXPECT_EQ(items.next(), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_LE(slow.made, 4);  // the one that was taken, and three ahead
}

TEST(Prefetched, AnErrorComesInItsPlaceAndStays) {
  for (const std::int64_t threads : {1, 3}) {
    const Slow slow{.bad = 4};
    Prefetched items(slow, 0, 20, {.threads = threads, .ahead = 3});
    for (std::int64_t place = 0; place < 4; ++place) {
      EXPECT_EQ(items.next(), 10 * place);
    }
    EXPECT_EQ(message_of<std::runtime_error>([&] { (void)items.next(); }), "item 4");
    EXPECT_EQ(message_of<std::runtime_error>([&] { (void)items.next(); }), "item 4");
  }
}

TEST(Prefetched, MayEndEarly) {
  for (int taken = 0; taken < 12; ++taken) {
    const Slow slow{.bad = 6};
    Prefetched items(slow, 0, 1000, {.threads = 3, .ahead = 4});
    for (int i = 0; i < taken && i < 6; ++i) {
      (void)items.next();
    }
  }
}

TEST(Prefetched, NeedsAThreadAndAPlace) {
  const Slow slow;
  EXPECT_EQ(message_of<UsageError>([&] { Prefetched(slow, 0, 1, {.threads = 0}); }),
            "Prefetched: 0 threads and 2 batches ahead, at least 1 of each is required");
  EXPECT_EQ(message_of<UsageError>([&] { Prefetched(slow, 0, 1, {.ahead = -1}); }),
            "Prefetched: 1 threads and -1 batches ahead, at least 1 of each is required");
}

}  // namespace prefetched_test
}  // namespace ddx::data
