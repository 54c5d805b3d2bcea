#include "backend/cpu/float16.h"

#include "ddx/backend/kernel_table.h"
#include "ddx/core/dtype.h"
#include "ddx/core/float16.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/table.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <vector>

namespace ddx::backend::cpu {
namespace float16_test {

using ops::Op;

template <class T>
ops::View view_of(const std::vector<T>& elements, const Shape& shape) {
  return {elements.data(), shape, dtype_of<T>};
}

template <class T>
Shape shape_of(const std::vector<T>& elements) {
  return Shape{static_cast<Shape::Extent>(elements.size())};
}

/// Each number of the type, and those around the middle between it and the next one.
template <class T>
std::vector<float> numbers_around() {
  // The ends of what is finite in f16 and in bf16.
  std::vector<float> numbers = {65520, 65519.996F, 0x1.FEFFFEp127F, 0x1.FFp127F};
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto number = static_cast<float>(T::from_bits(static_cast<std::uint16_t>(bits)));
    numbers.push_back(number);
    if ((bits & 0x7FFFU) < T::infinity_bits) {
      const auto next = static_cast<float>(T::from_bits(static_cast<std::uint16_t>(bits + 1)));
      const float middle = std::isfinite(next) ? number + (next - number) / 2 : number * 1.002F;
      for (const float end : {0.0F, std::copysign(INFINITY, middle)}) {
        numbers.push_back(std::nextafter(middle, end));
      }
      numbers.push_back(middle);
    }
  }
  return numbers;
}

template <class T>
void expect_conversions(const KernelTable& kernels) {
  const ops::NoAttributes none;
  const std::vector<float> x = numbers_around<T>();
  std::vector<T> narrow(x.size());
  std::vector<float> wide(x.size());
  const Shape shape = shape_of(x);
  const std::array views{view_of(x, shape), view_of(narrow, shape), view_of(wide, shape)};
  kernels.at(Op::cast, DType::f32).kernel()(ops::Call({&views[0], 1}, {&views[1], 1}, &none));
  kernels.at(Op::cast, dtype_of<T>).kernel()(ops::Call({&views[1], 1}, {&views[2], 1}, &none));
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(narrow[i].bits(), T(x[i]).bits()) << x[i];
    const auto back = static_cast<float>(narrow[i]);
    ASSERT_TRUE(wide[i] == back || (std::isnan(wide[i]) && std::isnan(back))) << x[i];
    ASSERT_EQ(std::signbit(wide[i]), std::signbit(back)) << x[i];
  }
}

/// Calls check(kernels) for each instruction set that the processor has.
template <class Check>
void for_each_isa(const Check& check) {
  for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
    if (isa <= best_isa()) {
      SCOPED_TRACE(static_cast<int>(isa));
      check(kernels_of(isa));
    }
  }
}

TEST(CpuFloat16, EveryLevelConvertsAsTheTypesDo) {
  for_each_isa([](const KernelTable& kernels) {
    expect_conversions<Half>(kernels);
    expect_conversions<BFloat16>(kernels);
  });
}

/// An operation where one is a number or both are arrays, against the reference.
void expect_reference(Op op, const KernelTable& kernels, std::size_t size, bool number_left,
                      bool in_place) {
  std::vector<BFloat16> a(number_left ? 1 : size);
  std::vector<BFloat16> b(size);
  for (std::size_t i = 0; i < size; ++i) {
    a[number_left ? 0 : i] = static_cast<double>(i % 251) / 7;
    b[i] = static_cast<double>(i % 83) - 40.5;
  }
  const Shape shape_a = number_left ? Shape{1, 1} : shape_of(a);
  const Shape shape = number_left ? Shape{1, static_cast<Shape::Extent>(size)} : shape_of(b);
  std::vector<BFloat16> expected(size);
  std::vector<BFloat16> got(size);
  const ops::NoAttributes none;
  const std::array inputs{view_of(a, shape_a), view_of(b, shape)};
  const ops::View reference = view_of(expected, shape);
  const ops::View own = in_place ? inputs[1] : view_of(got, shape);
  ops::reference_kernel(op, DType::bf16)(ops::Call(inputs, {&reference, 1}, &none));
  kernels.at(op, DType::bf16).kernel()(ops::Call(inputs, {&own, 1}, &none));
  EXPECT_TRUE((in_place ? b : got) == expected);
}

TEST(CpuFloat16, BlocksMeetWithoutGapOrOverlap) {
  const KernelTable kernels = kernels_of(best_isa());
  for (const std::size_t size : {0U, 1U, 7U, 4095U, 4096U, 4097U, 8192U, 70001U}) {
    for (const bool number_left : {false, true}) {
      for (const bool in_place : {false, true}) {
        SCOPED_TRACE(size);
        expect_reference(Op::sub, kernels, size, number_left, in_place);
        expect_reference(Op::remainder, kernels, size, number_left, in_place);
      }
    }
  }
}

/// Whether a result has statistics, in f32.
bool is_wide(Op op, std::size_t result) {
  return result > 0 && (op == Op::batch_norm_training || op == Op::layer_norm);
}

/// What a kernel makes of 16-bit operands, by bits; all NaN are one.
template <class T>
std::vector<std::uint32_t> bits_of(Op op, ops::Kernel kernel, std::span<const ops::View> inputs,
                                   std::span<const Shape> results, const void* attributes) {
  std::vector<std::vector<T>> narrow(results.size());
  std::vector<std::vector<float>> wide(results.size());
  std::vector<ops::View> outputs;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto count = static_cast<std::size_t>(results[i].count());
    narrow[i].resize(count);
    wide[i].resize(count);
    outputs.push_back(is_wide(op, i) ? view_of(wide[i], results[i])
                                     : view_of(narrow[i], results[i]));
  }
  kernel(ops::Call(inputs, outputs, attributes));
  std::vector<std::uint32_t> bits;
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (std::size_t at = 0; at < narrow[i].size(); ++at) {
      const bool is_nan =
          std::isnan(is_wide(op, i) ? wide[i][at] : static_cast<float>(narrow[i][at]));
      const std::uint32_t own =
          is_wide(op, i) ? std::bit_cast<std::uint32_t>(wide[i][at]) : narrow[i][at].bits();
      bits.push_back(is_nan ? ~std::uint32_t{0} : own);
    }
  }
  return bits;
}

/// Compares a kernel for 16-bit elements with the one for f32 between two conversions.
template <class T>
void expect_as_between_conversions(Op op, const KernelTable& kernels,
                                   std::span<const ops::View> inputs,
                                   std::span<const Shape> results, const void* attributes) {
  static const KernelTable* table = nullptr;
  static Op wide_op{};
  table = &kernels;
  wide_op = op;
  const ops::Kernel apart = [](const ops::Call& call) noexcept {
    constexpr DType dtype = dtype_of<T>;
    const auto of = [](Op one, DType key) { return table->at(one, key).kernel(); };
    compute_in_f32(wide_op,
                   {.narrow = dtype,
                    .wide = DType::f32,
                    .widen = of(Op::cast, dtype),
                    .operation = of(wide_op, DType::f32),
                    .round = of(Op::cast, DType::f32)},
                   call);
  };
  EXPECT_EQ(bits_of<T>(op, kernels.at(op, dtype_of<T>).kernel(), inputs, results, attributes),
            bits_of<T>(op, apart, inputs, results, attributes))
      << ops::to_string(op);
}

template <class T>
void expect_all_as_between_conversions(const KernelTable& kernels) {
  const std::vector<float> numbers = numbers_around<T>();
  std::vector<T> a(numbers.begin(), numbers.end());
  std::vector<T> b(a.rbegin(), a.rend());
  std::vector<T> row(a.begin() + 100, a.begin() + 107);
  const Shape shape = shape_of(a);
  const std::array both{view_of(a, shape), view_of(b, shape)};
  const ops::NoAttributes none;
  for (const Op op : {Op::neg, Op::abs, Op::square, Op::relu, Op::sqrt}) {
    expect_as_between_conversions<T>(op, kernels, std::span(both).first(1), {&shape, 1}, &none);
  }
  const Shape rows{static_cast<Shape::Extent>(a.size() / row.size()), 7};
  const Shape of_row{7};
  const std::array with_row{view_of(a, rows), view_of(row, of_row)};
  for (const Op op : {Op::add, Op::sub, Op::mul, Op::squared_difference, Op::maximum, Op::minimum,
                      Op::div, Op::relu_gradient}) {
    expect_as_between_conversions<T>(op, kernels, both, {&shape, 1}, &none);
    expect_as_between_conversions<T>(op, kernels, with_row, {&rows, 1}, &none);
  }
  const ops::ScaleAttributes scale{.scale = -0.3};
  expect_as_between_conversions<T>(Op::add_scaled, kernels, both, {&shape, 1}, &scale);
}

template <class T>
std::vector<T> waves(std::int64_t count, double step) {
  std::vector<T> numbers;
  for (std::int64_t i = 0; i < count; ++i) {
    numbers.push_back(
        static_cast<T>(static_cast<float>(2 * std::sin(step * static_cast<double>(i)) + 0.5)));
  }
  return numbers;
}

template <class T>
void expect_normalization_as_between_conversions(const KernelTable& kernels) {
  for (const std::int64_t channels : {1, 5, 16, 64, 100}) {
    constexpr std::int64_t count = 75;
    auto x = waves<T>(count * channels, 0.7);
    auto dy = waves<T>(count * channels, 1.3);
    auto scale = waves<T>(channels, 0.2);
    auto offset = waves<T>(channels, 0.4);
    auto mean = waves<float>(channels, 0.6);
    std::vector<float> variance(static_cast<std::size_t>(channels), 0.75F);
    const Shape images{5, 15, channels};
    const Shape row{channels};
    const ops::EpsilonAttributes epsilon{.epsilon = 1e-3};
    const std::array inference{view_of(x, images), view_of(scale, row), view_of(offset, row),
                               view_of(mean, row), view_of(variance, row)};
    const std::array gradient{view_of(x, images), view_of(scale, row), view_of(mean, row),
                              view_of(variance, row), view_of(dy, images)};
    const std::array results{images, row, row};
    expect_as_between_conversions<T>(Op::batch_norm_training, kernels,
                                     std::span(inference).first(3), results, &epsilon);
    expect_as_between_conversions<T>(Op::batch_norm_inference, kernels, inference,
                                     std::span(results).first(1), &epsilon);
    expect_as_between_conversions<T>(Op::batch_norm_training_gradient, kernels, gradient, results,
                                     &epsilon);
  }
}

template <class T>
void expect_layers_as_between_conversions(const KernelTable& kernels) {
  for (const std::int64_t features : {1, 5, 16, 100, 300}) {
    // So many rows that there are several chunks of the longer ones.
    constexpr std::int64_t count = 700;
    auto x = waves<T>(count * features, 0.7);
    auto dy = waves<T>(count * features, 1.3);
    auto scale = waves<T>(features, 0.2);
    auto offset = waves<T>(features, 0.4);
    auto means = waves<float>(count, 0.6);
    std::vector<float> variances(static_cast<std::size_t>(count), 0.75F);
    const Shape all{7, 100, features};
    const Shape rows{7, 100};
    const Shape row{features};
    const ops::EpsilonAttributes epsilon{.epsilon = 1e-3};
    const std::array operands{view_of(x, all), view_of(scale, row), view_of(offset, row)};
    const std::array gradient{view_of(x, all), view_of(scale, row), view_of(means, rows),
                              view_of(variances, rows), view_of(dy, all)};
    expect_as_between_conversions<T>(Op::layer_norm, kernels, operands, std::array{all, rows, rows},
                                     &epsilon);
    expect_as_between_conversions<T>(Op::layer_norm_gradient, kernels, gradient,
                                     std::array{all, row, row}, &epsilon);
  }
}

template <class T>
void expect_sums_as_between_conversions(const KernelTable& kernels) {
  // Sums of chunks, of several blocks, of neighbouring axes and of others.
  struct Reduced {
    Shape x;
    std::uint32_t axes;  ///< A bit for each.
    Shape y;
  };
  for (const Reduced& one :
       {Reduced{{150000}, 0b1, {1}}, Reduced{{3, 5001}, 0b10, {3, 1}},
        Reduced{{3000, 70}, 0b1, {1, 70}}, Reduced{{700, 6}, 0b1, {1, 6}},
        Reduced{{4, 90, 33}, 0b10, {4, 1, 33}}, Reduced{{4, 90, 33}, 0b101, {1, 90, 1}}}) {
    auto x = waves<T>(one.x.count(), 0.7);
    const std::array operand{view_of(x, one.x)};
    const ops::ReductionAttributes attributes{.axes = one.axes, .keep_dims = true};
    for (const Op op : {Op::sum, Op::mean}) {
      expect_as_between_conversions<T>(op, kernels, operand, {&one.y, 1}, &attributes);
    }
  }
}

TEST(CpuFloat16, OneLoopComputesWhatConversionsAroundF32Do) {
  for_each_isa([](const KernelTable& kernels) {
    expect_all_as_between_conversions<Half>(kernels);
    expect_all_as_between_conversions<BFloat16>(kernels);
    expect_normalization_as_between_conversions<Half>(kernels);
    expect_normalization_as_between_conversions<BFloat16>(kernels);
    expect_layers_as_between_conversions<Half>(kernels);
    expect_layers_as_between_conversions<BFloat16>(kernels);
    expect_sums_as_between_conversions<Half>(kernels);
    expect_sums_as_between_conversions<BFloat16>(kernels);
  });
}

TEST(CpuFloat16, WhatIsOnlyMovedOrOrderedIsNotWidened) {
  EXPECT_TRUE(is_computed_in_f32(ops::info(Op::exp)));
  EXPECT_TRUE(is_computed_in_f32(ops::info(Op::gather_gradient)));
  EXPECT_FALSE(is_computed_in_f32(ops::info(Op::gather)));
  EXPECT_FALSE(is_computed_in_f32(ops::info(Op::argsort)));
  EXPECT_FALSE(is_computed_in_f32(ops::info(Op::bitwise_and)));
}

}  // namespace float16_test
}  // namespace ddx::backend::cpu
