#include "ddx/ad/detail/zeros.h"

#include "ddx/ad/differentiable.h"
#include "ddx/core/error.h"

#include "tests/support/thrown.h"
#include "tests/unit/ad/leaf.h"

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace zeros_test {

using ddx::NoTangent;
using ddx::detail::conform;
using ddx::detail::set_zero;
using ddx::detail::take;
using ddx::detail::zeros_like;
using ddx::testing::LazyLeaf;
using ddx::testing::Leaf;

using Nested = std::vector<std::vector<double>>;

struct Layer {
  std::vector<double> weights;
  double bias[2];
  Leaf leaf;
  int units;
  DDX_DIFFERENTIABLE(Layer, weights, bias, leaf)
  DDX_NO_DERIVATIVE(units)
};

TEST(SetZero, KeepsTheLengthsOfVectors) {
  std::tuple<double, Nested, NoTangent, std::array<float, 2>> tangent{
      1.0, {{1.0}, {2.0, 3.0}}, {}, {4.0F, 5.0F}};
  set_zero(tangent);
  EXPECT_EQ(tangent,
            std::tuple(0.0, Nested{{0.0}, {0.0, 0.0}}, NoTangent{}, std::array{0.0F, 0.0F}));
}

TEST(SetZero, ReachesEveryMember) {
  Layer::TangentVector tangent{{1.0}, {2.0, 3.0}, {{4.0}}};
  set_zero(tangent);
  EXPECT_EQ(tangent.weights, std::vector{0.0});
  EXPECT_EQ(tangent.bias[1], 0.0);
  EXPECT_EQ(tangent.leaf, Leaf{});
}

TEST(Take, ReturnsTheTangentAndLeavesZerosOfItsShape) {
  Nested tangent{{1.0}, {2.0, 3.0}};
  EXPECT_EQ(take(tangent), (Nested{{1.0}, {2.0, 3.0}}));
  EXPECT_EQ(tangent, (Nested{{0.0}, {0.0, 0.0}}));
}

TEST(Take, ReachesEveryKindOfTangent) {
  std::tuple<double, NoTangent, std::pair<float, Leaf>> tangent{1.0, {}, {2.0F, {{3.0}}}};
  const auto taken = take(tangent);
  EXPECT_EQ(taken, std::tuple(1.0, NoTangent{}, std::pair(2.0F, Leaf{{3.0}})));
  EXPECT_EQ(tangent, std::tuple(0.0, NoTangent{}, std::pair(0.0F, Leaf{})));

  Layer::TangentVector layer{{1.0}, {2.0, 3.0}, {{4.0}}};
  const Layer::TangentVector part = take(layer);
  EXPECT_EQ(part.weights, std::vector{1.0});
  EXPECT_EQ(part.bias[1], 3.0);
  EXPECT_EQ(layer.weights, std::vector{0.0});
  EXPECT_EQ(layer.bias[1], 0.0);
}

TEST(ZerosLike, HasTheShapeOfThePrimal) {
  const Layer layer{{1.0, 2.0}, {3.0, 4.0}, {{5.0, 6.0, 7.0}}, 2};
  const Layer::TangentVector zeros = zeros_like(layer);
  EXPECT_EQ(zeros.weights, (std::vector{0.0, 0.0}));
  EXPECT_EQ(zeros.bias[0], 0.0);
  EXPECT_EQ(zeros.leaf, (Leaf{{0.0, 0.0, 0.0}}));
  EXPECT_EQ(zeros_like(Nested{{1.0}, {}, {2.0, 3.0}}), (Nested{{0.0}, {}, {0.0, 0.0}}));
  EXPECT_EQ(zeros_like(std::pair(1, 2.0)), std::pair(NoTangent{}, 0.0));
  EXPECT_EQ(zeros_like(7), NoTangent{});
}

TEST(ZerosLike, ALeafMayStaySymbolic) {
  EXPECT_TRUE(zeros_like(LazyLeaf{}).symbolic_zero);
}

TEST(Conform, ShapesASymbolicZeroAndKeepsTheRest) {
  const Nested primal{{1.0, 2.0}, {3.0}};
  Nested tangent;
  conform(tangent, primal);
  EXPECT_EQ(tangent, (Nested{{0.0, 0.0}, {0.0}}));

  tangent = {{}, {5.0}};
  conform(tangent, primal);
  EXPECT_EQ(tangent, (Nested{{0.0, 0.0}, {5.0}}));
}

TEST(Conform, ATangentOfAnotherLengthThrows) {
  const std::vector<double> primal{1.0, 2.0};
  std::vector<double> tangent{1.0, 2.0, 3.0};
  try {
    conform(tangent, primal);
    FAIL() << "lengths 3 and 2 conformed";
  } catch (const ddx::UsageError& error) {
    EXPECT_EQ(ddx::testing::without_called_at(error.what()),
              "conform: a tangent of 3 elements meets a value of 2");
  }
}

}  // namespace zeros_test
