// Convolutions, and products of bf16, by oneDNN against the kernels of this library, where the
// system has oneDNN.

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

#include "backend/cpu/onednn/convolution.h"
#include "backend/cpu/onednn/library.h"
#include "backend/cpu/onednn/matmul.h"
#include "backend/cpu/pairs.h"
#include "tests/support/convolution_case.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace ddx::backend::cpu {
namespace onednn_test {

using ops::Op;
using testing::convolution_ops;
using testing::ConvolutionCase;

const std::vector<ConvolutionCase>& convolutions() {
  static const std::vector<ConvolutionCase> all{
      {"chunks of equal size",
       {24, 12, 12, 32},
       {3, 3, 32, 32},
       {24, 12, 12, 32},
       {.size = {3, 3, 1}, .low = {1, 1, 0}, .high = {1, 1, 0}}},
      {"a prime number of images",
       {7, 20, 20, 16},
       {3, 3, 16, 48},
       {7, 20, 20, 48},
       {.size = {3, 3, 1}, .low = {1, 1, 0}, .high = {1, 1, 0}}},
      {"strides that leave out the last row",
       {4, 15, 16, 16},
       {3, 3, 16, 16},
       {4, 7, 7, 16},
       {.size = {3, 3, 1}, .strides = {2, 2, 1}}},
      {"a point for a window",
       {4, 16, 16, 64},
       {1, 1, 64, 16},
       {4, 8, 8, 16},
       {.size = {1, 1, 1}, .strides = {2, 2, 1}}},
      {"more padding at the end",
       {4, 16, 16, 16},
       {3, 3, 16, 16},
       {4, 8, 8, 16},
       {.size = {3, 3, 1}, .strides = {2, 2, 1}, .high = {1, 1, 0}}},
      {"the same steps in both directions, and padding on one side",
       {3, 11, 9, 64},
       {3, 2, 64, 72},
       {3, 9, 9, 72},
       {.size = {3, 2, 1}, .dilations = {2, 1, 1}, .low = {2, 0, 0}, .high = {0, 1, 0}}},
      {"padding after the last window",
       {3, 11, 9, 64},
       {3, 2, 64, 72},
       {3, 9, 10, 72},
       {.size = {3, 2, 1}, .high = {0, 2, 0}}},
      {"no padding", {2, 12, 10, 64}, {5, 3, 64, 65}, {2, 8, 8, 65}, {.size = {5, 3, 1}}},
      {"padding before the first window",
       {2, 6, 7, 64},
       {2, 2, 64, 64},
       {2, 8, 9, 64},
       {.size = {2, 2, 1}, .low = {2, 2, 0}, .high = {1, 1, 0}}},
      {"short rows of many channels",
       {2, 5, 4, 256},
       {2, 3, 256, 272},
       {2, 4, 3, 272},
       {.size = {2, 3, 1}, .low = {0, 1, 0}}},
      {"a signal in steps of one",
       {3, 50, 64},
       {4, 64, 66},
       {3, 49, 66},
       {.axes = 1, .size = {4, 1, 1}, .low = {2, 0, 0}}},
      {"a volume in steps of one",
       {2, 5, 6, 7, 64},
       {3, 2, 3, 64, 65},
       {2, 3, 6, 7, 65},
       {.axes = 3, .size = {3, 2, 3}, .low = {0, 1, 1}, .high = {0, 0, 1}}},
      {"a signal",
       {4, 100, 16},
       {5, 16, 32},
       {4, 48, 32},
       {.axes = 1, .size = {5, 1, 1}, .strides = {2, 1, 1}}},
      {"a volume",
       {3, 6, 7, 8, 5},
       {2, 3, 2, 5, 9},
       {3, 5, 3, 7, 9},
       {.axes = 3, .size = {2, 3, 2}, .strides = {1, 2, 1}}},
      {"steps between the elements",
       {2, 12, 11, 3},
       {3, 2, 3, 4},
       {2, 6, 8, 4},
       {.size = {3, 2, 1}, .dilations = {3, 3, 1}}},
      {"groups",
       {2, 8, 9, 12},
       {3, 3, 4, 18},
       {2, 8, 9, 18},
       {.size = {3, 3, 1}, .low = {1, 1, 0}, .high = {1, 1, 0}, .groups = 3}},
      {"each channel for itself",
       {2, 8, 9, 20},
       {3, 3, 1, 40},
       {2, 3, 4, 40},
       {.size = {3, 3, 1}, .strides = {2, 2, 1}, .groups = 20}},
  };
  return all;
}

Tensor<float> random(const Shape& shape, std::uint64_t seed) {
  return random_uniform<float>(RandomKey(seed), shape, {.low = -1, .high = 1});
}

/// Compares one of the three operations of a case. A bf16 result may be the neighbour of what the
/// reference's sum in f32 is rounded to; sums of terms of order 1 differ by 2e-3 at most.
template <class Scalar>
void expect_near_reference(const ConvolutionCase& one, Op op) {
  constexpr DType dtype = dtype_of<Scalar>;
  SCOPED_TRACE(std::string(ops::to_string(op)) + ", " + one.why);
  const auto left = cast<Scalar>(random(one.left(op), 1));
  const auto right = cast<Scalar>(random(one.right(op), 2));
  const Shape& shape = one.result(op);
  const std::array inputs{ops::View(left.elements().data(), left.shape(), dtype),
                          ops::View(right.elements().data(), right.shape(), dtype)};
  auto expected = zeros<Scalar>(shape);
  auto got = zeros<Scalar>(shape);
  const ops::View reference(expected.mutable_elements().data(), shape, dtype);
  const ops::View own(got.mutable_elements().data(), shape, dtype);
  ops::reference_kernel(op, dtype)(ops::Call(inputs, {&reference, 1}, &one.window));
  ASSERT_TRUE(convolve_by_onednn(op, ops::Call(inputs, {&own, 1}, &one.window)));
  for (std::size_t i = 0; i < got.elements().size(); ++i) {
    const auto want = static_cast<double>(expected.elements()[i]);
    const double rounding = dtype == DType::bf16 ? std::abs(want) * 0x1p-7 : 0;
    ASSERT_NEAR(static_cast<double>(got.elements()[i]), want, rounding + 2e-3) << "element " << i;
  }
}

TEST(OneDnn, ConvolvesAsTheReferenceDoesAlsoFromSeveralThreads) {
  if (onednn() == nullptr) {
    GTEST_SKIP() << "this system has no oneDNN";
  }
  const auto all = [] {
    for (const ConvolutionCase& one : convolutions()) {
      for (const Op op : convolution_ops) {
        expect_near_reference<float>(one, op);
        if (has_pairs()) {
          expect_near_reference<BFloat16>(one, op);
        }
      }
    }
  };
  std::thread other(all);
  all();
  other.join();
}

TEST(OneDnn, LeavesTheThreadsOfOpenMpToTheCaller) {
  if (onednn() == nullptr) {
    GTEST_SKIP() << "this system has no oneDNN";
  }
  onednn()->omp_set_num_threads(3);
  expect_near_reference<float>(convolutions()[0], Op::convolution);
  EXPECT_EQ(onednn()->omp_get_max_threads(), 3);
}

/// How many threads the process has.
std::ptrdiff_t thread_count_of_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

TEST(OneDnn, RunsOnTheThreadsOfThePoolAlone) {
  if (onednn() == nullptr) {
    GTEST_SKIP() << "this system has no oneDNN";
  }
  expect_near_reference<float>(convolutions()[0], Op::convolution);  // The pool has its threads.
  onednn()->omp_set_num_threads(4);
  const auto before = thread_count_of_process();
  // Of shapes that no other test has: what oneDNN decides when it makes a primitive counts, too.
  for (const Op op : convolution_ops) {
    expect_near_reference<float>({"a new shape",
                                  {12, 12, 12, 48},
                                  {3, 3, 48, 32},
                                  {12, 12, 12, 32},
                                  {.size = {3, 3, 1}, .low = {1, 1, 0}, .high = {1, 1, 0}}},
                                 op);
  }
  if (has_pairs()) {  // Else oneDNN has no products of bf16.
    const auto a = cast<BFloat16>(random({512, 256}, 1));
    const auto b = cast<BFloat16>(random({256, 392}, 2));
    auto y = zeros<BFloat16>({512, 392});
    const std::array inputs{ops::View(a.elements().data(), a.shape(), DType::bf16),
                            ops::View(b.elements().data(), b.shape(), DType::bf16)};
    const ops::View output(y.mutable_elements().data(), y.shape(), DType::bf16);
    const ops::MatmulAttributes attributes;
    ASSERT_TRUE(multiply_by_onednn(ops::Call(inputs, {&output, 1}, &attributes)));
  }
  EXPECT_EQ(thread_count_of_process(), before);
}

TEST(OneDnn, IsAskedOnlyForConvolutionsThatAreWorthIt) {
  const auto is_asked = [](const Shape& x, const Shape& filter, const Shape& y,
                           DType dtype = DType::f32) {
    const ops::WindowAttributes window{.size = {filter[0], filter[1], 1}};
    const std::array inputs{ops::View(nullptr, x, dtype), ops::View(nullptr, filter, dtype)};
    const ops::View output(nullptr, y, dtype);
    return onednn_is_faster(Op::convolution, ops::Call(inputs, {&output, 1}, &window));
  };
  EXPECT_TRUE(is_asked({32, 16, 16, 32}, {3, 3, 32, 32}, {32, 14, 14, 32}));
  EXPECT_FALSE(is_asked({128, 14, 14, 6}, {5, 5, 6, 16}, {128, 10, 10, 16})) << "few channels in";
  EXPECT_FALSE(is_asked({128, 32, 32, 16}, {3, 3, 16, 6}, {128, 30, 30, 6})) << "few channels out";
  EXPECT_FALSE(is_asked({1, 4, 4, 32}, {3, 3, 32, 32}, {1, 2, 2, 32})) << "little work";
  EXPECT_TRUE(is_asked({32, 16, 16, 32}, {3, 3, 32, 32}, {32, 14, 14, 32}, DType::bf16));
}

TEST(OneDnn, MultipliesBFloat16AsTheReferenceDoes) {
  if (onednn() == nullptr) {
    GTEST_SKIP() << "this system has no oneDNN";
  }
  if (!has_pairs()) {
    GTEST_SKIP() << "this processor does not multiply bf16";
  }
  struct Product {
    const char* why;
    Shape a, b, y;
    ops::MatmulAttributes attributes;
  };
  for (const Product& one :
       {Product{"rows and columns in parts", {512, 256}, {256, 512}, {512, 512}, {}},
        Product{"both transposed, in parts", {256, 512}, {512, 256}, {512, 512}, {true, true}},
        Product{"rows in parts", {512, 256}, {256, 130}, {512, 130}, {}},
        Product{
            "left transposed, columns in parts", {512, 96}, {512, 768}, {96, 768}, {true, false}},
        Product{"a stack in parts", {2, 64, 512}, {2, 512, 512}, {2, 64, 512}, {}},
        Product{"right transposed", {70, 65}, {130, 65}, {70, 130}, {false, true}},
        Product{"both transposed", {65, 70}, {130, 65}, {70, 130}, {true, true}},
        Product{"a stack", {3, 20, 30}, {3, 30, 40}, {3, 20, 40}, {}},
        Product{"one matrix for a stack", {3, 20, 30}, {30, 40}, {3, 20, 40}, {}},
        Product{"a stack for one matrix", {20, 30}, {3, 40, 30}, {3, 20, 40}, {false, true}},
        Product{"one row", {1, 300}, {300, 17}, {1, 17}, {}}}) {
    SCOPED_TRACE(one.why);
    const auto a = cast<BFloat16>(random(one.a, 1));
    const auto b = cast<BFloat16>(random(one.b, 2));
    const std::array inputs{ops::View(a.elements().data(), a.shape(), DType::bf16),
                            ops::View(b.elements().data(), b.shape(), DType::bf16)};
    auto expected = zeros<BFloat16>(one.y);
    auto got = zeros<BFloat16>(one.y);
    const ops::View reference(expected.mutable_elements().data(), one.y, DType::bf16);
    const ops::View own(got.mutable_elements().data(), one.y, DType::bf16);
    ops::reference_kernel(Op::matmul,
                          DType::bf16)(ops::Call(inputs, {&reference, 1}, &one.attributes));
    ASSERT_TRUE(multiply_by_onednn(ops::Call(inputs, {&own, 1}, &one.attributes)));
    for (std::size_t i = 0; i < got.count(); ++i) {
      const auto want = static_cast<double>(expected.elements()[i]);
      ASSERT_NEAR(static_cast<double>(got.elements()[i]), want, std::abs(want) * 0x1p-7 + 1e-4)
          << "element " << i;
    }
  }
}

}  // namespace onednn_test
}  // namespace ddx::backend::cpu
