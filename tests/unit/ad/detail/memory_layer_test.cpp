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

/// Two threads' sweeps over what they have in common.
struct Layered {
  Layered() {
    common.kinds = &kinds;
    first.set_layer(&first_layer);
    second.set_layer(&second_layer);
  }

  double common_of(const double& x) { return *kinds.of<double>().place(&x); }

  ShadowKinds kinds;
  CommonCotangents common;
  MemoryLayer first_layer{common};
  MemoryLayer second_layer{common};
  MemorySweep first;
  MemorySweep second;
};

TEST(MemoryLayer, AddsWithoutTheOtherThreads) {
  Layered sweeps;
  const double x = 1;
  *sweeps.first.place<double>(&x) += 2;
  *sweeps.second.place<double>(&x) += 3;
  EXPECT_EQ(sweeps.common_of(x), 0);
  sweeps.first_layer.add_to_common(sweeps.first.cotangents());
  EXPECT_EQ(sweeps.common_of(x), 2);
  sweeps.second_layer.add_to_common(sweeps.second.cotangents());
  EXPECT_EQ(sweeps.common_of(x), 5);
  EXPECT_EQ(*sweeps.first.place<double>(&x), 0);
}

TEST(MemoryLayer, TakesFromBoth) {
  Layered sweeps;
  const double x = 1;
  *sweeps.kinds.of<double>().place(&x) = 4;
  *sweeps.first.place<double>(&x) += 2;
  EXPECT_EQ(sweeps.first.get<double>(&x), 6);
  EXPECT_EQ(sweeps.first.take<double>(&x), 6);
  EXPECT_EQ(sweeps.first.take<double>(&x), 0);
  EXPECT_EQ(sweeps.common_of(x), 0);
}

TEST(MemoryLayer, SeesPagesOfOthersOnceItForgets) {
  Layered sweeps;
  const double x = 1;
  EXPECT_EQ(sweeps.first.take<double>(&x), 0);
  *sweeps.second.place<double>(&x) += 3;
  sweeps.second_layer.add_to_common(sweeps.second.cotangents());
  sweeps.first_layer.forget();
  EXPECT_EQ(sweeps.first.take<double>(&x), 3);
}

TEST(MemoryLayer, MovesAndClearsWhatIsCommon) {
  Layered sweeps;
  const std::vector<double> from(1500), to(1500);  // Several pages.
  for (const double& number : to) {
    *sweeps.kinds.of<double>().place(&number) = 7;
  }
  sweeps.first.move(to.data(), from.data(), to.size() * sizeof(double));
  for (std::size_t i = 0; i < to.size(); ++i) {
    ASSERT_EQ(sweeps.common_of(to[i]), 0);
    ASSERT_EQ(sweeps.first.get<double>(&from[i]), 7);
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
  sweeps.first_layer.add_to_common(sweeps.first.cotangents());
  EXPECT_EQ(sweeps.second.take<float>(&x), 2);
  EXPECT_EQ(sweeps.second.take<long double>(&y), 3);
}

}  // namespace memory_layer_test
