// The elementary functions of float, on every instruction set that this processor has, against
// those of double: how many units in the last place they are off.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/level.h"
#include "backend/cpu/table.h"

#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ddx::backend::cpu {
namespace {

using ops::Op;

struct Accuracy {
  Op op;
  double (*exact)(double);
  float low;
  float high;
  double units;  ///< What src/backend/cpu/kernels/math.inc promises.
};

const Accuracy accuracies[] = {
    {Op::exp, [](double x) { return std::exp(x); }, -87, 88.7F, 2},
    {Op::exp2, [](double x) { return std::exp2(x); }, -126, 127.9F, 2},
    {Op::log, [](double x) { return std::log(x); }, 1e-40F, 1e38F, 2},
    {Op::log, [](double x) { return std::log(x); }, 0.5F, 2, 2},
    {Op::log2, [](double x) { return std::log2(x); }, 1e-40F, 1e38F, 3},
    {Op::log2, [](double x) { return std::log2(x); }, 0.5F, 2, 3},
    {Op::log10, [](double x) { return std::log10(x); }, 1e-40F, 1e38F, 3},
    {Op::log10, [](double x) { return std::log10(x); }, 0.5F, 2, 3},
    {Op::tanh, [](double x) { return std::tanh(x); }, -12, 12, 3},
    {Op::sinh, [](double x) { return std::sinh(x); }, -89.4F, 89.4F, 6},
    {Op::sinh, [](double x) { return std::sinh(x); }, -2, 2, 6},
    {Op::cosh, [](double x) { return std::cosh(x); }, -89.4F, 89.4F, 6},
    {Op::expm1, [](double x) { return std::expm1(x); }, -30, 88.7F, 3},
    {Op::expm1, [](double x) { return std::expm1(x); }, -1e-3F, 1e-3F, 3},
    {Op::log1p, [](double x) { return std::log1p(x); }, -0.99F, 2, 4},
    {Op::log1p, [](double x) { return std::log1p(x); }, 1e-40F, 1e38F, 4},
    {Op::sin, [](double x) { return std::sin(x); }, -10, 10, 2},
    {Op::sin, [](double x) { return std::sin(x); }, -1e6F, 1e6F, 2},
    {Op::sin, [](double x) { return std::sin(x); }, -1e30F, 1e30F, 2},
    {Op::cos, [](double x) { return std::cos(x); }, -10, 10, 2},
    {Op::cos, [](double x) { return std::cos(x); }, -1e6F, 1e6F, 2},
    {Op::tan, [](double x) { return std::tan(x); }, -10, 10, 4},
    {Op::erf, [](double x) { return std::erf(x); }, -5, 5, 3},
    {Op::erfc, [](double x) { return std::erfc(x); }, -5, 9, 10},
};

constexpr std::size_t count = 100003;

/// Numbers from low to high: evenly spaced, or by their exponents where both are positive and far
/// apart.
std::vector<float> grid(const Accuracy& one) {
  std::vector<float> x(count);
  const bool by_exponent = one.low > 0 && one.high > 1e6F * one.low;
  for (std::size_t i = 0; i < count; ++i) {
    const double part = static_cast<double>(i) / (count - 1);
    const double low = one.low;
    const double high = one.high;
    x[i] = static_cast<float>(by_exponent ? low * std::pow(high / low, part)
                                          : low + (high - low) * part);
  }
  return x;
}

/// The distance in units of the last place of the float next to `exact`.
double units_between(float got, double exact) {
  const float next = std::abs(static_cast<float>(exact));
  const double unit =
      next < std::numeric_limits<float>::max()
          ? static_cast<double>(std::nextafter(next, std::numeric_limits<float>::max())) - next
          : std::ldexp(1.0, 104);
  return std::abs(got - exact) / unit;
}

TEST(CpuMath, IsAsAccurateAsItPromises) {
  const Shape shape{static_cast<Shape::Extent>(count)};
  for (const Level level : {Level::Baseline, Level::Avx2, Level::Avx512}) {
    if (level > best_level()) {
      continue;
    }
    const KernelTable kernels = kernels_of(level);
    for (const Accuracy& one : accuracies) {
      const std::vector<float> x = grid(one);
      std::vector<float> y(count);
      const ops::View input(x.data(), shape, DType::f32);
      const ops::View output(y.data(), shape, DType::f32);
      const ops::NoAttributes attributes;
      kernels.at(one.op, DType::f32).kernel()(ops::Call({&input, 1}, {&output, 1}, &attributes));
      double most = 0;
      float worst = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const double units = units_between(y[i], one.exact(x[i]));
        if (!(units <= most)) {
          most = units;
          worst = x[i];
        }
      }
      EXPECT_LE(most, one.units) << ops::to_string(one.op) << "(" << worst << ") at level "
                                 << static_cast<int>(level);
    }
  }
}

/// The power of each number of a list with each, by a kernel.
std::vector<float> powers_of_all(const KernelTable& kernels, const std::vector<float>& numbers) {
  const auto n = static_cast<Shape::Extent>(numbers.size());
  const Shape column{n, 1};
  const Shape row{n};
  const Shape square{n, n};
  std::vector<float> y(numbers.size() * numbers.size());
  const ops::View inputs[] = {{numbers.data(), column, DType::f32},
                              {numbers.data(), row, DType::f32}};
  const ops::View output(y.data(), square, DType::f32);
  const ops::NoAttributes attributes;
  kernels.at(Op::pow, DType::f32).kernel()(ops::Call(inputs, {&output, 1}, &attributes));
  return y;
}

TEST(CpuMath, PowersHaveTheSpecialCasesOfC) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  std::vector<float> numbers{0.0F,
                             -0.0F,
                             1.0F,
                             -1.0F,
                             2.0F,
                             -2.0F,
                             0.5F,
                             -0.5F,
                             3.0F,
                             -3.0F,
                             inf,
                             -inf,
                             1e-40F,
                             3e38F,
                             17.3F,
                             -3e38F,
                             1e20F,
                             1e-20F,
                             std::numeric_limits<float>::quiet_NaN()};
  for (const Level level : {Level::Baseline, Level::Avx2, Level::Avx512}) {
    if (level > best_level()) {
      continue;
    }
    const std::vector<float> y = powers_of_all(kernels_of(level), numbers);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double a = numbers[i / numbers.size()];
      const double b = numbers[i % numbers.size()];
      const double exact = std::pow(a, b);
      const auto expected = static_cast<float>(exact);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(y[i])) << a << " to the " << b << " is " << y[i];
      } else if (std::isinf(expected) || expected == 0) {
        EXPECT_EQ(y[i], expected) << a << " to the " << b;
        EXPECT_EQ(std::signbit(y[i]), std::signbit(expected)) << a << " to the " << b;
      } else {
        EXPECT_LE(units_between(y[i], exact), 1) << a << " to the " << b;
      }
    }
  }
}

}  // namespace
}  // namespace ddx::backend::cpu
