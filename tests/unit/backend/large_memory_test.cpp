#include "backend/large_memory.h"

#include "ddx/core/random_key.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <thread>

namespace ddx::backend {
namespace large_memory_test {

constexpr std::size_t page = LargeMemory::page;

TEST(LargeMemory, HasNothingAtFirst) {
  LargeMemory memory;
  EXPECT_EQ(memory.kept(), 0U);
  EXPECT_EQ(memory.take(page), nullptr);
  memory.trim(0);
}

TEST(LargeMemory, CutsAndJoinsParts) {
  LargeMemory memory;
  std::byte* const whole = memory.take_new(16 * page);
  memory.keep(whole, 16 * page);
  EXPECT_EQ(memory.take(17 * page), nullptr);
  std::byte* const a = memory.take(4 * page);
  std::byte* const b = memory.take(8 * page);
  std::byte* const c = memory.take(4 * page);
  EXPECT_EQ(a, whole + 12 * page) << "the highest first";
  EXPECT_EQ(b, whole + 4 * page);
  EXPECT_EQ(c, whole);
  EXPECT_EQ(memory.kept(), 0U);
  memory.keep(a, 4 * page);
  memory.keep(c, 4 * page);
  EXPECT_EQ(memory.take(5 * page), nullptr) << "two parts of four pages";
  memory.keep(b, 8 * page);
  EXPECT_EQ(memory.take(16 * page), whole) << "one part again";
  memory.keep(whole, 16 * page);
  memory.trim(0);
}

TEST(LargeMemory, JoinsBelowAboveAndBoth) {
  for (const bool from_above : {false, true}) {
    LargeMemory memory;
    std::byte* const whole = memory.take_new(3 * page);
    for (std::size_t i = 0; i < 3; ++i) {
      memory.keep(whole + (from_above ? 2 - i : i) * page, page);
    }
    EXPECT_EQ(memory.take(3 * page), whole);
    memory.keep(whole, 3 * page);
    memory.trim(0);
  }
}

TEST(LargeMemory, GivesTheLowestBackToTheSystem) {
  LargeMemory memory;
  std::byte* const whole = memory.take_new(16 * page);
  memory.keep(whole, 16 * page);
  memory.trim(5 * page - 1);
  EXPECT_EQ(memory.kept(), 4 * page);
  EXPECT_EQ(memory.take(4 * page), whole + 12 * page);
  memory.keep(whole + 12 * page, 4 * page);
  memory.trim(0);
  EXPECT_EQ(memory.kept(), 0U);
  EXPECT_EQ(memory.take(page), nullptr);
}

TEST(LargeMemory, PartsInUseNeverOverlap) {
  LargeMemory memory;
  std::map<std::byte*, std::size_t> used;
  std::size_t mapped = 0;
  for (std::uint64_t turn = 0; turn < 4000; ++turn) {
    const std::uint64_t number = RandomKey(5).words(turn)[0];
    if (used.size() > 40 || (number % 3 == 0 && !used.empty())) {
      const auto one =
          std::next(used.begin(), static_cast<std::ptrdiff_t>(number / 3 % used.size()));
      memory.keep(one->first, one->second);
      used.erase(one);
      continue;
    }
    const std::size_t bytes = (1 + number / 7 % 60) * page;
    std::byte* taken = memory.take(bytes);
    if (taken == nullptr) {
      taken = memory.take_new(bytes);
      mapped += bytes;
    }
    ASSERT_NE(taken, nullptr);
    std::memset(taken, 0xff, bytes);
    const auto after = used.lower_bound(taken);
    ASSERT_TRUE(after == used.end() || taken + bytes <= after->first);
    ASSERT_TRUE(after == used.begin() ||
                std::prev(after)->first + std::prev(after)->second <= taken);
    used.emplace(taken, bytes);
  }
  for (const auto& [taken, bytes] : used) {
    memory.keep(taken, bytes);
  }
  EXPECT_EQ(memory.kept(), mapped);
  memory.trim(0);
}

TEST(LargeMemory, ServesSeveralThreads) {
  LargeMemory memory;
  memory.keep(memory.take_new(64 * page), 64 * page);
  const auto work = [&](int mark) {
    for (int turn = 0; turn < 2000; ++turn) {
      const std::size_t bytes = static_cast<std::size_t>(1 + turn % 20) * page;
      if (std::byte* const taken = memory.take(bytes)) {
        std::memset(taken, mark, bytes);
        EXPECT_EQ(taken[bytes - 1], static_cast<std::byte>(mark));
        EXPECT_EQ(taken[0], static_cast<std::byte>(mark));
        memory.keep(taken, bytes);
      }
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
  EXPECT_EQ(memory.kept(), 64 * page);
  memory.trim(0);
}

}  // namespace large_memory_test
}  // namespace ddx::backend
