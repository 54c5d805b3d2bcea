#include "backend/cpu/float16.h"

#include "ddx/backend/kernel_table.h"
#include "ddx/core/dtype.h"
#include "ddx/core/float16.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/level.h"
#include "backend/cpu/table.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::backend::cpu {
namespace {

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

TEST(CpuFloat16, EveryLevelConvertsAsTheTypesDo) {
  for (const Level level : {Level::Baseline, Level::Avx2, Level::Avx512}) {
    if (level <= best_level()) {
      SCOPED_TRACE(static_cast<int>(level));
      const KernelTable kernels = kernels_of(level);
      expect_conversions<Half>(kernels);
      expect_conversions<BFloat16>(kernels);
    }
  }
}

/// a - b where one is a number or both are arrays, against the reference.
void expect_difference(const KernelTable& kernels, std::size_t size, bool number_left,
                       bool in_place) {
  std::vector<BFloat16> a(number_left ? 1 : size);
  std::vector<BFloat16> b(size);
  for (std::size_t i = 0; i < size; ++i) {
    a[number_left ? 0 : i] = static_cast<double>(i % 251) / 7;
    b[i] = static_cast<double>(i % 83) - 40;
  }
  const Shape shape_a = number_left ? Shape{1, 1} : shape_of(a);
  const Shape shape = number_left ? Shape{1, static_cast<Shape::Extent>(size)} : shape_of(b);
  std::vector<BFloat16> expected(size);
  std::vector<BFloat16> got(size);
  const ops::NoAttributes none;
  const std::array inputs{view_of(a, shape_a), view_of(b, shape)};
  const ops::View reference = view_of(expected, shape);
  const ops::View own = in_place ? inputs[1] : view_of(got, shape);
  ops::reference_kernel(Op::sub, DType::bf16)(ops::Call(inputs, {&reference, 1}, &none));
  kernels.at(Op::sub, DType::bf16).kernel()(ops::Call(inputs, {&own, 1}, &none));
  EXPECT_TRUE((in_place ? b : got) == expected);
}

TEST(CpuFloat16, BlocksMeetWithoutGapOrOverlap) {
  const KernelTable kernels = kernels_of(best_level());
  for (const std::size_t size : {0U, 1U, 7U, 4095U, 4096U, 4097U, 8192U, 70001U}) {
    for (const bool number_left : {false, true}) {
      for (const bool in_place : {false, true}) {
        SCOPED_TRACE(size);
        expect_difference(kernels, size, number_left, in_place);
      }
    }
  }
}

TEST(CpuFloat16, WhatIsOnlyMovedOrOrderedIsNotWidened) {
  EXPECT_TRUE(is_computed_in_f32(ops::info(Op::exp)));
  EXPECT_TRUE(is_computed_in_f32(ops::info(Op::gather_gradient)));
  EXPECT_FALSE(is_computed_in_f32(ops::info(Op::gather)));
  EXPECT_FALSE(is_computed_in_f32(ops::info(Op::argsort)));
  EXPECT_FALSE(is_computed_in_f32(ops::info(Op::bitwise_and)));
}

}  // namespace
}  // namespace ddx::backend::cpu
