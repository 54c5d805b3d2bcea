#include "backend/pjrt/filter_state.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/replacements.h"
#include "ddx/ir/text.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::backend::pjrt {
namespace filter_state_test {

/// The filter state of a graph of this text.
std::vector<bool> of(const std::string& text) {
  const ir::Graph graph = ir::parse_graph("graph(" + text + "\n}");
  return filter_state(graph, ir::replacements(graph));
}

// x, a filter, its velocity: v = g + m v, w = w + r v. The gradient is of the sum of squares.
TEST(FilterState, IsTheMomentumOfAFilterAndNotTheFilter) {
  EXPECT_EQ(of("%0: f32[2, 8, 8, 3], %1: f32[3, 3, 3, 4], %2: f32[3, 3, 3, 4]; #0: number, #1: "
               "number) {\n"
               "  %3: f32[2, 6, 6, 4] = convolution(%0, %1) {size = [3, 3]}\n"
               "  %4: f32[3, 3, 3, 4] = convolution_filter_gradient(%0, %3) {size = [3, 3]}\n"
               "  %5: f32[3, 3, 3, 4] = add_scaled(%4, %2) {scale = #0}\n"
               "  %6: f32[3, 3, 3, 4] = add_scaled(%1, %5) {scale = #1}\n"
               "  return %6, %5"),
            (std::vector<bool>{false, false, true}));
}

// The filter is kept in f32 and computes in bf16.
TEST(FilterState, InMixedPrecision) {
  EXPECT_EQ(of("%0: bf16[2, 8, 8, 3], %1: f32[3, 3, 3, 4], %2: f32[3, 3, 3, 4]; #0: number, #1: "
               "number) {\n"
               "  %3: bf16[3, 3, 3, 4] = cast(%1)\n"
               "  %4: bf16[2, 6, 6, 4] = convolution(%0, %3) {size = [3, 3]}\n"
               "  %5: bf16[3, 3, 3, 4] = convolution_filter_gradient(%0, %4) {size = [3, 3]}\n"
               "  %6: f32[3, 3, 3, 4] = cast(%5)\n"
               "  %7: f32[3, 3, 3, 4] = add_scaled(%6, %2) {scale = #0}\n"
               "  %8: f32[3, 3, 3, 4] = add_scaled(%1, %7) {scale = #1}\n"
               "  return %8, %7"),
            (std::vector<bool>{false, false, true}));
}

// Both are reshaped between their own shape and that of a grouped convolution.
TEST(FilterState, OfADepthwiseFilter) {
  EXPECT_EQ(of("%0: f32[2, 8, 8, 3], %1: f32[3, 3, 3, 1], %2: f32[3, 3, 3, 1]; #0: number, #1: "
               "number) {\n"
               "  %3: f32[3, 3, 1, 3] = reshape(%1)\n"
               "  %4: f32[2, 6, 6, 3] = convolution(%0, %3) {size = [3, 3], groups = 3}\n"
               "  %5: f32[3, 3, 1, 3] = convolution_filter_gradient(%0, %4) {size = [3, 3], groups "
               "= 3}\n"
               "  %6: f32[3, 3, 3, 1] = reshape(%5)\n"
               "  %7: f32[3, 3, 3, 1] = add_scaled(%6, %2) {scale = #0}\n"
               "  %8: f32[3, 3, 3, 1] = add_scaled(%1, %7) {scale = #1}\n"
               "  return %8, %7"),
            (std::vector<bool>{false, false, true}));
}

// The gradient of a matrix is a product, and what is broadcast comes from elsewhere.
TEST(FilterState, IsNothingElse) {
  EXPECT_EQ(of("%0: f32[2, 3], %1: f32[3, 4], %2: f32[3, 4]; #0: number, #1: number) {\n"
               "  %3: f32[2, 4] = matmul(%0, %1)\n"
               "  %4: f32[3, 2] = transpose(%0) {order = [1, 0]}\n"
               "  %5: f32[3, 4] = matmul(%4, %3)\n"
               "  %6: f32[3, 4] = add_scaled(%5, %2) {scale = #0}\n"
               "  %7: f32[3, 4] = add_scaled(%1, %6) {scale = #1}\n"
               "  return %7, %6"),
            (std::vector<bool>{false, false, false}));
  EXPECT_EQ(of("%0: f32[1, 1, 1, 1], %1: f32[1, 1, 1, 1], %2: f32[2, 1, 1, 1]) {\n"
               "  %3: f32[1, 1, 1, 1] = convolution_filter_gradient(%0, %1) {size = [1, 1]}\n"
               "  %4: f32[2, 1, 1, 1] = mul(%2, %3)\n"
               "  return %4"),
            (std::vector<bool>{false, false, false}));
  EXPECT_EQ(of("%0: f32[1, 1, 1, 1], %1: f32[1, 1, 1, 1], %2: f32[1, 1, 1, 1]) {\n"
               "  %3: f32[1, 1, 1, 1] = convolution_filter_gradient(%0, %1) {size = [1, 1]}\n"
               "  %4: f32[1, 1, 1, 1] = exp(%0)\n"
               "  return %3, %4"),
            (std::vector<bool>{false, false, false}))
      << "no result replaces the last";
}

// Momentum of filters of 144, 100 and 16 MiB: the smaller ones take 116 of 256 MiB.
TEST(FilterState, TakesTheSmallestUpToALimit) {
  std::string text =
      "%0: f32[1, 3, 3, 2048], %1: f32[1, 1, 1, 2048], %2: f32[3, 3, 2048, 2048], "
      "%3: f32[1, 1, 12800, 2048], %4: f32[1, 1, 2048, 2048], %5: f32[1, 1, 1, 12800]; #0: number) "
      "{\n"
      "  %6: f32[3, 3, 2048, 2048] = convolution_filter_gradient(%0, %1) {size = [3, 3]}\n"
      "  %7: f32[3, 3, 2048, 2048] = add_scaled(%6, %2) {scale = #0}\n"
      "  %8: f32[1, 1, 12800, 2048] = convolution_filter_gradient(%5, %1) {size = [1, 1]}\n"
      "  %9: f32[1, 1, 12800, 2048] = add_scaled(%8, %3) {scale = #0}\n"
      "  %10: f32[1, 1, 2048, 2048] = convolution_filter_gradient(%1, %1) {size = [1, 1]}\n"
      "  %11: f32[1, 1, 2048, 2048] = add_scaled(%10, %4) {scale = #0}\n"
      "  return %7, %9, %11";
  EXPECT_EQ(of(text), (std::vector<bool>{false, false, false, true, true, false}));
  // Of 12288 channels the second one has 96 MiB: all three have exactly 256.
  for (std::size_t at = text.find("12800"); at != std::string::npos; at = text.find("12800")) {
    text.replace(at, 5, "12288");
  }
  EXPECT_EQ(of(text), (std::vector<bool>{false, false, true, true, true, false}));
}

}  // namespace filter_state_test
}  // namespace ddx::backend::pjrt
