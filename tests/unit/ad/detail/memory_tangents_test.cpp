#include "ddx/ad/detail/memory_tangents.h"

#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/core/error.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace memory_tangents_test {

using ddx::detail::MemoryTangents;

constexpr std::uintptr_t page = ddx::detail::ShadowDirectory<double>::page_bytes;

const void* at(std::uintptr_t bits) {
  return reinterpret_cast<const void*>(bits);
}

template <class Real>
std::vector<Real> tangents_at(MemoryTangents& tangents, std::uintptr_t begin, std::size_t count) {
  std::vector<Real> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(*tangents.place<Real>(at(begin + i * sizeof(Real))));
  }
  return all;
}

/// Mirrors of later pages lie before those of earlier ones.
template <class Real>
void set(MemoryTangents& tangents, std::uintptr_t begin, const std::vector<Real>& values) {
  for (std::size_t i = values.size(); i-- > 0;) {
    (void)tangents.place<Real>(at(begin + i * sizeof(Real)));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    *tangents.place<Real>(at(begin + i * sizeof(Real))) = values[i];
  }
}

TEST(MemoryTangents, MoveReplacesThoseOfTheDestination) {
  MemoryTangents tangents;
  set<double>(tangents, 0x1000, {1, 2, 3});
  set<float>(tangents, 0x2000, {4, 5});
  tangents.move(at(0x1000), at(0x2000), 16);
  EXPECT_EQ(tangents_at<double>(tangents, 0x1000, 3), (std::vector<double>{0, 0, 3}));
  EXPECT_EQ(tangents_at<float>(tangents, 0x1000, 2), (std::vector<float>{4, 5}));
  EXPECT_EQ(tangents_at<float>(tangents, 0x2000, 2), (std::vector<float>{4, 5}));
}

TEST(MemoryTangents, MoveIsAMemmove) {
  constexpr std::size_t count = 2000;  // 4 pages.
  struct Copy {
    std::size_t dst, src, count;
  };
  const Copy copies[] = {{0, 1, 1999},   {1, 0, 1999},   {0, 512, 1400}, {512, 0, 1400},
                         {3, 700, 1300}, {700, 3, 1300}, {0, 0, 2000},   {1024, 0, 0}};
  for (const Copy& copy : copies) {
    std::vector<double> values(count);
    std::iota(values.begin(), values.end(), 1.0);
    MemoryTangents tangents;
    set<double>(tangents, 16 * page + 8, values);
    std::memmove(&values[copy.dst], &values[copy.src], 8 * copy.count);
    tangents.move(at(16 * page + 8 + 8 * copy.dst), at(16 * page + 8 + 8 * copy.src),
                  8 * copy.count);
    ASSERT_EQ(tangents_at<double>(tangents, 16 * page + 8, count), values)
        << copy.count << " from " << copy.src << " to " << copy.dst;
  }
}

TEST(MemoryTangents, MoveOfAPartOfANumberLosesItsTangent) {
  MemoryTangents tangents;
  set<double>(tangents, 0x1000, {1, 2, 0});
  set<double>(tangents, 0x2000, {3, 3, 3, 3});
  tangents.move(at(0x2000), at(0x1000), 6);  // Six bytes of the first.
  EXPECT_TRUE(std::isnan(*tangents.place<double>(at(0x2000))));
  tangents.move(at(0x2006), at(0x1006), 4);  // Its others, and two of the second.
  EXPECT_TRUE(std::isnan(*tangents.place<double>(at(0x2000))));
  EXPECT_TRUE(std::isnan(*tangents.place<double>(at(0x2008))));
  tangents.move(at(0x2010), at(0x1010), 4);  // Of one without a tangent.
  EXPECT_EQ(tangents_at<double>(tangents, 0x2010, 2), (std::vector<double>{0, 3}));
  tangents.move(at(0x2019), at(0x1009), 5);  // Inside of the second.
  EXPECT_TRUE(std::isnan(*tangents.place<double>(at(0x2018))));
  tangents.move(at(0x3001), at(0x1000), 6);  // To another alignment.
  EXPECT_TRUE(std::isnan(*tangents.place<double>(at(0x3000))));
  EXPECT_EQ(tangents_at<double>(tangents, 0x1000, 3), (std::vector<double>{1, 2, 0}));
}

TEST(MemoryTangents, ClearZerosWhatItTouches) {
  MemoryTangents tangents;
  set<double>(tangents, 2 * page - 16, {1, 2, 3, 4, 5});
  tangents.clear(at(2 * page - 8), 12);
  EXPECT_EQ(tangents_at<double>(tangents, 2 * page - 16, 5), (std::vector<double>{1, 0, 0, 4, 5}));
  tangents.clear(at(2 * page - 16), 0);
  tangents.clear(at(2 * page - 12), 0);
  EXPECT_EQ(*tangents.place<double>(at(2 * page - 16)), 1);
}

TEST(MemoryTangents, BytesOverANumberMakeItConstant) {
  MemoryTangents tangents;
  set<double>(tangents, 0x1000, {1, 2});
  tangents.move(at(0x1004), at(0x3004), 4);
  EXPECT_EQ(tangents_at<double>(tangents, 0x1000, 2), (std::vector<double>{0, 2}));
  tangents.move(at(0x1008), at(0x3003), 8);
  EXPECT_EQ(tangents_at<double>(tangents, 0x1000, 2), (std::vector<double>{0, 0}));
}

TEST(MemoryTangents, ACopyToItselfChangesNothing) {
  MemoryTangents tangents;
  set<double>(tangents, 0x1000, {1, 2});
  tangents.move(at(0x1004), at(0x1004), 8);
  EXPECT_EQ(tangents_at<double>(tangents, 0x1000, 2), (std::vector<double>{1, 2}));
}

TEST(MemoryTangents, CopiesOfOtherAlignmentAreRefused) {
  MemoryTangents tangents;
  set<double>(tangents, 0x1000, {7});
  try {
    tangents.move(at(0x2004), at(0x1000), 8);
    ADD_FAILURE();
  } catch (const ddx::UsageError& error) {
    EXPECT_EQ(std::string(error.what()),
              "memcpy: reals copied to an address that is not aligned as theirs: from 0x1000 to "
              "0x2004, in units of 8 bytes");
  }
}

TEST(MemoryTangents, AreZeroAfterAReset) {
  MemoryTangents tangents;
  set<long double>(tangents, 0x1000, {7});
  tangents.reset();
  EXPECT_EQ(*tangents.place<long double>(at(0x1000)), 0);
}

TEST(MemoryTangents, AreTheSameForThreadsThatShareThem) {
  constexpr std::size_t pages = 2000;
  constexpr std::size_t count = 4;
  MemoryTangents tangents;
  set<double>(tangents, page, {3});
  tangents.share();
  // Each thread has a number of its own in each page.
  const auto add = [&](std::size_t thread) {
    for (std::size_t i = 1; i <= pages; ++i) {
      *tangents.place<double>(at(page * i + 8 * thread)) += static_cast<double>(i);
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back(add, i);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(*tangents.place<double>(at(page)), 4);
  EXPECT_EQ(*tangents.place<double>(at(page * 2)), 2);
  for (std::size_t i = 1; i <= pages; ++i) {
    for (std::size_t thread = 1; thread < count; ++thread) {
      ASSERT_EQ(*tangents.place<double>(at(page * i + 8 * thread)), static_cast<double>(i));
    }
  }
  tangents.reset();
  EXPECT_EQ(*tangents.place<double>(at(page)), 0);
}

}  // namespace memory_tangents_test
