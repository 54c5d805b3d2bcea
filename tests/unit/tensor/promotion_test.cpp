#include "ddx/tensor/promotion.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/clip.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/pairwise.h"
#include "ddx/tensor/power.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <gtest/gtest.h>
#include <initializer_list>
#include <vector>

namespace ddx {
namespace promotion_test {

template <class Found>
void expect_values(const Tensor<Found>& found, const std::vector<double>& right) {
  const auto values = found.values();
  ASSERT_EQ(values.size(), right.size());
  for (std::size_t i = 0; i < right.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(values[i]), right[i], 1e-6) << i;
  }
}

TEST(Promotion, TheResultHasTheTypeOfTheNumber) {
  const Tensor<std::uint8_t> bytes{0, 128, 255};
  static_assert(std::same_as<decltype(bytes / 255.0F), Tensor<float>>);
  static_assert(std::same_as<decltype(bytes / 255.0), Tensor<double>>);
  static_assert(std::same_as<decltype(bytes / Half(2.0F)), Tensor<Half>>);
  static_assert(std::same_as<decltype(bytes / 2), Tensor<std::uint8_t>>);
  static_assert(std::same_as<decltype(2.5 - bytes), Tensor<double>>);
}

TEST(Promotion, NumbersWithAFractionAreNotCut) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const Tensor<std::uint8_t> bytes({3}, {0, 128, 255}, device);
    const Tensor<std::int32_t> counts({3}, {1, 2, 3}, device);
    const Tensor<bool> mask({3}, {true, false, true}, device);
    expect_values(bytes / 255.0F, {0, 128 / 255.0, 1});
    expect_values(1.5F - bytes, {1.5, -126.5, -253.5});
    expect_values(counts * 0.5, {0.5, 1, 1.5});
    expect_values(6.0F / counts, {6, 3, 2});
    expect_values(counts + 0.25, {1.25, 2.25, 3.25});
    expect_values(mask * 2.5F, {2.5, 0, 2.5});
    expect_values(maximum(counts, 1.5F), {1.5, 2, 3});
    expect_values(minimum(1.5F, counts), {1, 1.5, 1.5});
    expect_values(clip(counts, 1.5, 2.5), {1.5, 2, 2.5});
    expect_values(pow(counts, 0.5), {1, std::sqrt(2.0), std::sqrt(3.0)});
    expect_values(pow(0.5F, counts), {0.5, 0.25, 0.125});
    expect_values(remainder(counts, 1.5F), {1, 0.5, 0});
    expect_values(floor_divide(counts, 1.5F), {0, 1, 2});
    expect_values(fmod(7.5, counts), {0.5, 1.5, 1.5});
    expect_values(squared_difference(counts, 0.5F), {0.25, 2.25, 6.25});
    expect_values(select(mask, counts, 0.5F), {1, 0.5, 3});
    expect_values(select(mask, 0.5F, counts), {0.5, 2, 0.5});
  }
}

// 2^53 - 1 and 16777217 are no numbers of f32: compared there they would equal their neighbours.
TEST(Promotion, ComparesExactly) {
  const Tensor<std::int32_t> counts{1, 2, 3};
  expect_values(greater(counts, 1.5F), {0, 1, 1});
  expect_values(less_equal(counts, 2.5), {1, 1, 0});
  expect_values(less(0.5F, Tensor<std::uint8_t>{0, 1, 2}), {0, 1, 1});
  expect_values(equal(Tensor<std::int32_t>{16777216, 16777217}, 16777216.0F), {1, 0});
  expect_values(not_equal(counts, 2.5F), {1, 1, 1});
  expect_values(greater_equal(2.5, counts), {1, 1, 0});
}

}  // namespace promotion_test
}  // namespace ddx
