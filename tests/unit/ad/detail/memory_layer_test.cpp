#include "ddx/ad/detail/memory_layer.h"

#include "ddx/ad/detail/memory_sweep.h"

#include "ad/detail/sweep_threads.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace memory_layer_test {

using ddx::detail::CommonCotangents;
using ddx::detail::MemoryLayer;
using ddx::detail::MemorySweep;
using ddx::detail::ShadowKinds;

/// A thread's sweep.
struct Sweep : MemorySweep {
  explicit Sweep(MemoryLayer& over) { set_layer(&over); }
  void publish() { layer()->publish(cotangents()); }
};

/// Two of them over what they have in common.
struct Layered {
  Layered() { common.kinds = &kinds; }

  double common_of(const double& x) { return *kinds.of<double>().place(&x); }

  ShadowKinds kinds;
  CommonCotangents common;
  MemoryLayer first_layer{common};
  MemoryLayer second_layer{common};
  Sweep first{first_layer};
  Sweep second{second_layer};
};

TEST(MemoryLayer, AddsToACommonPageThatNoOtherThreadHolds) {
  Layered sweeps;
  const double x = 1;
  *sweeps.first.place<double>(&x) += 2;
  EXPECT_EQ(sweeps.common_of(x), 2);
  *sweeps.second.place<double>(&x) += 3;  // The first one holds the page.
  EXPECT_EQ(sweeps.common_of(x), 2);
  sweeps.first.publish();
  sweeps.second.publish();
  sweeps.common.settle();
  EXPECT_EQ(sweeps.common_of(x), 5);
  *sweeps.second.place<double>(&x) += 4;  // Now this one holds it.
  EXPECT_EQ(sweeps.common_of(x), 9);
}

TEST(MemoryLayer, TakesFromAll) {
  Layered sweeps;
  const double x = 1;
  *sweeps.kinds.of<double>().place(&x) = 4;
  *sweeps.second.place<double>(&x) += 2;
  *sweeps.first.place<double>(&x) += 8;
  sweeps.first.publish();
  *sweeps.first.place<double>(&x) += 16;
  EXPECT_EQ(sweeps.first.get<double>(&x), 30);
  EXPECT_EQ(sweeps.first.take<double>(&x), 30);
  EXPECT_EQ(sweeps.first.take<double>(&x), 0);
  EXPECT_EQ(sweeps.second.get<double>(&x), 0);
  EXPECT_EQ(sweeps.common_of(x), 0);
}

TEST(MemoryLayer, SeesPagesOfOthersOnceItForgets) {
  Layered sweeps;
  const double x = 1;
  EXPECT_EQ(sweeps.first.take<double>(&x), 0);
  *sweeps.second.place<double>(&x) += 3;
  sweeps.second.publish();
  sweeps.first_layer.forget();
  EXPECT_EQ(sweeps.first.take<double>(&x), 3);
}

TEST(MemoryLayer, SeesPagesThatItHeldOnceItPublishes) {
  Layered sweeps;
  const double x = 1;
  *sweeps.first.place<double>(&x) += 2;
  EXPECT_EQ(sweeps.first.get<double>(&x), 2);
  sweeps.first.publish();
  *sweeps.second.place<double>(&x) += 3;
  EXPECT_EQ(sweeps.first.get<double>(&x), 5);
}

TEST(MemoryLayer, GivesARangeOfPagesThatItHolds) {
  Layered sweeps;
  const std::vector<double> x(2000);
  double* const first = sweeps.first.range<double>(&x[0], &x[1999]);
  ASSERT_NE(first, nullptr);
  first[1500] = 3;
  EXPECT_EQ(sweeps.common_of(x[1500]), 3);
  EXPECT_EQ(sweeps.second.range<double>(&x[0], &x[1999]), nullptr);
  EXPECT_EQ(sweeps.second.get<double>(&x[1500]), 3);
}

TEST(MemoryLayer, GivesNoRangeOfWhichAPartWasPublished) {
  Layered sweeps;
  const std::vector<double> x(2000);
  *sweeps.first.place<double>(&x[1500]) = 3;
  *sweeps.second.place<double>(&x[1500]) = 4;
  sweeps.second.publish();
  sweeps.first.publish();
  EXPECT_EQ(sweeps.first.range<double>(&x[0], &x[1999]), nullptr);
  EXPECT_NE(sweeps.first.range<double>(&x[0], &x[10]), nullptr);
  EXPECT_EQ(sweeps.first.take<double>(&x[1500]), 7);
}

TEST(MemoryLayer, MovesAndClearsWhatIsCommon) {
  Layered sweeps;
  const std::vector<double> from(1500), to(1500);  // Several pages.
  for (const double& number : to) {
    *sweeps.kinds.of<double>().place(&number) = 7;
  }
  *sweeps.second.place<double>(&to[700]) += 1;  // Holds a page in the middle.
  sweeps.second.publish();
  *sweeps.second.place<double>(&to[20]) += 0;
  sweeps.first.move(to.data(), from.data(), to.size() * sizeof(double));
  for (std::size_t i = 0; i < to.size(); ++i) {
    ASSERT_EQ(sweeps.common_of(to[i]), 0);
    ASSERT_EQ(sweeps.first.get<double>(&from[i]), i == 700 ? 8 : 7);
  }
  *sweeps.kinds.of<double>().place(&to[0]) = 5;
  sweeps.first.clear(to.data(), sizeof(double));
  EXPECT_EQ(sweeps.first.get<double>(&to[0]), 0);
}

TEST(MemoryLayer, KeepsTheTypesOfNumbersApart) {
  Layered sweeps;
  const float x = 1;
  const long double y = 1;
  *sweeps.first.place<float>(&x) += 2;
  *sweeps.first.place<long double>(&y) += 3;
  sweeps.first.publish();
  EXPECT_EQ(sweeps.second.take<float>(&x), 2);
  EXPECT_EQ(sweeps.second.take<long double>(&y), 3);
}

}  // namespace memory_layer_test
