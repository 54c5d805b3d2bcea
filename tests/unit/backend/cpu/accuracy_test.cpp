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

}  // namespace
}  // namespace ddx::backend::cpu
