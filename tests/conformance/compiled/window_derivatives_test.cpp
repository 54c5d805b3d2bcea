// Functions with windows, differentiated by the compiler in both modes, against central
// differences.

#include "ddx/ddx.h"

#include "tests/conformance/compiled/checks.h"
#include "tests/conformance/gradient_check.h"

#include <gtest/gtest.h>

namespace ddx::testing {
namespace {

const Doubles signal = random_tensor({2, 6, 4}, 1, Device());
const Doubles image = random_tensor({2, 5, 6, 4}, 2, Device());
const Doubles volume = random_tensor({1, 3, 4, 3, 2}, 3, Device());

TEST(WindowDerivatives, OfConvolutions) {
  const Doubles weights = random_tensor({2, 2, 4}, 4, Device());
  expect_derivatives(
      [&](const Doubles& t) { return conv1d(t * t, weights, {.dilations = {2}, .groups = 2}); },
      signal);
  expect_derivatives([&](const Doubles& t) { return conv1d(signal, t * t, {.groups = 2}); },
                     weights);
  const Doubles filter = random_tensor({2, 1, 2, 2, 3}, 5, Device());
  expect_derivatives([&](const Doubles& t) { return conv3d(t, filter, {.strides = {1, 2, 1}}); },
                     volume);
}

TEST(WindowDerivatives, OfTransposedConvolutions) {
  const Doubles weights = random_tensor({3, 2, 4}, 4, Device());
  expect_derivatives(
      [&](const Doubles& t) { return transposed_conv1d(t * t, weights, {.strides = {2}}); },
      signal);
  expect_derivatives([&](const Doubles& t) { return transposed_conv1d(signal, t * t); }, weights);
  const Doubles by_groups = random_tensor({2, 3, 1, 4}, 6, Device());
  expect_derivatives(
      [&](const Doubles& t) {
        return transposed_conv2d(
            t, by_groups,
            {.strides = {2, 1}, .padding = Padding::Same, .dilations = {1, 2}, .groups = 2});
      },
      image);
  const Doubles filter = random_tensor({2, 2, 1, 3, 2}, 5, Device());
  expect_derivatives([&](const Doubles& t) { return transposed_conv3d(t, filter); }, volume);
}

TEST(WindowDerivatives, OfConvolutionsByChannel) {
  const Doubles filter = random_tensor({2, 3, 4, 2}, 4, Device());
  const Doubles pointwise = random_tensor({1, 1, 8, 3}, 5, Device());
  expect_derivatives([&](const Doubles& t) { return depthwise_conv2d(image, t * t); }, filter);
  expect_derivatives(
      [&](const Doubles& t) {
        return separable_conv2d(t, filter, pointwise, {.padding = Padding::Same});
      },
      image);
}

TEST(WindowDerivatives, OfPooling) {
  expect_derivatives([](const Doubles& t) { return avg_pool1d(t * t); }, signal);
  expect_derivatives([](const Doubles& t) { return avg_pool3d(t, {.size = {2, 2, 3}}); }, volume);
  expect_derivatives([](const Doubles& t) { return max_pool1d(t, {.size = {3}, .strides = {2}}); },
                     signal);
  expect_derivatives([](const Doubles& t) { return max_pool3d(t); },
                     random_tensor({1, 2, 4, 4, 2}, 6, Device()));
  expect_compiled(
      [](const Doubles& t) {
        return sum(square(fractional_max_pool2d(RandomKey(3), t, {.ratios = {1.2, 1.5}})));
      },
      image);
}

TEST(WindowDerivatives, OfMorphology) {
  const Doubles filter = random_tensor({2, 2, 4}, 4, Device());
  expect_derivatives([&](const Doubles& t) { return dilation2d(t, filter); }, image);
  expect_derivatives([&](const Doubles& t) { return erosion2d(image, t); }, filter);
}

TEST(WindowDerivatives, OfSizesAndBlocks) {
  expect_derivatives(
      [](const Doubles& t) {
        return resize(t * t, {.height = 3, .width = 8, .interpolation = Interpolation::Lanczos3});
      },
      image);
  expect_derivatives([](const Doubles& t) { return square(depth_to_space(t, 2)); }, image);
  expect_derivatives([](const Doubles& t) { return square(space_to_depth(t, 2)); },
                     random_tensor({1, 4, 2, 3}, 6, Device()));
}

}  // namespace
}  // namespace ddx::testing
