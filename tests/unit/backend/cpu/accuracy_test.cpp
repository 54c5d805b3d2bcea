// The elementary functions of float, on every instruction set that this processor has, against
// those of double: how many units in the last place they are off, and where they are exact.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/table.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ddx::backend::cpu {
namespace accuracy_test {

using ops::Op;

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Accuracy {
  Op op;
  double (*exact)(double);
  float low;  ///< The ends of an interval that is looked at more closely.
  float high;
  double units;  ///< What src/backend/cpu/vector_math lazy_values.
};

double sigmoid(double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

double gelu_tanh(double given) {
  const double x = given < -20 ? -20 : given;
  return x / (1 + std::exp(-2 * std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

double silu(double x) {
  return x < -800 ? 0 : x * sigmoid(x);
}

double gelu(double x) {
  return x < -60 ? 0 : 0.5 * x * std::erfc(-x * M_SQRT1_2);
}

const Accuracy accuracies[] = {
    {Op::exp, [](double x) { return std::exp(x); }, -87, 88.7F, 1.2},
    {Op::exp2, [](double x) { return std::exp2(x); }, -126, 127.9F, 1.2},
    {Op::log, [](double x) { return std::log(x); }, 1e-40F, 1e38F, 1},
    {Op::log, [](double x) { return std::log(x); }, 0.5F, 2, 1},
    {Op::log2, [](double x) { return std::log2(x); }, 1e-40F, 1e38F, 3},
    {Op::log2, [](double x) { return std::log2(x); }, 0.5F, 2, 3},
    {Op::log10, [](double x) { return std::log10(x); }, 1e-40F, 1e38F, 4},
    {Op::log10, [](double x) { return std::log10(x); }, 0.5F, 2, 4},
    {Op::tanh, [](double x) { return std::tanh(x); }, -12, 12, 6},
    {Op::sinh, [](double x) { return std::sinh(x); }, -89.4F, 89.4F, 6},
    {Op::sinh, [](double x) { return std::sinh(x); }, -2, 2, 6},
    {Op::cosh, [](double x) { return std::cosh(x); }, -89.4F, 89.4F, 6},
    {Op::expm1, [](double x) { return std::expm1(x); }, -30, 88.7F, 2},
    {Op::expm1, [](double x) { return std::expm1(x); }, -1e-3F, 1e-3F, 2},
    {Op::log1p, [](double x) { return std::log1p(x); }, -0.99F, 2, 2},
    {Op::log1p, [](double x) { return std::log1p(x); }, 1e-40F, 1e38F, 2},
    {Op::sin, [](double x) { return std::sin(x); }, -10, 10, 2},
    {Op::sin, [](double x) { return std::sin(x); }, -3e5F, 3e5F, 2},
    {Op::sin, [](double x) { return std::sin(x); }, -1e30F, 1e30F, 2},
    {Op::cos, [](double x) { return std::cos(x); }, -10, 10, 2},
    {Op::cos, [](double x) { return std::cos(x); }, -3e5F, 3e5F, 2},
    {Op::tan, [](double x) { return std::tan(x); }, -10, 10, 4},
    {Op::erf, [](double x) { return std::erf(x); }, -5, 5, 6},
    {Op::erfc, [](double x) { return std::erfc(x); }, -5, 9, 10},
    {Op::sigmoid, sigmoid, -20, 20, 4},
    {Op::silu, silu, -110, 20, 4},
    {Op::gelu, gelu, -15, 6, 7},
    {Op::gelu_tanh, gelu_tanh, -11, 6, 4},
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

/// A function of elements, by the kernel of an instruction set.
std::vector<float> values_of(Op op, Isa isa, const std::vector<float>& x) {
  const Shape shape{static_cast<Shape::Extent>(x.size())};
  std::vector<float> y(x.size());
  const ops::View input(x.data(), shape, DType::f32);
  const ops::View output(y.data(), shape, DType::f32);
  const ops::NoAttributes attributes;
  const KernelTable kernels = kernels_of(isa);
  kernels.at(op, DType::f32).kernel()(ops::Call({&input, 1}, {&output, 1}, &attributes));
  return y;
}

/// The instruction sets that this processor has.
std::vector<Isa> isas() {
  std::vector<Isa> all;
  for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
    if (isa <= best_isa()) {
      all.push_back(isa);
    }
  }
  return all;
}

/// Expects a function to keep its bound at all x, and to be what it is where that is not finite.
void expect_accurate(const Accuracy& one, Isa isa, const std::vector<float>& x) {
  const std::vector<float> y = values_of(one.op, isa, x);
  double most = 0;
  float worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = one.exact(x[i]);
    const auto rounded = static_cast<float>(exact);
    const bool same = std::isnan(rounded) ? std::isnan(y[i]) : y[i] == rounded;
    const double units = same ? 0
                         : std::isfinite(rounded) && std::isfinite(y[i])
                             ? units_between(y[i], exact)
                             : HUGE_VAL;
    if (units > most) {
      most = units;
      worst = x[i];
    }
  }
  EXPECT_LE(most, one.units) << ops::to_string(one.op) << "(" << worst << ") at level "
                             << static_cast<int>(isa);
}

TEST(CpuMath, IsAsAccurateAsItPromises) {
  for (const Isa isa : isas()) {
    for (const Accuracy& one : accuracies) {
      expect_accurate(one, isa, grid(one));
    }
  }
}

TEST(CpuMath, IsAsAccurateForAllFloats) {
  // Every 10007th: normal ones and not, infinities and what is no number.
  std::vector<float> x;
  for (std::uint64_t bits = 0; bits < 1ULL << 32U; bits += 10007) {
    x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  x.insert(x.end(), {infinity, -infinity, std::numeric_limits<float>::denorm_min(),
                     std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()});
  for (const Isa isa : isas()) {
    for (const Accuracy& one : accuracies) {
      expect_accurate(one, isa, x);
    }
  }
}

/// A value that a function has exactly, in bits.
struct Edge {
  Op op;
  float x;
  float y;
};

const Edge edges[] = {
    {Op::exp, 0.0F, 1},
    {Op::exp, -0.0F, 1},
    {Op::exp, -infinity, 0.0F},
    {Op::exp, -104, 0.0F},
    {Op::exp, 89, infinity},
    {Op::exp2, 0.0F, 1},
    {Op::exp2, -149, std::numeric_limits<float>::denorm_min()},
    {Op::exp2, 127, 0x1p127F},
    {Op::expm1, 0.0F, 0.0F},
    {Op::expm1, -0.0F, -0.0F},
    {Op::expm1, -infinity, -1},
    {Op::log, 1, 0.0F},
    {Op::log, 0.0F, -infinity},
    {Op::log, -0.0F, -infinity},
    {Op::log, infinity, infinity},
    {Op::log1p, -0.0F, -0.0F},
    {Op::log1p, -1, -infinity},
    {Op::sin, 0.0F, 0.0F},
    {Op::sin, -0.0F, -0.0F},
    {Op::cos, -0.0F, 1},
    {Op::tan, -0.0F, -0.0F},
    {Op::sinh, -0.0F, -0.0F},
    {Op::cosh, 0.0F, 1},
    {Op::tanh, 0.0F, 0.0F},
    {Op::tanh, -0.0F, -0.0F},
    {Op::tanh, 9.1F, 1},
    {Op::tanh, -infinity, -1},
    {Op::erf, -0.0F, -0.0F},
    {Op::erf, 4, 1},
    {Op::erf, -infinity, -1},
    {Op::erfc, 0.0F, 1},
    {Op::erfc, infinity, 0.0F},
    {Op::erfc, -infinity, 2},
    {Op::sigmoid, 0.0F, 0.5F},
    {Op::sigmoid, -infinity, 0.0F},
    {Op::sigmoid, infinity, 1},
    {Op::gelu_tanh, -0.0F, -0.0F},
    {Op::gelu_tanh, infinity, infinity},
    {Op::silu, -0.0F, -0.0F},
    {Op::silu, infinity, infinity},
    {Op::gelu, -0.0F, -0.0F},
    {Op::gelu, infinity, infinity},
};

TEST(CpuMath, IsExactAtItsEdges) {
  for (const Isa isa : isas()) {
    for (const Edge& edge : edges) {
      const float y = values_of(edge.op, isa, {edge.x})[0];
      EXPECT_EQ(std::bit_cast<std::uint32_t>(y), std::bit_cast<std::uint32_t>(edge.y))
          << ops::to_string(edge.op) << "(" << edge.x << ") is " << y << " at level "
          << static_cast<int>(isa);
    }
    for (int power = -149; power < 128; ++power) {
      EXPECT_EQ(values_of(Op::log2, isa, {std::ldexp(1.0F, power)})[0], static_cast<float>(power));
    }
  }
}

TEST(CpuMath, DoesNotDependOnThePlaceOfAnElement) {
  // Next to an angle that needs more digits of pi, and in what is left over after whole vectors.
  std::vector<float> x;
  for (int i = 0; i < 1100; ++i) {
    x.push_back(0.01F * static_cast<float>(i) - 3.7F);
  }
  for (const Isa isa : isas()) {
    for (const Accuracy& one : accuracies) {
      const std::vector<float> whole = values_of(one.op, isa, x);
      for (const std::size_t first : {0U, 1U, 3U, 500U}) {
        for (const std::size_t length : {1U, 15U, 16U, 17U, 599U}) {
          std::vector<float> some(x.begin() + static_cast<std::ptrdiff_t>(first),
                                  x.begin() + static_cast<std::ptrdiff_t>(first + length));
          some.push_back(1e30F);
          const std::vector<float> y = values_of(one.op, isa, some);
          for (std::size_t i = 0; i < length; ++i) {
            ASSERT_EQ(std::bit_cast<std::uint32_t>(y[i]),
                      std::bit_cast<std::uint32_t>(whole[first + i]))
                << ops::to_string(one.op) << "(" << some[i] << ") as element " << i << " of "
                << length + 1 << " at level " << static_cast<int>(isa);
          }
        }
      }
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
                             infinity,
                             -infinity,
                             1e-40F,
                             3e38F,
                             17.3F,
                             -3e38F,
                             1e20F,
                             1e-20F,
                             std::numeric_limits<float>::quiet_NaN()};
  for (const Isa isa : isas()) {
    const std::vector<float> y = powers_of_all(kernels_of(isa), numbers);
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

}  // namespace accuracy_test
}  // namespace ddx::backend::cpu
