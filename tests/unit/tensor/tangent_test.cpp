#include "ddx/tensor/tangent.h"

#include "ddx/ad/detail/runtime.h"
#include "ddx/ad/differentiable.h"
#include "ddx/ad/tangent.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor.h"

#include "tests/support/thrown.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx {
namespace tangent_test {

static_assert(std::is_same_v<TangentOf<Tensor<float>>, Tensor<float>>);
static_assert(!Differentiable<Tensor<std::int32_t>>);

TEST(Tangent, AccumulationTakesOverWhereTheSumIsASymbolicZero) {
  Tensor<float> sum;
  Tensor<float> part{1, 2};
  const float* storage = part.elements().data();
  detail::accumulate(sum, std::move(part));
  EXPECT_EQ(sum.elements().data(), storage);
  detail::accumulate(sum, Tensor<float>{10, 20});
  EXPECT_EQ(sum, (Tensor<float>{11, 22}));
  EXPECT_EQ(sum.elements().data(), storage) << "an unshared sum grows in place";
  detail::accumulate(sum, Tensor<float>());
  EXPECT_EQ(sum, (Tensor<float>{11, 22}));
}

TEST(Tangent, AccumulationLeavesWhatItAddsAsItIs) {
  Tensor<float> sum{1, 2};
  const Tensor<float> part{10, 20};
  detail::accumulate(sum, part);
  detail::accumulate(sum, part);
  EXPECT_EQ(sum, (Tensor<float>{21, 42}));
  EXPECT_EQ(part, (Tensor<float>{10, 20}));
  const Tensor<float> zero;
  detail::accumulate(sum, zero);
  EXPECT_EQ(sum, (Tensor<float>{21, 42}));
  EXPECT_EQ(testing::thrown<UsageError>([&] { detail::accumulate(sum, Tensor<float>{1, 2, 3}); }),
            testing::thrown<UsageError>([&] {
              const Tensor<float> longer{1, 2, 3};
              detail::accumulate(sum, longer);
            }));
  EXPECT_EQ(sum, (Tensor<float>{21, 42}));
}

struct Part {
  Tensor<float> weight;
  DDX_DIFFERENTIABLE(Part, weight)
};

struct Whole {
  Part part;
  std::vector<Part> parts;
  std::optional<Tensor<float>> perhaps;
  std::array<Tensor<float>, 2> pair;
  DDX_DIFFERENTIABLE(Whole, part, parts, perhaps, pair)
};

TEST(Tangent, ThoseOfNestedClassesAddUp) {
  const auto filled = [](float value) {
    const Tensor<float> x{value, 2 * value};
    Whole::TangentVector made;
    made.part.weight = x;
    made.parts = {{x}, {x}};
    std::get<0>(made.perhaps) = x;
    made.pair = {x, Tensor<float>()};
    return made;
  };
  Whole::TangentVector total;
  const Whole::TangentVector one = filled(1);
  total += one;
  total += filled(10);
  total += one;
  total += total;
  const Tensor<float> expected{24, 48};
  EXPECT_EQ(total.part.weight, expected);
  ASSERT_EQ(total.parts.size(), 2U);
  EXPECT_EQ(total.parts[1].weight, expected);
  EXPECT_EQ(std::get<0>(total.perhaps), expected);
  EXPECT_EQ(total.pair[0], expected);
  EXPECT_TRUE(total.pair[1].is_symbolic_zero());
  EXPECT_EQ(one.part.weight, (Tensor<float>{1, 2}));
}

TEST(Tangent, AccumulationMayMeetItselfAndSharesNothing) {
  Tensor<float> sum{1, 2};
  const Tensor<float> copy = sum;
  detail::accumulate(sum, std::as_const(sum));
  EXPECT_EQ(sum, (Tensor<float>{2, 4}));
  EXPECT_EQ(copy, (Tensor<float>{1, 2}));
}

TEST(Tangent, ConformGivesASymbolicZeroItsShape) {
  Tensor<float> tangent;
  const auto primal = zeros<float>({2, 3});
  detail::conform<Tensor<float>>(tangent, primal);
  EXPECT_EQ(tangent.shape(), (Shape{2, 3}));
  EXPECT_EQ((tangent[{1, 2}]), 0);
  EXPECT_TRUE(detail::zeros_like(primal).is_symbolic_zero());
}

TEST(Tangent, TheSeedOfAGradientIsOne) {
  EXPECT_EQ(detail::unit_seed(Tensor<float>(7)).item(), 1);
  EXPECT_EQ(testing::thrown<UsageError>([] { (void)detail::unit_seed(Tensor<float>{1, 2}); }),
            "gradient: the result has 2 elements, not 1; shape [2]; reduce it, or use pullback");
}

TEST(Tangent, TakeLeavesASymbolicZero) {
  Tensor<float> tangent{1, 2};
  EXPECT_EQ(detail::take(tangent), (Tensor<float>{1, 2}));
  EXPECT_TRUE(tangent.is_symbolic_zero());
}

// By hand: x = w = 2x2, loss = sum(relu(x w - 3)); where x w > 3 each element passes, so dw = x^T m
// with m the mask.
TEST(Tangent, PullbacksComposeByHand) {
  const Tensor<double> x{{1, 2}, {3, 4}};
  const Tensor<double> w{{1, 0}, {1, 1}};
  const auto product = matmul_vjp(x, w, {}, std::source_location::current());  // [[3, 2], [7, 4]]
  const auto shifted = sub_number_vjp(product.value, 3);
  const auto active = relu_vjp(shifted.value);
  const auto loss = sum_vjp(active.value, {}, std::source_location::current());
  EXPECT_EQ(loss.value.item(), 5);
  const auto dactive = loss.pullback(detail::unit_seed(loss.value));
  const auto [dproduct, dnumber] = shifted.pullback(active.pullback(dactive), Wanted<2>::all());
  const auto [dx, dw] = product.pullback(dproduct, Wanted<2>::all());
  EXPECT_EQ(dnumber, -2);
  EXPECT_EQ(dw, (Tensor<double>{{3, 3}, {4, 4}}));
  EXPECT_EQ(dx, (Tensor<double>{{0, 0}, {1, 2}}));
}

}  // namespace tangent_test
}  // namespace ddx
