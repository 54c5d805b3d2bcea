#include "ddx/tensor/view.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <type_traits>
#include <vector>

namespace ddx {
namespace view_test {

using ddx::testing::thrown;

TEST(View, ReadsElementsByTheirIndices) {
  const Tensor<std::int32_t> x{{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {10, 11, 12}}};
  const auto at = view<3>(x);
  EXPECT_EQ(at(0, 0, 0), 1);
  EXPECT_EQ(at(0, 1, 2), 6);
  EXPECT_EQ(at(1, 0, 1), 8);
  EXPECT_EQ(at(1, 1, 2), 12);
  EXPECT_EQ(at.extent(2), 3);
  EXPECT_EQ(at.shape(), x.shape());
  EXPECT_EQ(at.elements().data(), x.elements().data());
  static_assert(std::is_same_v<decltype(at(0, 0, 0)), const std::int32_t&>);
}

TEST(View, HasNoIndexForAScalar) {
  const Tensor<float> x(2.5F);
  EXPECT_EQ(view<0>(x)(), 2.5F);
}

TEST(View, WritesIntoOneTensorAlone) {
  Tensor<float> x{{1, 2}, {3, 4}};
  const auto copy = x;
  const auto at = mutable_view<2>(x);
  at(1, 0) = 30;
  EXPECT_EQ(x, (Tensor<float>{{1, 2}, {30, 4}}));
  EXPECT_EQ(copy, (Tensor<float>{{1, 2}, {3, 4}}));
}

TEST(View, IndicesOutsideAreErrors) {
  const Tensor<float> x{{1, 2, 3}, {4, 5, 6}};
  const auto at = view<2>(x);
  EXPECT_EQ(thrown<UsageError>([&] { (void)at(2, 0); }),
            "view: index 2 of axis 0 lies outside [0, 2); shape [2, 3]");
  EXPECT_EQ(thrown<UsageError>([&] { (void)at(1, -1); }),
            "view: index -1 of axis 1 lies outside [0, 3); shape [2, 3]");
  EXPECT_EQ(thrown<UsageError>([&] { (void)at(0, 3); }),
            "view: index 3 of axis 1 lies outside [0, 3); shape [2, 3]");
  const Tensor<float> none(Shape{0}, {});
  EXPECT_EQ(thrown<UsageError>([&] { (void)view<1>(none)(0); }),
            "view: index 0 of axis 0 lies outside [0, 0); shape [0]");
}

TEST(View, AnotherRankIsAnError) {
  Tensor<float> x{{1, 2, 3}};
  EXPECT_EQ(thrown<UsageError>([&] { (void)view<1>(x); }),
            "view: the tensor has rank 2, the view rank 1; shape [1, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)mutable_view<3>(x); }),
            "view: the tensor has rank 2, the view rank 3; shape [1, 3] (here)");
}

}  // namespace view_test
}  // namespace ddx
