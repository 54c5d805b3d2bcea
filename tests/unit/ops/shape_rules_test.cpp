// The shape rules of all families: what they resolve. Their errors are tested through the functions
// of ddx/tensor, which add the caller's line.

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attention.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/axes.h"
#include "ddx/ops/cumulative.h"
#include "ddx/ops/elementwise.h"
#include "ddx/ops/indexing.h"
#include "ddx/ops/matmul.h"
#include "ddx/ops/movement.h"
#include "ddx/ops/normalization.h"
#include "ddx/ops/op.h"
#include "ddx/ops/quantized.h"
#include "ddx/ops/reduction.h"
#include "ddx/ops/resampling.h"
#include "ddx/ops/site.h"
#include "ddx/ops/softmax.h"
#include "ddx/ops/sorting.h"
#include "ddx/ops/window.h"

#include "tests/support/thrown.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <source_location>
#include <vector>

namespace ddx::ops {
namespace shape_rules_test {

const Site site{"test"};

TEST(Site, FailsWithOperationFactsAndLine) {
  EXPECT_EQ(testing::thrown<UsageError>([] { site.fail("facts"); }), "test: facts");
  const Site here{"test", std::source_location::current()};
  EXPECT_EQ(testing::thrown<UsageError>([&] { here.fail("facts"); }), "test: facts (here)");
}

TEST(References, AnswerOnlyForTheirFamilies) {
  EXPECT_EQ(elementwise_reference(Op::matmul, DType::f32), nullptr);
  EXPECT_EQ(movement_reference(Op::add, DType::f32), nullptr);
  EXPECT_EQ(indexing_reference(Op::add, DType::f32), nullptr);
  EXPECT_EQ(reduction_reference(Op::add, DType::f32), nullptr);
  EXPECT_EQ(matmul_reference(Op::add, DType::f32), nullptr);
  EXPECT_EQ(convolution_reference(Op::avg_pool, DType::f32), nullptr);
  EXPECT_EQ(pooling_reference(Op::convolution, DType::f32), nullptr);
  EXPECT_EQ(morphology_reference(Op::max_pool, DType::f32), nullptr);
  EXPECT_EQ(resampling_reference(Op::convolution, DType::f32), nullptr);
  EXPECT_EQ(normalization_reference(Op::add, DType::f32), nullptr);
  EXPECT_EQ(softmax_reference(Op::add, DType::f32), nullptr);
  EXPECT_EQ(sorting_reference(Op::add, DType::f32), nullptr);
  EXPECT_EQ(attention_reference(Op::softmax, DType::f32), nullptr);
  EXPECT_EQ(attention_reference(Op::attention, DType::i32), nullptr);
  EXPECT_EQ(quantized_reference(Op::matmul, DType::f32), nullptr);
  EXPECT_EQ(quantized_reference(Op::quantized_matmul, DType::f16), nullptr);
}

TEST(ShapeRules, OfQuantizedProductsCountGroups) {
  EXPECT_EQ(quantized_matmul_shape(site, {2, 5, 40}, {7, 64}, {7, 2}, {8}), (Shape{2, 5, 7}));
  EXPECT_EQ(quantized_matmul_shape(site, {64}, {7, 32}, {7, 2}, {4}), (Shape{7}));
  const auto fault = [](const Shape& x, const Shape& numbers, std::int64_t bits) {
    return testing::thrown<UsageError>(
        [&] { (void)quantized_matmul_shape(site, x, numbers, {7, 2}, {bits}); });
  };
  EXPECT_EQ(fault({40}, {7, 64}, 5), "test: 5 bits, only 8 and 4 are supported");
  EXPECT_EQ(fault({40}, {7, 64}, 4),
            "test: numbers [7, 64] and scales [7, 2] are not [rows, groups 16] and [rows, groups]");
  EXPECT_EQ(fault({65}, {7, 64}, 8),
            "test: x [65] and w of 2 groups of 32 columns differ in their last extents");
}

TEST(ShapeRules, OfMovementResolveBoundsAndOrders) {
  const auto box = slice_shape(site, {10, 6}, {-4, 0}, {9, -1}, {2, 1});
  EXPECT_EQ(box.shape, (Shape{2, 5}));
  EXPECT_EQ(box.attributes.start[0], 6);
  EXPECT_EQ(box.attributes.step[0], 2);
  const auto turned = transpose_shape(site, {2, 3, 4}, {-1, 0, 1});
  EXPECT_EQ(turned.shape, (Shape{4, 2, 3}));
  EXPECT_EQ(turned.attributes.order[0], 2U);
  EXPECT_EQ(pad_shape(site, {2, 3}, {1, 0}, {2, 4}, {}).shape, (Shape{5, 7}));
  EXPECT_EQ(reshape_shape(site, {0, 3}, {-1, 3}), (Shape{0, 3}));
  const Shape a{2, 3};
  const Shape b{2, 5};
  const auto joined = concatenate_shape(site, std::vector{&a, &b}, -1);
  EXPECT_EQ(joined.shape, (Shape{2, 8}));
  EXPECT_EQ(joined.attributes.axis, 1U);
}

TEST(ShapeRules, OfAxesAndBoxes) {
  EXPECT_EQ(axis_bits(site, {2, 3, 4}, {}), 0b111U);
  EXPECT_EQ(axis_bits(site, {2, 3, 4}, {0, -1}), 0b101U);
  EXPECT_EQ(inserted_axis(site, {2, 3}, 0), (Shape{1, 2, 3}));
  EXPECT_EQ(inserted_axis(site, {2, 3}, -1), (Shape{2, 3, 1}));
  EXPECT_EQ(along_axis(site, {2, 5}, {2, 9}, -1).axis, 1U);
  EXPECT_EQ(updated_box(site, {4, 5}, {5}, {1, 0}, {3, 5}, {}).shape, (Shape{2, 5}));
}

TEST(ShapeRules, OfIndexingReplaceOrAddAxes) {
  EXPECT_EQ(gather_shape(site, {5, 6, 7}, {2, 3}, 1).shape, (Shape{5, 2, 3, 7}));
  EXPECT_EQ(one_hot_shape(site, {4}, 10), (Shape{4, 10}));
  EXPECT_NO_THROW(check_indices(site, "index", std::array<std::int32_t, 2>{0, 4}, 5));
}

TEST(ShapeRules, OfReductionsDropOrKeepAxes) {
  const auto some = reduction_shape(site, Op::sum, {2, 3, 4}, {0, -1}, false);
  EXPECT_EQ(some.shape, (Shape{3}));
  EXPECT_EQ(some.attributes.axes, 0b101U);
  EXPECT_EQ(reduction_shape(site, Op::sum, {2, 3, 4}, {}, true).shape, (Shape{1, 1, 1}));
  EXPECT_EQ(arg_reduction_shape(site, {2, 3, 4}, 1).shape, (Shape{2, 4}));
}

TEST(ShapeRules, OfRecurrencesWantEqualShapes) {
  EXPECT_EQ(recurrence_shape(site, {2, 3}, {2, 3}), (Shape{2, 3}));
  EXPECT_EQ(testing::thrown<UsageError>([] { (void)recurrence_shape(site, {2, 3}, {3}); }),
            "test: factors and terms differ in shape; shapes [2, 3] and [3]");
}

TEST(ShapeRules, OfProductsSeeThroughTransposition) {
  const MatmulAttributes both{.transpose_left = true, .transpose_right = true};
  EXPECT_EQ(matmul_shape(site, {7, 4, 3}, {5, 4}, both), (Shape{7, 3, 5}));
  const auto e = matmul_extents({7, 4, 3}, {5, 4}, both);
  EXPECT_EQ(e.stack, 7);
  EXPECT_EQ(e.rows, 3);
  EXPECT_EQ(e.inner, 4);
  EXPECT_EQ(e.columns, 5);
  EXPECT_TRUE(e.stacked_left);
  EXPECT_FALSE(e.stacked_right);
}

TEST(ShapeRules, OfWindowsCountPlaces) {
  const WindowAttributes w{.size = {3, 2, 1}, .strides = {2, 1, 1}, .low = {1, 0, 0}};
  EXPECT_EQ(convolution_shape(site, {8, 10, 6, 3}, {3, 2, 3, 5}, w), (Shape{8, 5, 5, 5}));
  EXPECT_EQ(pool_shape(site, {8, 10, 6, 3}, w), (Shape{8, 5, 5, 3}));
  EXPECT_EQ(morphology_shape(site, {8, 10, 6, 3}, {3, 2, 3}, w), (Shape{8, 5, 5, 3}));
  const WindowAttributes apart{.axes = 3, .size = {2, 2, 2}, .dilations = {1, 2, 3}, .groups = 2};
  EXPECT_EQ(convolution_shape(site, {8, 5, 5, 5, 6}, {2, 2, 2, 3, 4}, apart),
            (Shape{8, 4, 3, 2, 4}));
}

TEST(ShapeRules, OfChannelsAndRows) {
  const Shape three{3};
  EXPECT_EQ(channel_shape(site, {4, 5, 3}, {&three}), three);
  EXPECT_EQ(cross_entropy_shape(site, {4, 10}, {4}), (Shape{4}));
}

}  // namespace shape_rules_test
}  // namespace ddx::ops
