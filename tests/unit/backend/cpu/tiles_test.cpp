// Products, convolutions and attention of bf16 by tiles against the reference kernels. Where the
// processor multiplies no tiles, software does.

#include "backend/cpu/tiles.h"

#include "ddx/core/dtype.h"
#include "ddx/core/float16.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "backend/cpu/pairs.h"
#include "tests/support/convolution_case.h"
#include "tests/support/emulated_tiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace ddx::backend::cpu {
namespace tiles_test {

using ops::Op;
using testing::convolution_ops;
using testing::ConvolutionCase;

class Tiles : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_pairs()) {
      GTEST_SKIP() << "this processor has no AVX-512 with bf16, which the kernels use beside tiles";
    }
    if (!has_tiles()) {
      emulated_.emplace();
    }
  }

 private:
  std::optional<testing::EmulatedTiles> emulated_;
};

Tensor<BFloat16> random(const Shape& shape, std::uint64_t seed) {
  return cast<BFloat16>(random_uniform<float>(RandomKey(seed), shape, {.low = -1, .high = 1}));
}

ops::View view(const Tensor<BFloat16>& of) {
  return {of.elements().data(), of.shape(), DType::bf16};
}

/// Elements in the middle of others, which must stay as they are.
class Guarded {
 public:
  explicit Guarded(const Shape& shape)
      : shape_(shape),
        all_(static_cast<std::size_t>(shape.count() + 2 * guard), BFloat16(untouched)) {}

  [[nodiscard]] ops::View view() { return {all_.data() + guard, shape_, DType::bf16}; }
  [[nodiscard]] std::span<const BFloat16> elements() const {
    return std::span(all_).subspan(guard, static_cast<std::size_t>(shape_.count()));
  }
  void expect_guards() const {
    const auto is_untouched = [](BFloat16 x) { return static_cast<float>(x) == untouched; };
    EXPECT_TRUE(std::all_of(all_.begin(), all_.begin() + guard, is_untouched)) << "written before";
    EXPECT_TRUE(std::all_of(all_.end() - guard, all_.end(), is_untouched)) << "written behind";
  }

 private:
  static constexpr std::ptrdiff_t guard = 96;
  static constexpr float untouched = 77;

  Shape shape_;
  std::vector<BFloat16> all_;
};

/// A result may be the neighbour of what the reference's sum in f32 is rounded to, and sums of
/// terms of order 1 differ by `absolute` at most.
void expect_near(std::span<const BFloat16> got, std::span<const BFloat16> expected,
                 double absolute) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto want = static_cast<double>(expected[i]);
    ASSERT_NEAR(static_cast<double>(got[i]), want, std::abs(want) * 0x1p-7 + absolute)
        << "element " << i;
  }
}

struct ProductCase {
  const char* why;
  Shape a;
  Shape b;
  Shape y;
  ops::MatmulAttributes attributes;
};

/// The results of tiles and of the reference for a product, and whether tiles compute it.
struct Products {
  explicit Products(const ProductCase& one) : got(one.y), expected(one.y) {
    const auto a = random(one.a, 1);
    const auto b = random(one.b, 2);
    const std::array inputs{view(a), view(b)};
    const ops::View own = got.view();
    const ops::View reference = expected.view();
    is_for_tiles = multiply_tiles(ops::Call(inputs, {&own, 1}, &one.attributes));
    ops::reference_kernel(Op::matmul,
                          DType::bf16)(ops::Call(inputs, {&reference, 1}, &one.attributes));
  }

  Guarded got;
  Guarded expected;
  bool is_for_tiles = false;
};

TEST_F(Tiles, MultiplyAsTheReferenceDoes) {
  for (const ProductCase& one : {
           ProductCase{"whole tiles, read in place", {96, 64}, {64, 96}, {96, 96}, {}},
           ProductCase{"rows beyond the last tile", {70, 64}, {64, 32}, {70, 32}, {}},
           ProductCase{"nothing is whole", {45, 71}, {71, 47}, {45, 47}, {}},
           ProductCase{"left transposed", {71, 45}, {71, 47}, {45, 47}, {true, false}},
           ProductCase{"right transposed", {45, 70}, {47, 70}, {45, 47}, {false, true}},
           ProductCase{"both transposed", {70, 45}, {47, 70}, {45, 47}, {true, true}},
           ProductCase{"an inner extent in parts", {40, 1090}, {1090, 40}, {40, 40}, {}},
           ProductCase{"the same, transposed", {1090, 40}, {1090, 40}, {40, 40}, {true, false}},
           ProductCase{"columns in parts", {33, 2048}, {2048, 300}, {33, 300}, {}},
           ProductCase{"few columns", {128, 512}, {512, 10}, {128, 10}, {}},
           ProductCase{"one row", {1, 700}, {700, 130}, {1, 130}, {}},
           ProductCase{"one matrix for a stack", {3, 20, 64}, {64, 40}, {3, 20, 40}, {}},
       }) {
    SCOPED_TRACE(one.why);
    const Products made(one);
    EXPECT_TRUE(made.is_for_tiles);
    expect_near(made.got.elements(), made.expected.elements(), 1e-4);
    made.got.expect_guards();
  }
}

TEST_F(Tiles, LeaveOtherProductsToOthers) {
  for (const ProductCase& one : {
           ProductCase{"a stack", {3, 64, 64}, {3, 64, 64}, {3, 64, 64}, {}},
           ProductCase{
               "words that begin at odd elements", {64, 71}, {64, 71}, {64, 64}, {false, true}},
           ProductCase{"little to do", {8, 8}, {8, 8}, {8, 8}, {}},
           ProductCase{"nothing to sum", {64, 0}, {0, 64}, {64, 64}, {}},
       }) {
    SCOPED_TRACE(one.why);
    EXPECT_FALSE(Products(one).is_for_tiles);
  }
}

struct TilesCase {
  ConvolutionCase of;
  /// Which of the convolution and its gradients for the image and the filter are for tiles.
  std::array<bool, 3> is_for_tiles;
};

const std::vector<TilesCase>& convolutions() {
  static const ops::WindowAttributes three{.size = {3, 3, 1}, .low = {1, 1, 0}, .high = {1, 1, 0}};
  static const ops::WindowAttributes five{.size = {5, 5, 1}, .low = {2, 2, 0}, .high = {2, 2, 0}};
  static const std::vector<TilesCase> all{
      {{"small images", {32, 5, 6, 16}, {3, 3, 16, 16}, {32, 5, 6, 16}, three}, {1, 1, 1}},
      {{"images beyond the last tile", {67, 5, 6, 32}, {3, 3, 32, 48}, {67, 5, 6, 48}, three},
       {1, 1, 1}},
      {{"half a tile of channels", {48, 6, 6, 48}, {3, 3, 48, 32}, {48, 6, 6, 32}, three},
       {1, 1, 0}},
      {{"steps of two, padding behind",
        {96, 6, 6, 48},
        {3, 3, 48, 32},
        {96, 3, 3, 32},
        {.size = {3, 3, 1}, .strides = {2, 2, 1}, .high = {1, 1, 0}}},
       {1, 1, 1}},
      {{"one tap, every other place",
        {64, 12, 12, 64},
        {1, 1, 64, 32},
        {64, 6, 6, 32},
        {.size = {1, 1, 1}, .strides = {2, 2, 1}, .low = {-1, -1, 0}}},
       {1, 0, 1}},
      {{"steps between the taps",
        {32, 9, 8, 16},
        {3, 2, 16, 32},
        {32, 5, 6, 32},
        {.size = {3, 2, 1}, .dilations = {2, 2, 1}}},
       {1, 1, 1}},
      {{"images that windows do not reach",
        {32, 8, 8, 32},
        {3, 3, 32, 32},
        {32, 4, 4, 32},
        {.size = {3, 3, 1}, .low = {-1, -1, 0}, .high = {-1, -1, 0}}},
       {1, 1, 1}},
      {{"in bands", {32, 64, 8, 256}, {3, 3, 256, 16}, {32, 64, 8, 16}, three}, {1, 1, 1}},
      {{"long rows of few channels", {3, 32, 32, 16}, {3, 3, 16, 16}, {3, 32, 32, 16}, three},
       {1, 1, 0}},
      {{"one channel", {32, 28, 28, 1}, {5, 5, 1, 6}, {32, 28, 28, 6}, five}, {1, 1, 1}},
      {{"six channels", {64, 14, 14, 6}, {5, 5, 6, 16}, {64, 10, 10, 16}, {.size = {5, 5, 1}}},
       {1, 1, 1}},
      {{"three channels in steps of two",
        {97, 19, 23, 3},
        {3, 3, 3, 20},
        {97, 9, 11, 20},
        {.size = {3, 3, 1}, .strides = {2, 2, 1}}},
       {1, 0, 1}},
      {{"rows in bands", {2, 90, 120, 16}, {3, 3, 16, 18}, {2, 90, 120, 18}, three}, {1, 1, 0}},
      {{"long windows",
        {32, 9, 30, 16},
        {5, 8, 16, 16},
        {32, 7, 30, 16},
        {.size = {5, 8, 1}, .low = {1, 3, 0}, .high = {1, 4, 0}}},
       {1, 1, 1}},
      {{"signals", {64, 40, 8}, {5, 8, 24}, {64, 36, 24}, {.axes = 1, .size = {5, 1, 1}}},
       {1, 1, 1}},
  };
  return all;
}

void expect_convolution(const ConvolutionCase& one, Op op, bool is_for_tiles) {
  SCOPED_TRACE(std::string(ops::to_string(op)) + ", " + one.why);
  const auto left = random(one.left(op), 1);
  const auto right = random(one.right(op), 2);
  const std::array inputs{view(left), view(right)};
  Guarded got(one.result(op));
  const ops::View own = got.view();
  ASSERT_EQ(convolve_tiles(op, ops::Call(inputs, {&own, 1}, &one.window)), is_for_tiles);
  got.expect_guards();
  if (!is_for_tiles) {
    return;
  }
  Guarded expected(one.result(op));
  const ops::View reference = expected.view();
  ops::reference_kernel(op, DType::bf16)(ops::Call(inputs, {&reference, 1}, &one.window));
  // A gradient of the filter adds up thousands of terms in another order.
  expect_near(got.elements(), expected.elements(), 4e-3);
}

TEST_F(Tiles, ConvolveAsTheReferenceDoesAlsoFromSeveralThreads) {
  const auto all = [] {
    for (const TilesCase& one : convolutions()) {
      for (std::size_t i = 0; i < convolution_ops.size(); ++i) {
        expect_convolution(one.of, convolution_ops[i], one.is_for_tiles[i]);
      }
    }
  };
  std::thread other(all);
  all();
  other.join();
}

TEST_F(Tiles, DoNotMixNeighboursOfAnInfiniteElementIn) {
  // What lies beside a window is multiplied by no zero.
  const ops::WindowAttributes window{.size = {1, 3, 1}};
  for (const std::int64_t channels : {1, 2, 3, 6}) {
    SCOPED_TRACE(channels);
    auto x = random({32, 20, 40, channels}, 1);
    constexpr std::int64_t column = 21;
    for (std::int64_t c = 0; c < channels; ++c) {
      x.mutable_elements()[static_cast<std::size_t>((7 * 40 + column) * channels + c)] =
          BFloat16(std::numeric_limits<float>::infinity());
    }
    const auto filter = random({1, 3, channels, 8}, 2);
    const std::array inputs{view(x), view(filter)};
    Guarded got({32, 20, 38, 8});
    const ops::View own = got.view();
    ASSERT_TRUE(convolve_tiles(Op::convolution, ops::Call(inputs, {&own, 1}, &window)));
    for (std::int64_t place = 0; place < 20 * 38; ++place) {
      const std::int64_t at = place % 38;
      const bool sees_it = place / 38 == 7 && at <= column && at + 2 >= column;
      const auto y = static_cast<float>(got.elements()[static_cast<std::size_t>(place * 8)]);
      EXPECT_EQ(std::isfinite(y), !sees_it) << "place " << place;
    }
  }
}

TEST_F(Tiles, AttendAsPairsDo) {
  struct Case {
    const char* why;
    std::int64_t queries, keys, depth, out;
    bool causal;
  };
  for (const Case& one : {Case{"whole tiles, causal", 128, 128, 32, 32, true},
                          Case{"whole tiles", 128, 256, 64, 64, false},
                          Case{"rows and keys beyond the last tile", 70, 90, 32, 32, true},
                          Case{"depths beyond the last tile", 128, 128, 34, 40, false},
                          Case{"few rows", 33, 200, 64, 18, true},
                          Case{"nothing is whole", 200, 201, 30, 62, false}}) {
    SCOPED_TRACE(one.why);
    const ops::AttentionAttributes attributes{.scale = 0.25, .causal = one.causal};
    const auto q = random({1, 2, one.queries, one.depth}, 1);
    const auto k = random({1, 2, one.keys, one.depth}, 2);
    const auto v = random({1, 2, one.keys, one.out}, 3);
    const auto dy = random({1, 2, one.queries, one.out}, 4);
    const std::array inputs{view(q), view(k), view(v)};
    const Shape rows{1, 2, one.queries};
    const auto count = static_cast<std::size_t>(rows.count());
    const auto attend = [&](auto function, std::vector<float>& log_sums) {
      log_sums.assign(count + 1, 77);
      std::vector<Guarded> made{Guarded({1, 2, one.queries, one.out}), Guarded(q.shape()),
                                Guarded(k.shape()), Guarded(v.shape())};
      const std::array outputs{made[0].view(), ops::View(log_sums.data(), rows, DType::f32)};
      EXPECT_TRUE(function(Op::attention, ops::Call(inputs, outputs, &attributes)));
      const std::array of_gradient{inputs[0],  inputs[1],  inputs[2],
                                   outputs[0], outputs[1], view(dy)};
      const std::array gradients{made[1].view(), made[2].view(), made[3].view()};
      EXPECT_TRUE(function(Op::attention_gradient, ops::Call(of_gradient, gradients, &attributes)));
      return made;
    };
    std::vector<float> expected_sums;
    std::vector<float> sums;
    const std::vector<Guarded> expected = attend(&attend_pairs, expected_sums);
    const std::vector<Guarded> got = attend(&attend_tiles, sums);
    EXPECT_EQ(sums[count], 77) << "written behind";
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_NEAR(sums[i], expected_sums[i], 4e-3) << "log sum " << i;
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
      SCOPED_TRACE(i);
      expect_near(got[i].elements(), expected[i].elements(), 4e-3);
      got[i].expect_guards();
    }
  }
}

}  // namespace tiles_test
}  // namespace ddx::backend::cpu
