// The kernels of every instruction set that this processor has, on arrays large enough for several
// chunks, panels and blocks, against the reference kernels. The conformance tests have the small
// cases.

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/float16.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/creation.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/pool.h"
#include "backend/cpu/table.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace ddx::backend::cpu {
namespace kernels_test {

using ops::Op;

/// A call with operands drawn from [-2, 2), or labels from [0, 10).
struct LargeCase {
  const char* why;
  Op op;
  std::vector<Shape> inputs;
  std::vector<Shape> outputs;
  std::shared_ptr<const void> attributes = std::make_shared<ops::NoAttributes>();
};

template <class Attributes>
std::shared_ptr<const void> keep(Attributes attributes) {
  return std::make_shared<const Attributes>(attributes);
}

std::vector<LargeCase> large_cases() {
  const ops::WindowAttributes same5{.size = {5, 5, 1}, .low = {2, 2, 0}, .high = {2, 2, 0}};
  const ops::WindowAttributes valid5{.size = {5, 5, 1}};
  const ops::WindowAttributes stride2{.size = {3, 3, 1}, .strides = {2, 2, 1}, .high = {1, 1, 0}};
  const ops::WindowAttributes same3{.size = {3, 3, 1}, .low = {1, 1, 0}, .high = {1, 1, 0}};
  const ops::WindowAttributes valid3{.size = {3, 3, 1}};
  const ops::WindowAttributes aside3{.size = {3, 3, 1}, .low = {3, 0, 0}, .high = {2, 1, 0}};
  const ops::WindowAttributes stride5{.size = {5, 5, 1}, .strides = {2, 2, 1}};
  const ops::WindowAttributes pool2{.size = {2, 2, 1}, .strides = {2, 2, 1}};
  const ops::WindowAttributes overlapping{
      .size = {3, 3, 1}, .strides = {2, 2, 1}, .low = {1, 1, 0}, .high = {1, 1, 0}};
  const ops::WindowAttributes depth{.axes = 3, .size = {2, 3, 2}, .strides = {1, 2, 1}};
  const ops::WindowAttributes apart{.size = {3, 3, 1}, .dilations = {2, 3, 1}, .groups = 4};
  const Shape image{9, 28, 28, 1};
  const Shape filter{5, 5, 1, 6};
  const Shape wide_image{5, 17, 15, 24};
  const Shape wide_filter{3, 3, 24, 40};
  return {
      {"two threads", Op::add, {{300, 400}, {300, 400}}, {{300, 400}}},
      {"a bias of few channels", Op::add, {{70, 30, 30, 6}, {6}}, {{70, 30, 30, 6}}},
      {"the bias on the left", Op::sub, {{7}, {9001, 7}}, {{9001, 7}}},
      {"one column for all", Op::mul, {{300, 400}, {300, 1}}, {{300, 400}}},
      {"axes that alternate",
       Op::div,
       {{3, 1, 50, 1, 600}, {1, 4, 1, 2, 600}},
       {{3, 4, 50, 2, 600}}},
      {"vectors of e^x", Op::exp, {{70001}}, {{70001}}},
      {"vectors of tanh", Op::tanh, {{70001}}, {{70001}}},
      {"a long sum", Op::sum, {{1000, 333}}, {{}}, keep(ops::ReductionAttributes{3, false})},
      {"sums of rows", Op::sum, {{400, 1000}}, {{400}}, keep(ops::ReductionAttributes{2, false})},
      {"sums of few columns",
       Op::sum,
       {{50, 99, 40, 6}},
       {{6}},
       keep(ops::ReductionAttributes{7, false})},
      {"means of many columns",
       Op::mean,
       {{999, 700}},
       {{700}},
       keep(ops::ReductionAttributes{1, false})},
      {"sums in the middle",
       Op::sum,
       {{5, 300, 7}},
       {{5, 7}},
       keep(ops::ReductionAttributes{2, false})},
      {"vectors of erf", Op::erf, {{70001}}, {{70001}}},
      {"a row for all", Op::squared_difference, {{300, 400}, {400}}, {{300, 400}}},
      {"logarithms of rows",
       Op::log_sum_exp,
       {{400, 1000}},
       {{400}},
       keep(ops::ReductionAttributes{2, false})},
      {"maxima of rows", Op::max, {{400, 1000}}, {{400}}, keep(ops::ReductionAttributes{2, false})},
      {"long rows", Op::softmax, {{300, 1100}}, {{300, 1100}}, keep(ops::AxisAttributes{1})},
      {"long rows",
       Op::log_softmax_gradient,
       {{300, 1100}, {300, 1100}},
       {{300, 1100}},
       keep(ops::AxisAttributes{1})},
      {"many rows", Op::softmax_cross_entropy, {{9000, 10}, {9000}}, {{9000}}},
      {"many rows", Op::softmax_cross_entropy_gradient, {{9000, 10}, {9000}, {9000}}, {{9000, 10}}},
      {"many rows",
       Op::batch_norm_training,
       {{9000, 24}, {24}, {24}},
       {{9000, 24}, {24}, {24}},
       keep(ops::EpsilonAttributes{1e-3})},
      // The variances are drawn as well: the epsilon keeps their sums with it positive.
      {"short rows and what is left of them",
       Op::batch_norm_training_gradient,
       {{9001, 6}, {6}, {6}, {6}, {9001, 6}},
       {{9001, 6}, {6}, {6}},
       keep(ops::EpsilonAttributes{2.5})},
      {"more channels than a tile",
       Op::batch_norm_training_gradient,
       {{700, 300}, {300}, {300}, {300}, {700, 300}},
       {{700, 300}, {300}, {300}},
       keep(ops::EpsilonAttributes{2.5})},
      {"a tile of columns and more",
       Op::softmax,
       {{3, 300, 700}},
       {{3, 300, 700}},
       keep(ops::AxisAttributes{1})},
      {"a tile of columns and more",
       Op::log_softmax,
       {{3, 300, 700}},
       {{3, 300, 700}},
       keep(ops::AxisAttributes{1})},
      {"columns",
       Op::softmax_gradient,
       {{300, 700}, {300, 700}},
       {{300, 700}},
       keep(ops::AxisAttributes{0})},
      {"columns",
       Op::log_softmax_gradient,
       {{300, 700}, {300, 700}},
       {{300, 700}},
       keep(ops::AxisAttributes{0})},
      {"everything", Op::log_sum_exp, {{999, 700}}, {{}}, keep(ops::ReductionAttributes{3, false})},
      {"columns", Op::log_sum_exp, {{999, 700}}, {{700}}, keep(ops::ReductionAttributes{1, false})},
      {"everything", Op::max, {{999, 700}}, {{}}, keep(ops::ReductionAttributes{3, false})},
      {"columns", Op::max, {{999, 700}}, {{700}}, keep(ops::ReductionAttributes{1, false})},
      {"in the middle", Op::min, {{5, 300, 7}}, {{5, 7}}, keep(ops::ReductionAttributes{2, false})},
      // The product of thousands of numbers below 2 is 0 in float; that of a few dozen is not.
      {"rows", Op::product, {{9000, 37}}, {{9000}}, keep(ops::ReductionAttributes{2, false})},
      {"columns", Op::product, {{37, 9000}}, {{9000}}, keep(ops::ReductionAttributes{1, false})},
      {"rows, several at once",
       Op::cumulative_sum,
       {{43, 3000}},
       {{43, 3000}},
       keep(ops::CumulativeAttributes{1, false})},
      {"from the end",
       Op::cumulative_sum,
       {{43, 3000}},
       {{43, 3000}},
       keep(ops::CumulativeAttributes{1, true})},
      {"columns",
       Op::cumulative_sum,
       {{300, 700}},
       {{300, 700}},
       keep(ops::CumulativeAttributes{0, false})},
      {"columns from the end",
       Op::cumulative_max,
       {{3, 300, 700}},
       {{3, 300, 700}},
       keep(ops::CumulativeAttributes{1, true})},
      {"rows",
       Op::cumulative_product,
       {{9000, 13}},
       {{9000, 13}},
       keep(ops::CumulativeAttributes{1, false})},
      {"rows from the end",
       Op::linear_recurrence,
       {{9001, 5}, {9001, 5}},
       {{9001, 5}},
       keep(ops::CumulativeAttributes{1, true})},
      {"columns",
       Op::linear_recurrence,
       {{5, 9001}, {5, 9001}},
       {{5, 9001}},
       keep(ops::CumulativeAttributes{0, false})},
      {"many rows",
       Op::layer_norm,
       {{900, 700}, {700}, {700}},
       {{900, 700}, {900}, {900}},
       keep(ops::EpsilonAttributes{1e-3})},
      {"vectors of x Phi(x)", Op::gelu, {{70001}}, {{70001}}},
      {"vectors of its slope", Op::gelu_gradient, {{70001}, {70001}}, {{70001}}},
      {"vectors of gelu by tanh", Op::gelu_tanh, {{70001}}, {{70001}}},
      {"vectors of the slope of that", Op::gelu_tanh_gradient, {{70001}, {70001}}, {{70001}}},
      {"vectors of x sigmoid(x)", Op::silu, {{70001}}, {{70001}}},
      {"vectors of the slope of that", Op::silu_gradient, {{70001}, {70001}}, {{70001}}},
      {"slopes in rows", Op::gelu_gradient, {{301, 70}, {70}}, {{301, 70}}},
      {"slopes for columns", Op::silu_gradient, {{301, 70}, {301, 1}}, {{301, 70}}},
      {"vectors of the sine", Op::sin, {{70001}}, {{70001}}},
      {"blocks and remainders",
       Op::matmul,
       {{301, 517}, {517, 299}},
       {{301, 299}},
       keep(ops::MatmulAttributes{false, false})},
      {"both transposed",
       Op::matmul,
       {{517, 301}, {299, 517}},
       {{301, 299}},
       keep(ops::MatmulAttributes{true, true})},
      {"steps of whole pages",
       Op::matmul,
       {{70, 1024}, {70, 150}},
       {{1024, 150}},
       keep(ops::MatmulAttributes{true, false})},
      {"many rows, few columns",
       Op::matmul,
       {{9001, 300}, {300, 10}},
       {{9001, 10}},
       keep(ops::MatmulAttributes{false, false})},
      {"a stack",
       Op::matmul,
       {{3, 130, 140}, {3, 140, 150}},
       {{3, 130, 150}},
       keep(ops::MatmulAttributes{false, false})},
      {"a stack times one",
       Op::matmul,
       {{3, 130, 140}, {140, 150}},
       {{3, 130, 150}},
       keep(ops::MatmulAttributes{false, false})},
      {"one channel, padding", Op::convolution, {image, filter}, {{9, 28, 28, 6}}, keep(same5)},
      {"one channel, padding",
       Op::convolution_input_gradient,
       {{9, 28, 28, 6}, filter},
       {image},
       keep(same5)},
      {"one channel, padding",
       Op::convolution_filter_gradient,
       {image, {9, 28, 28, 6}},
       {filter},
       keep(same5)},
      {"several chunks",
       Op::convolution,
       {{64, 14, 14, 6}, {5, 5, 6, 16}},
       {{64, 10, 10, 16}},
       keep(valid5)},
      {"several chunks",
       Op::convolution_input_gradient,
       {{64, 10, 10, 16}, {5, 5, 6, 16}},
       {{64, 14, 14, 6}},
       keep(valid5)},
      {"several chunks",
       Op::convolution_filter_gradient,
       {{64, 14, 14, 6}, {64, 10, 10, 16}},
       {{5, 5, 6, 16}},
       keep(valid5)},
      {"blocks and what is left of them",
       Op::attention,
       {{3, 150, 40}, {3, 203, 40}, {3, 203, 50}},
       {{3, 150, 50}, {3, 150}},
       keep(ops::AttentionAttributes{0.15, false})},
      {"blocks above the diagonal",
       Op::attention,
       {{2, 300, 64}, {2, 300, 64}, {2, 300, 64}},
       {{2, 300, 64}, {2, 300}},
       keep(ops::AttentionAttributes{0.125, true})},
      {"queries that stand before all keys",
       Op::attention,
       {{200, 16}, {70, 16}, {70, 33}},
       {{200, 33}, {200}},
       keep(ops::AttentionAttributes{0.25, true})},
      {"blocks and what is left of them",
       Op::attention_gradient,
       {{3, 150, 40}, {3, 203, 40}, {3, 203, 50}, {3, 150, 50}, {3, 150}, {3, 150, 50}},
       {{3, 150, 40}, {3, 203, 40}, {3, 203, 50}},
       keep(ops::AttentionAttributes{0.15, false})},
      {"keys in several parts",
       Op::attention_gradient,
       {{450, 64}, {450, 64}, {450, 64}, {450, 64}, {450}, {450, 64}},
       {{450, 64}, {450, 64}, {450, 64}},
       keep(ops::AttentionAttributes{0.125, true})},
      {"queries that stand before all keys",
       Op::attention_gradient,
       {{200, 16}, {70, 16}, {70, 33}, {200, 33}, {200}, {200, 33}},
       {{200, 16}, {70, 16}, {70, 33}},
       keep(ops::AttentionAttributes{0.25, true})},
      {"rests of blocks in pairs",
       Op::attention,
       {{5, 131, 6}, {5, 197, 6}, {5, 197, 34}},
       {{5, 131, 34}, {5, 131}},
       keep(ops::AttentionAttributes{0.3, true})},
      {"rests of blocks in pairs",
       Op::attention_gradient,
       {{5, 131, 6}, {5, 197, 6}, {5, 197, 34}, {5, 131, 34}, {5, 131}, {5, 131, 34}},
       {{5, 131, 6}, {5, 197, 6}, {5, 197, 34}},
       keep(ops::AttentionAttributes{0.3, true})},
      {"queries that stand before all keys, in pairs",
       Op::attention,
       {{201, 16}, {71, 16}, {71, 32}},
       {{201, 32}, {201}},
       keep(ops::AttentionAttributes{0.25, true})},
      {"queries that stand before all keys, in pairs",
       Op::attention_gradient,
       {{201, 16}, {71, 16}, {71, 32}, {201, 32}, {201}, {201, 32}},
       {{201, 16}, {71, 16}, {71, 32}},
       keep(ops::AttentionAttributes{0.25, true})},
      {"a negative scale",
       Op::attention,
       {{150, 8}, {150, 8}, {150, 8}},
       {{150, 8}, {150}},
       keep(ops::AttentionAttributes{-0.4, true})},
      {"a negative scale",
       Op::attention_gradient,
       {{150, 8}, {150, 8}, {150, 8}, {150, 8}, {150}, {150, 8}},
       {{150, 8}, {150, 8}, {150, 8}},
       keep(ops::AttentionAttributes{-0.4, true})},
      {"a scale of zero",
       Op::attention,
       {{70, 8}, {140, 8}, {140, 8}},
       {{70, 8}, {70}},
       keep(ops::AttentionAttributes{0, true})},
      {"a scale of zero",
       Op::attention_gradient,
       {{70, 8}, {140, 8}, {140, 8}, {70, 8}, {70}, {70, 8}},
       {{70, 8}, {140, 8}, {140, 8}},
       keep(ops::AttentionAttributes{0, true})},
      {"few channels in pairs",
       Op::convolution,
       {{9, 14, 15, 6}, {5, 5, 6, 17}},
       {{9, 14, 15, 17}},
       keep(same5)},
      {"few channels in pairs",
       Op::convolution_input_gradient,
       {{9, 14, 15, 14}, {5, 5, 6, 14}},
       {{9, 14, 15, 6}},
       keep(same5)},
      {"few channels in pairs, without padding",
       Op::convolution,
       {{9, 14, 15, 10}, {5, 5, 10, 38}},
       {{9, 10, 11, 38}},
       keep(valid5)},
      {"few channels in pairs, in steps",
       Op::convolution_input_gradient,
       {{7, 18, 19, 12}, {5, 5, 3, 12}},
       {{7, 40, 41, 3}},
       keep(stride5)},
      {"rows in pairs",
       Op::matmul,
       {{70, 150}, {150, 97}},
       {{70, 97}},
       keep(ops::MatmulAttributes{})},
      {"columns in pairs",
       Op::matmul,
       {{150, 70}, {97, 150}},
       {{70, 97}},
       keep(ops::MatmulAttributes{true, true})},
      {"few rows in pairs",
       Op::matmul,
       {{19, 256}, {256, 400}},
       {{19, 400}},
       keep(ops::MatmulAttributes{})},
      {"a stack of rows in pairs",
       Op::matmul,
       {{3, 50, 64}, {64, 112}},
       {{3, 50, 112}},
       keep(ops::MatmulAttributes{})},
      {"strides, many channels",
       Op::convolution,
       {wide_image, wide_filter},
       {{5, 8, 7, 40}},
       keep(stride2)},
      {"strides, many channels",
       Op::convolution_input_gradient,
       {{5, 8, 7, 40}, wide_filter},
       {wide_image},
       keep(stride2)},
      {"strides, many channels",
       Op::convolution_filter_gradient,
       {wide_image, {5, 8, 7, 40}},
       {wide_filter},
       keep(stride2)},
      {"tiles at odd borders",
       Op::convolution,
       {{3, 13, 10, 16}, {3, 3, 16, 48}},
       {{3, 13, 10, 48}},
       keep(same3)},
      {"tiles at odd borders",
       Op::convolution_input_gradient,
       {{3, 13, 10, 48}, {3, 3, 16, 48}},
       {{3, 13, 10, 16}},
       keep(same3)},
      {"tiles at odd borders",
       Op::convolution_filter_gradient,
       {{3, 13, 10, 16}, {3, 13, 10, 48}},
       {{3, 3, 16, 48}},
       keep(same3)},
      {"sums of tiles in parts",
       Op::convolution_filter_gradient,
       {{30, 13, 29, 48}, {30, 13, 29, 64}},
       {{3, 3, 48, 64}},
       keep(same3)},
      {"tiles without padding",
       Op::convolution,
       {{5, 9, 12, 32}, {3, 3, 32, 16}},
       {{5, 7, 10, 16}},
       keep(valid3)},
      {"tiles without padding",
       Op::convolution_input_gradient,
       {{5, 7, 10, 16}, {3, 3, 32, 16}},
       {{5, 9, 12, 32}},
       keep(valid3)},
      {"tiles without padding",
       Op::convolution_filter_gradient,
       {{5, 9, 12, 32}, {5, 7, 10, 16}},
       {{3, 3, 32, 16}},
       keep(valid3)},
      {"tiles with padding on one side",
       Op::convolution,
       {{4, 10, 8, 16}, {3, 3, 16, 32}},
       {{4, 13, 7, 32}},
       keep(aside3)},
      {"tiles with padding on one side",
       Op::convolution_input_gradient,
       {{4, 13, 7, 32}, {3, 3, 16, 32}},
       {{4, 10, 8, 16}},
       keep(aside3)},
      {"tiles with padding on one side",
       Op::convolution_filter_gradient,
       {{4, 10, 8, 16}, {4, 13, 7, 32}},
       {{3, 3, 16, 32}},
       keep(aside3)},
      {"tiles of large filters",
       Op::convolution,
       {{2, 6, 5, 160}, {3, 3, 160, 144}},
       {{2, 6, 5, 144}},
       keep(same3)},
      {"tiles of large filters",
       Op::convolution_input_gradient,
       {{2, 6, 5, 144}, {3, 3, 160, 144}},
       {{2, 6, 5, 160}},
       keep(same3)},
      {"tiles of large filters",
       Op::convolution_filter_gradient,
       {{2, 6, 5, 160}, {2, 6, 5, 144}},
       {{3, 3, 160, 144}},
       keep(same3)},
      {"several blocks of tiles",
       Op::convolution,
       {{9, 30, 70, 16}, {3, 3, 16, 16}},
       {{9, 30, 70, 16}},
       keep(same3)},
      {"several blocks of tiles",
       Op::convolution_filter_gradient,
       {{9, 30, 70, 16}, {9, 30, 70, 16}},
       {{3, 3, 16, 16}},
       keep(same3)},
      {"several positions in a vector",
       Op::convolution,
       {{7, 19, 17, 4}, {3, 3, 4, 3}},
       {{7, 19, 17, 3}},
       keep(same3)},
      {"several positions in a vector",
       Op::convolution_filter_gradient,
       {{7, 19, 17, 4}, {7, 19, 17, 3}},
       {{3, 3, 4, 3}},
       keep(same3)},
      {"several positions in a vector, in steps",
       Op::convolution,
       {{7, 40, 41, 2}, {5, 5, 2, 4}},
       {{7, 18, 19, 4}},
       keep(stride5)},
      {"several positions in a vector, in steps",
       Op::convolution_filter_gradient,
       {{7, 40, 41, 2}, {7, 18, 19, 4}},
       {{5, 5, 2, 4}},
       keep(stride5)},
      {"volumes",
       Op::convolution,
       {{6, 5, 9, 8, 12}, {2, 3, 2, 12, 20}},
       {{6, 4, 4, 7, 20}},
       keep(depth)},
      {"volumes",
       Op::convolution_input_gradient,
       {{6, 4, 4, 7, 20}, {2, 3, 2, 12, 20}},
       {{6, 5, 9, 8, 12}},
       keep(depth)},
      {"volumes",
       Op::convolution_filter_gradient,
       {{6, 5, 9, 8, 12}, {6, 4, 4, 7, 20}},
       {{2, 3, 2, 12, 20}},
       keep(depth)},
      {"groups and dilations",
       Op::convolution,
       {{5, 14, 15, 16}, {3, 3, 4, 24}},
       {{5, 10, 9, 24}},
       keep(apart)},
      {"groups and dilations",
       Op::convolution_input_gradient,
       {{5, 10, 9, 24}, {3, 3, 4, 24}},
       {{5, 14, 15, 16}},
       keep(apart)},
      {"groups and dilations",
       Op::convolution_filter_gradient,
       {{5, 14, 15, 16}, {5, 10, 9, 24}},
       {{3, 3, 4, 24}},
       keep(apart)},
      {"volumes",
       Op::max_pool_gradient,
       {{6, 5, 9, 8, 12}, {6, 4, 4, 7, 12}},
       {{6, 5, 9, 8, 12}},
       keep(depth)},
      {"several chunks", Op::avg_pool, {{64, 28, 28, 6}}, {{64, 14, 14, 6}}, keep(pool2)},
      {"several chunks", Op::avg_pool_gradient, {{64, 14, 14, 6}}, {{64, 28, 28, 6}}, keep(pool2)},
      {"several chunks", Op::max_pool, {{64, 28, 28, 6}}, {{64, 14, 14, 6}}, keep(pool2)},
      {"windows that overlap",
       Op::max_pool_gradient,
       {{3, 29, 31, 37}, {3, 15, 16, 37}},
       {{3, 29, 31, 37}},
       keep(overlapping)},
      {"windows that overlap",
       Op::avg_pool_gradient,
       {{3, 15, 16, 37}},
       {{3, 29, 31, 37}},
       keep(overlapping)},
  };
}

/// The same of attention with its tangent, and of the gradient of both.
std::vector<LargeCase> large_tangent_cases() {
  return {{"extents that are no multiples of blocks",
           Op::attention_with_tangent,
           {{3, 150, 40}, {3, 203, 40}, {3, 203, 50}, {3, 150, 40}, {3, 203, 40}, {3, 203, 50}},
           {{3, 150, 50}, {3, 150}, {3, 150, 50}, {3, 150}},
           keep(ops::AttentionAttributes{0.15, false})},
          {"blocks above the diagonal, and a negative scale",
           Op::attention_with_tangent,
           {{2, 300, 64}, {2, 300, 64}, {2, 300, 64}, {2, 300, 64}, {2, 300, 64}, {2, 300, 64}},
           {{2, 300, 64}, {2, 300}, {2, 300, 64}, {2, 300}},
           keep(ops::AttentionAttributes{-0.125, true})},
          {"queries that stand before all keys",
           Op::attention_with_tangent,
           {{200, 16}, {70, 16}, {70, 33}, {200, 16}, {70, 16}, {70, 33}},
           {{200, 33}, {200}, {200, 33}, {200}},
           keep(ops::AttentionAttributes{0.25, true})},
          {"extents that are no multiples of blocks",
           Op::attention_with_tangent_gradient,
           {{3, 150, 40},
            {3, 203, 40},
            {3, 203, 50},
            {3, 150, 40},
            {3, 203, 40},
            {3, 203, 50},
            {3, 150, 50},
            {3, 150},
            {3, 150, 50},
            {3, 150},
            {3, 150, 50},
            {3, 150, 50}},
           {{3, 150, 40}, {3, 203, 40}, {3, 203, 50}, {3, 150, 40}, {3, 203, 40}, {3, 203, 50}},
           keep(ops::AttentionAttributes{0.15, false})},
          {"keys in several parts, and a negative scale",
           Op::attention_with_tangent_gradient,
           {{300, 40},
            {300, 40},
            {300, 40},
            {300, 40},
            {300, 40},
            {300, 40},
            {300, 40},
            {300},
            {300, 40},
            {300},
            {300, 40},
            {300, 40}},
           {{300, 40}, {300, 40}, {300, 40}, {300, 40}, {300, 40}, {300, 40}},
           keep(ops::AttentionAttributes{-0.125, false})}};
}

/// Memory of the shapes, with a guard after each array.
std::vector<LargeCase> all_large_cases() {
  auto all = large_cases();
  std::ranges::move(large_tangent_cases(), std::back_inserter(all));
  return all;
}

template <class T>
class Arrays {
 public:
  using Wide = WideScalar<T>;

  /// The arrays with the numbers `wide` have elements of wide_dtype.
  Arrays(const std::vector<Shape>& shapes, bool are_inputs, std::vector<std::size_t> wide = {})
      : shapes_(shapes), wide_(std::move(wide)) {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      buffers_.emplace_back(static_cast<std::size_t>(count(i) + guards) *
                            (is_wide(i) ? sizeof(Wide) : sizeof(T)));
      for (std::int64_t k = 0; k < count(i) + guards; ++k) {
        put(i, k,
            !are_inputs || k >= count(i)
                ? guard
                : 4 * ops::uniform_f64(RandomKey(i + 1), static_cast<std::uint64_t>(k)) - 2);
      }
    }
  }

  /// Makes the second operand labels.
  void make_labels() {
    auto* labels = reinterpret_cast<std::int32_t*>(buffers_[1].data());
    for (std::int64_t k = 0; k < count(1); ++k) {
      labels[k] = static_cast<std::int32_t>(k * 7 % 10);
    }
    has_labels_ = true;
  }

  [[nodiscard]] std::vector<ops::View> views() const {
    std::vector<ops::View> all;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      all.emplace_back(buffers_[i].data(), shapes_[i],
                       has_labels_ && i == 1 ? DType::i32
                       : is_wide(i)          ? dtype_of<Wide>
                                             : dtype_of<T>);
    }
    return all;
  }

  [[nodiscard]] std::int64_t count(std::size_t i) const { return shapes_[i].count(); }
  [[nodiscard]] T* data(std::size_t i) const { return elements<T>(i); }
  [[nodiscard]] double at(std::size_t i, std::int64_t k) const {
    return is_wide(i) ? static_cast<double>(elements<Wide>(i)[k]) : static_cast<double>(data(i)[k]);
  }
  void expect_guards() const {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      for (std::int64_t k = count(i); k < count(i) + guards; ++k) {
        ASSERT_EQ(at(i, k), guard) << "written after array " << i;
      }
    }
  }

 private:
  static constexpr std::int64_t guards = 16;
  static constexpr double guard = 12288;  // All types have it.

  template <class E>
  [[nodiscard]] E* elements(std::size_t i) const {
    return reinterpret_cast<E*>(buffers_[i].data());
  }
  [[nodiscard]] bool is_wide(std::size_t i) const {
    return std::ranges::find(wide_, i) != wide_.end();
  }
  void put(std::size_t i, std::int64_t k, double value) {
    if (is_wide(i)) {
      elements<Wide>(i)[k] = static_cast<Wide>(value);
    } else {
      data(i)[k] = static_cast<T>(value);
    }
  }

  const std::vector<Shape>& shapes_;
  std::vector<std::size_t> wide_;
  std::vector<Buffer> buffers_;
  bool has_labels_ = false;
};

/// The operands, or the results, of wide_dtype.
std::vector<std::size_t> wide_arrays(Op op, bool of_operands) {
  switch (op) {
    case Op::attention:
      return of_operands ? std::vector<std::size_t>{} : std::vector<std::size_t>{1};
    case Op::attention_gradient:
      return of_operands ? std::vector<std::size_t>{4} : std::vector<std::size_t>{};
    case Op::attention_with_tangent:
      return of_operands ? std::vector<std::size_t>{} : std::vector<std::size_t>{1, 3};
    case Op::attention_with_tangent_gradient:
      return of_operands ? std::vector<std::size_t>{7, 9} : std::vector<std::size_t>{};
    default:
      return {};
  }
}

template <class T>
void expect_near_reference(const KernelTable& kernels, const LargeCase& one) {
  SCOPED_TRACE(std::string(ops::to_string(one.op)) + ", " + one.why);
  Arrays<T> inputs(one.inputs, true, wide_arrays(one.op, true));
  if (ops::info(one.op).family == ops::Family::CrossEntropy) {
    inputs.make_labels();
  }
  const Arrays<T> expected(one.outputs, false, wide_arrays(one.op, false));
  const Arrays<T> got(one.outputs, false, wide_arrays(one.op, false));
  const auto operands = inputs.views();
  ops::reference_kernel(one.op,
                        dtype_of<T>)(ops::Call(operands, expected.views(), one.attributes.get()));
  kernels.at(one.op, dtype_of<T>).kernel()(ops::Call(operands, got.views(), one.attributes.get()));
  for (std::size_t i = 0; i < one.outputs.size(); ++i) {
    double largest = 1;
    for (std::int64_t k = 0; k < expected.count(i); ++k) {
      const double size = std::abs(expected.at(i, k));
      largest = std::isfinite(size) ? std::max(largest, size) : largest;
    }
    // The reference sums in double; sums of random numbers cancel, so errors are judged by the
    // largest of the results.
    const double roundings = sizeof(T) == 2 ? 1 : 256;  // Those of 16 bits are computed in f32.
    const double tolerance =
        roundings * static_cast<double>(std::numeric_limits<T>::epsilon()) * largest;
    for (std::int64_t k = 0; k < expected.count(i); ++k) {
      if (got.at(i, k) == expected.at(i, k)) {
        continue;  // Infinities have no difference.
      }
      ASSERT_NEAR(got.at(i, k), expected.at(i, k), tolerance)
          << "element " << k << " of result " << i;
    }
  }
  got.expect_guards();
}

TEST(CpuKernels, OfEveryLevelAgreeWithTheReferenceOnLargeArrays) {
  for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
    if (isa > best_isa()) {
      continue;
    }
    SCOPED_TRACE("level " + std::to_string(static_cast<int>(isa)));
    const KernelTable kernels = kernels_of(isa);
    for (const LargeCase& one : all_large_cases()) {
      expect_near_reference<float>(kernels, one);
      expect_near_reference<double>(kernels, one);
    }
  }
}

TEST(CpuKernels, OfWindowsAndProductsOf16BitsAgreeWithTheReferenceOnLargeArrays) {
  for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
    if (isa > best_isa()) {
      continue;
    }
    SCOPED_TRACE("level " + std::to_string(static_cast<int>(isa)));
    const KernelTable kernels = kernels_of(isa);
    for (const LargeCase& one : all_large_cases()) {
      const ops::Family family = ops::info(one.op).family;
      if (family == ops::Family::Convolution || family == ops::Family::Pooling ||
          family == ops::Family::Matmul || family == ops::Family::Attention) {
        expect_near_reference<Half>(kernels, one);
        expect_near_reference<BFloat16>(kernels, one);
      }
    }
  }
}

std::vector<float> computed(const LargeCase& one) {
  const Arrays<float> inputs(one.inputs, true);
  const Arrays<float> outputs(one.outputs, false);
  kernels_of(best_isa())
      .at(one.op, DType::f32)
      .kernel()(ops::Call(inputs.views(), outputs.views(), one.attributes.get()));
  return {outputs.data(0), outputs.data(0) + outputs.count(0)};
}

/// As computed, while the pool is busy: all on this thread.
std::vector<float> computed_alone(const LargeCase& one) {
  std::atomic<bool> is_busy{false};
  std::atomic<bool> may_end{false};
  std::thread holder([&] {
    for_each_chunk(2, [&](std::int64_t) {
      is_busy = true;
      is_busy.notify_all();
      may_end.wait(false);
    });
  });
  is_busy.wait(false);
  std::vector<float> result = computed(one);
  may_end = true;
  may_end.notify_all();
  holder.join();
  return result;
}

TEST(CpuKernels, GiveTheSameBitsOnAnyNumberOfThreads) {
  for (const LargeCase& one : all_large_cases()) {
    if (one.op == Op::sum || one.op == Op::matmul || one.op == Op::convolution_filter_gradient ||
        one.op == Op::batch_norm_training || one.op == Op::batch_norm_training_gradient ||
        one.op == Op::attention || one.op == Op::attention_gradient) {
      SCOPED_TRACE(std::string(ops::to_string(one.op)) + ", " + one.why);
      EXPECT_EQ(computed_alone(one), computed(one));
    }
  }
}

}  // namespace kernels_test
}  // namespace ddx::backend::cpu
