#include "ddx/ad/detail/shadow_directory.h"

#include "ddx/core/error.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace shadow_directory_test {

using ddx::detail::ShadowDirectory;

constexpr std::size_t page = ShadowDirectory<double>::page_bytes;

/// An address: no number needs to lie there.
const void* at(std::uintptr_t bits) {
  return reinterpret_cast<const void*>(bits);
}

TEST(ShadowDirectory, BeginsAtZeroForEachAddress) {
  ShadowDirectory<double> directory;
  EXPECT_TRUE(directory.is_empty());
  const double x[2] = {3, 4};
  EXPECT_EQ(*directory.place(&x[0]), 0);
  *directory.place(&x[0]) = 5;
  EXPECT_EQ(*directory.place(&x[1]), 0);
  EXPECT_EQ(*directory.place(&x[0]), 5);
}

TEST(ShadowDirectory, MirrorsPagesByteForByte) {
  ShadowDirectory<double> directory;
  double* const first = directory.place(at(5 * page));
  EXPECT_EQ(directory.place(at(5 * page + 8)), first + 1);
  EXPECT_EQ(directory.place(at(6 * page - 8)), first + page / 8 - 1);
  EXPECT_EQ(directory.mirror_count(), 1U);
  (void)directory.place(at(6 * page));
  EXPECT_EQ(directory.mirror_count(), 2U);
}

TEST(ShadowDirectory, PagesOfOneCacheEntryAreKeptApart) {
  ShadowDirectory<float> directory;
  constexpr std::uintptr_t distance = page * ShadowDirectory<float>::cache_entries;
  for (std::uintptr_t i = 0; i < 200; ++i) {
    *directory.place(at(0x10000 + i * distance)) += static_cast<float>(i);
  }
  for (std::uintptr_t i = 0; i < 200; ++i) {
    EXPECT_EQ(*directory.place(at(0x10000 + i * distance)), static_cast<float>(i));
  }
  EXPECT_EQ(directory.mirror_count(), 200U);
}

TEST(ShadowDirectory, PlacesStayValidWhileOthersAreMade) {
  ShadowDirectory<double> directory;
  double* const first = directory.place(at(page));
  *first = 7;
  for (std::uintptr_t i = 2; i < 3000; ++i) {
    *directory.place(at(i * page)) = 1;
  }
  EXPECT_EQ(directory.place(at(page)), first);
  EXPECT_EQ(*first, 7);
}

TEST(ShadowDirectory, KeepsManyNumbers) {
  ShadowDirectory<double> directory;
  const std::vector<double> numbers(100000);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    *directory.place(&numbers[i]) = static_cast<double>(i);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ASSERT_EQ(*directory.place(&numbers[i]), static_cast<double>(i));
  }
}

TEST(ShadowDirectory, FindsWithoutMaking) {
  ShadowDirectory<double> directory;
  EXPECT_EQ(directory.find(page, 3).first, nullptr);
  *directory.place(at(2 * page - 16)) = 1;
  const auto run = directory.find(2 * page - 16, 5);
  EXPECT_EQ(run.first, directory.place(at(2 * page - 16)));
  EXPECT_EQ(run.count, 2U);
  EXPECT_EQ(directory.find(2 * page, 5).first, nullptr);
  EXPECT_EQ(directory.find(2 * page, 5).count, 5U);
  EXPECT_EQ(directory.mirror_count(), 1U);
}

TEST(ShadowDirectory, IsZeroAfterAReset) {
  ShadowDirectory<double> directory;
  for (const std::uintptr_t count : {3U, 10000U, 3U, 40U}) {
    for (std::uintptr_t i = 1; i <= count; ++i) {
      double& number = *directory.place(at(i * page + 8 * (i % 512)));
      ASSERT_EQ(number, 0) << "page " << i << " of " << count;
      number = 1;
    }
    directory.reset();
    EXPECT_TRUE(directory.is_empty());
    EXPECT_EQ(directory.find(page + 8, 1).first, nullptr);
  }
}

TEST(ShadowDirectory, UsesItsMemoryAgainAfterAReset) {
  ShadowDirectory<double> directory;
  const double* const first = directory.place(at(page));
  for (std::uintptr_t i = 2; i < 100; ++i) {
    (void)directory.place(at(i * page));
  }
  directory.reset();
  EXPECT_EQ(directory.place(at(page)), first);
}

TEST(ShadowDirectory, GivesManyPagesAsOneRange) {
  ShadowDirectory<double> directory;
  *directory.place(at(12 * page + 8)) = 3;
  double* const first = directory.range(at(10 * page + 16), at(20 * page - 8));
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first, directory.place(at(10 * page + 16)));
  EXPECT_EQ(first[(2 * page - 8) / sizeof(double)], 3);
  EXPECT_EQ(first + (10 * page - 24) / sizeof(double), directory.place(at(20 * page - 8)));
  EXPECT_EQ(directory.mirror_count(), 10U);
  first[4 * page / sizeof(double)] = 5;
  EXPECT_EQ(*directory.place(at(14 * page + 16)), 5);
  directory.reset();
  EXPECT_EQ(*directory.place(at(14 * page + 16)), 0);
}

TEST(ShadowDirectory, GivesARangeOfCachedPages) {
  ShadowDirectory<float> directory;
  float* const first = directory.place(at(3 * page + 4));
  EXPECT_EQ(directory.range(at(3 * page + 4), at(3 * page + 4)), first);
  EXPECT_EQ(directory.range(at(3 * page + 4), at(4 * page - 4)), first);
  float* const next = directory.place(at(4 * page));
  EXPECT_EQ(directory.range(at(3 * page + 4), at(4 * page + 8)), first);
  EXPECT_EQ(first + (page - 4) / sizeof(float), next);
  EXPECT_EQ(directory.mirror_count(), 2U);
}

TEST(ShadowDirectory, GivesNoRangeOfOtherAddresses) {
  ShadowDirectory<double> directory;
  EXPECT_EQ(directory.range(at(3 * page + 4), at(3 * page + 20)), nullptr);
  EXPECT_EQ(directory.range(at(3 * page + 8), at(3 * page + 20)), nullptr);
  EXPECT_EQ(directory.range(at(4 * page), at(3 * page)), nullptr);
  constexpr std::uintptr_t border = ddx::detail::ShadowSegments::segment_bytes;
  EXPECT_EQ(directory.range(at(border - 8), at(border)), nullptr);
  (void)directory.place(at(border - 8));
  (void)directory.place(at(border));
  EXPECT_EQ(directory.range(at(border - 8), at(border)), nullptr);
  directory.share(true);
  EXPECT_EQ(directory.range(at(page), at(page + 8)), nullptr);
}

TEST(ShadowDirectory, IsZeroAfterManyUsesOfDifferentPages) {
  ShadowDirectory<double> directory;
  constexpr std::uintptr_t uses = 12;  // Beyond what is kept between uses.
  constexpr std::uintptr_t pages = ShadowDirectory<double>::kept_bytes / page / 4;
  for (std::uintptr_t use = 0; use < uses; ++use) {
    for (std::uintptr_t i = 0; i < pages; ++i) {
      double& number = *directory.place(at((1 + i + use % 3 * pages) * page));
      ASSERT_EQ(number, 0);
      number = 1;
    }
    directory.reset();
  }
}

TEST(ShadowDirectory, IsZeroWhereAFormerUseHadARange) {
  ShadowDirectory<double> directory;
  for (int use = 0; use < 3; ++use) {
    double* const first = directory.range(at(3 * page), at(9 * page - 8));
    ASSERT_NE(first, nullptr);
    for (std::size_t i = 0; i < 6 * page / sizeof(double); ++i) {
      ASSERT_EQ(first[i], 0);
      first[i] = 2;
    }
    directory.reset();
  }
}

TEST(ShadowDirectory, ALongDoubleTakesSixteenBytes) {
  ShadowDirectory<long double> directory;
  const long double x[2] = {1, 2};
  *directory.place(&x[0]) = 1.25L;
  *directory.place(&x[1]) = 2.5L;
  EXPECT_EQ(*directory.place(&x[0]), 1.25L);
  EXPECT_EQ(*directory.place(&x[1]), 2.5L);
}

template <class Real>
std::string failure_at(std::uintptr_t bits) {
  ShadowDirectory<Real> directory;
  (void)directory.place(at(bits / 16 * 16));
  try {
    (void)directory.place(at(bits));
  } catch (const ddx::UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(ShadowDirectory, RefusesAddressesThatAreNotAligned) {
  EXPECT_EQ(failure_at<double>(0x12344),
            "derivative of memory: a real number of 8 bytes at address 0x12344, which is no "
            "multiple of 8");
  EXPECT_EQ(failure_at<float>(0x12342),
            "derivative of memory: a real number of 4 bytes at address 0x12342, which is no "
            "multiple of 4");
  EXPECT_EQ(failure_at<float>(0x12344), "none");
  EXPECT_EQ(failure_at<long double>(0x12348),
            "derivative of memory: a real number of 16 bytes at address 0x12348, which is no "
            "multiple of 16");
}

}  // namespace shadow_directory_test
