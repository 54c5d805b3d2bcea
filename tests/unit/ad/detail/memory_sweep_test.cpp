#include "ddx/ad/detail/memory_sweep.h"

#include "ddx/core/error.h"

#include "tests/support/thrown.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace memory_sweep_test {

using ddx::detail::MemorySweep;

constexpr std::uintptr_t page = ddx::detail::ShadowDirectory<double>::page_bytes;

const void* at(std::uintptr_t bits) {
  return reinterpret_cast<const void*>(bits);
}

template <class Real>
std::vector<Real> cotangents(MemorySweep& sweep, std::uintptr_t begin, std::size_t count) {
  std::vector<Real> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(*sweep.place<Real>(at(begin + i * sizeof(Real))));
  }
  return all;
}

/// Mirrors of later pages lie before those of earlier ones.
template <class Real>
void set(MemorySweep& sweep, std::uintptr_t begin, const std::vector<Real>& values) {
  for (std::size_t i = values.size(); i-- > 0;) {
    (void)sweep.place<Real>(at(begin + i * sizeof(Real)));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    *sweep.place<Real>(at(begin + i * sizeof(Real))) = values[i];
  }
}

TEST(MemorySweep, TypesOfNumbersHaveCotangentsOfTheirOwn) {
  MemorySweep sweep;
  *sweep.place<double>(at(0x1000)) = 1;
  *sweep.place<float>(at(0x1000)) = 2;
  *sweep.place<long double>(at(0x1000)) = 3;
  EXPECT_EQ(*sweep.place<double>(at(0x1000)), 1);
  EXPECT_EQ(*sweep.place<float>(at(0x1000)), 2);
  EXPECT_EQ(*sweep.place<float>(at(0x1004)), 0);
  EXPECT_EQ(*sweep.place<long double>(at(0x1000)), 3);
}

TEST(MemorySweep, MoveAddsToTheSourceAndLeavesZeros) {
  MemorySweep sweep;
  set<double>(sweep, 0x1000, {1, 2, 3});
  set<double>(sweep, 0x2000, {10, 20, 30});
  set<float>(sweep, 0x1008, {5, 6});
  sweep.move(at(0x1000), at(0x2000), 16);
  EXPECT_EQ(cotangents<double>(sweep, 0x1000, 3), (std::vector<double>{0, 0, 3}));
  EXPECT_EQ(cotangents<double>(sweep, 0x2000, 3), (std::vector<double>{11, 22, 30}));
  EXPECT_EQ(cotangents<float>(sweep, 0x1008, 2), (std::vector<float>{0, 0}));
  EXPECT_EQ(cotangents<float>(sweep, 0x2008, 2), (std::vector<float>{5, 6}));
}

TEST(MemorySweep, MoveOfNothingChangesNothing) {
  MemorySweep sweep;
  set<double>(sweep, 0x1000, {1});
  sweep.move(at(0x1000), at(0x2000), 0);
  sweep.move(at(0x1000), at(0x2001), 0);
  sweep.move(at(0x1000), at(0x1000), 8);
  sweep.move(at(0x1004), at(0x1004), 8);
  sweep.clear(at(0x1000), 0);
  sweep.clear(at(0x1001), 0);
  EXPECT_EQ(*sweep.place<double>(at(0x1000)), 1);
}

/// m[dst..] = m[src..] of n numbers, by hand, and what it does to cotangents: each number after the
/// copy has come from one before it.
std::vector<double> reverse_of_copy(const std::vector<double>& after, std::size_t dst,
                                    std::size_t src, std::size_t count) {
  std::vector<double> before(after.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    const bool is_copied = i >= dst && i < dst + count;
    before[is_copied ? i - dst + src : i] += after[i];
  }
  return before;
}

TEST(MemorySweep, MoveHandlesRangesThatOverlapAndCrossPages) {
  constexpr std::size_t count = 2000;  // 4 pages.
  std::mt19937 random(1);
  std::vector<double> values(count);
  std::generate(values.begin(), values.end(), [&] { return static_cast<double>(random() % 100); });
  struct Copy {
    std::size_t dst, src, count;
  };
  const Copy copies[] = {{0, 1, 1999},  {1, 0, 1999},    {0, 512, 1400},  {512, 0, 1400},
                         {3, 700, 900}, {700, 3, 900},   {10, 1000, 900}, {1000, 10, 900},
                         {500, 501, 2}, {511, 510, 600}, {0, 1999, 1},    {1024, 0, 512}};
  for (const Copy& copy : copies) {
    for (const std::uintptr_t begin : {16 * page, 16 * page + 8, 17 * page - 8}) {
      MemorySweep sweep;
      set<double>(sweep, begin, values);
      sweep.move(at(begin + 8 * copy.dst), at(begin + 8 * copy.src), 8 * copy.count);
      ASSERT_EQ(cotangents<double>(sweep, begin, count),
                reverse_of_copy(values, copy.dst, copy.src, copy.count))
          << copy.count << " from " << copy.src << " to " << copy.dst;
    }
  }
}

TEST(MemorySweep, MoveOfPagesWithoutCotangentsMakesNone) {
  MemorySweep sweep;
  set<double>(sweep, 100 * page, {1});
  sweep.move(at(200 * page), at(1000 * page), 500 * page);
  sweep.move(at(100 * page + 8), at(1000 * page), 64);
  EXPECT_EQ(sweep.cotangents().of<double>().mirror_count(), 1U);
}

TEST(MemorySweep, BytesWithoutCotangentsAreCopiedToAnyAddress) {
  MemorySweep sweep;
  set<double>(sweep, 0x1000, {0, 0, 7});
  sweep.move(at(0x1000), at(0x2003), 16);
  sweep.move(at(0x1001), at(0x2003), 13);
  sweep.clear(at(0x1001), 13);
  EXPECT_EQ(cotangents<double>(sweep, 0x1000, 3), (std::vector<double>{0, 0, 7}));
}

TEST(MemorySweep, CopiesOfOtherAlignmentAreRefused) {
  MemorySweep sweep;
  set<double>(sweep, 0x1000, {0, 7});
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>([&] { sweep.move(at(0x1000), at(0x2004), 16); }),
            "memcpy: reals copied to an address that is not aligned as theirs: from 0x2004 to "
            "0x1000, in units of 8 bytes");
}

TEST(MemorySweep, PartsOfNumbersAreRefused) {
  MemorySweep sweep;
  set<double>(sweep, 0x1000, {7, 0, 8});
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>([&] { sweep.move(at(0x1004), at(0x2004), 12); }),
            "memcpy: a part of an active number replaced, by 12 bytes from address 0x1004 on");
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>([&] { sweep.clear(at(0x1008), 12); }),
            "memset: a part of an active number replaced, by 12 bytes from address 0x1008 on");
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>([&] { sweep.clear(at(0x1002), 1); }),
            "memset: a part of an active number replaced, by 1 bytes from address 0x1002 on");
}

TEST(MemorySweep, ClearZerosOneRangeOfAllTypes) {
  MemorySweep sweep;
  set<double>(sweep, 2 * page - 16, {1, 2, 3, 4});
  set<float>(sweep, 2 * page - 4, {5, 6});
  sweep.clear(at(2 * page - 8), 16);
  EXPECT_EQ(cotangents<double>(sweep, 2 * page - 16, 4), (std::vector<double>{1, 0, 0, 4}));
  EXPECT_EQ(cotangents<float>(sweep, 2 * page - 4, 2), (std::vector<float>{0, 0}));
}

TEST(MemorySweep, ReversesAgainFromZeroCotangents) {
  MemorySweep sweep;
  *sweep.push(16) = 1;
  *sweep.push(16) = 2;
  for (int i = 0; i < 3; ++i) {
    sweep.begin_reverse();
    EXPECT_EQ(*sweep.place<double>(at(0x1000)), 0);
    EXPECT_EQ(*sweep.pop(16), 2);
    EXPECT_EQ(*sweep.pop(16), 1);
    *sweep.place<double>(at(0x1000)) = 5;
  }
}

TEST(MemorySweep, IsUsedAgainAfterAReset) {
  MemorySweep sweep;
  for (const char last : {'a', 'b', 'c'}) {
    for (char value = 'a'; value <= last; ++value) {
      *sweep.push(16) = value;
    }
    sweep.begin_reverse();
    EXPECT_EQ(*sweep.place<float>(at(0x1000)), 0);
    *sweep.place<float>(at(0x1000)) = 5;
    for (char value = last; value >= 'a'; --value) {
      EXPECT_EQ(*sweep.pop(16), value);
    }
    sweep.begin_reverse();
    sweep.reset();
  }
}

TEST(MemorySweep, EachThreadHasItsOwn) {
  std::vector<std::thread> threads;
  std::vector<double> sums(8);
  for (std::size_t t = 0; t < sums.size(); ++t) {
    threads.emplace_back([&, t] {
      MemorySweep sweep;
      for (std::uintptr_t i = 0; i < 10000; ++i) {
        *sweep.place<double>(at(0x1000 + 8 * i)) += static_cast<double>(t);
      }
      for (std::uintptr_t i = 0; i < 10000; ++i) {
        sums[t] += *sweep.place<double>(at(0x1000 + 8 * i));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (std::size_t t = 0; t < sums.size(); ++t) {
    EXPECT_EQ(sums[t], 10000.0 * static_cast<double>(t));
  }
}

}  // namespace memory_sweep_test
