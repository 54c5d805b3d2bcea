// Programs over complex tensors as the compiler differentiates them, against central differences in
// random complex directions: in this convention the inner product of the gradient dL/dx + i dL/dy
// with a direction is the slope along it.

#include "ddx/ddx.h"

#include "tests/conformance/compiled/checks.h"
#include "tests/conformance/gradient_check.h"

#include <cmath>
#include <complex>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::testing {
namespace {

using Complexes = Tensor<std::complex<double>>;

Complexes random_complex(const Shape& shape, std::uint64_t key) {
  return make_complex(random_tensor(shape, key, Device()), random_tensor(shape, key + 1, Device()));
}

/// The gradient of a real number of complex ones, and forward mode beside it.
template <class F>
void expect_complex(F f, const Complexes& z) {
  const Complexes direction = random_complex(z.shape(), 21);
  constexpr double step = 1e-5;
  const double ahead = f(z + direction * step).item();
  const double behind = f(z - direction * step).item();
  const double expected = (ahead - behind) / (2 * step);
  const auto [value, gradient] = value_with_gradient(f, z);
  EXPECT_EQ(value, f(z));
  ASSERT_EQ(gradient.shape(), z.shape());
  EXPECT_NEAR(ddx_inner(gradient, direction), expected, 1e-6 * (1 + std::abs(expected)));
  const auto [same, tangent] = jvp(f, ddx::along(direction), z);
  EXPECT_EQ(same, f(z));
  EXPECT_NEAR(tangent.item(), expected, 1e-6 * (1 + std::abs(expected)));
}

const Complexes z = random_complex({3, 5}, 1);
const Complexes w = random_complex({3, 5}, 3);
const Doubles weights = random_tensor({3, 5}, 9, Device());

TEST(ComplexGradients, OfArithmeticPointWhereTheLossGrowsFastest) {
  expect_complex([](const Complexes& t) { return sum(weights * real(t * w)); }, z);
  expect_complex([](const Complexes& t) { return sum(weights * imag(t * t / (w - t))); }, z);
  expect_complex([](const Complexes& t) { return sum(weights * real(conj(t) * t * t)); }, z);
  expect_complex(
      [](const Complexes& t) {
        const std::complex<double> c(0.5, -2);
        return sum(weights * imag(c * t + t * t * c - t / c + c / (t + 4.0)));
      },
      z);
}

TEST(ComplexGradients, OfFunctions) {
  expect_complex([](const Complexes& t) { return sum(weights * real(exp(t) + sin(t) * cos(t))); },
                 z);
  expect_complex([](const Complexes& t) { return sum(weights * imag(tanh(t) + square(t))); }, z);
  expect_complex(
      [](const Complexes& t) { return sum(weights * real(log(t + 4.0) + sqrt(t + 4.0))); }, z);
  expect_complex([](const Complexes& t) { return sum(weights * (abs(t) + angle(t + 4.0))); }, z);
  expect_complex([](const Complexes& t) { return sum(weights * real(polar(abs(t), real(t)))); }, z);
}

TEST(ComplexGradients, OfReductionsProductsAndMovement) {
  expect_complex([](const Complexes& t) { return sum(abs(sum(t * t, {.axes = {0}}))); }, z);
  expect_complex([](const Complexes& t) { return real(mean(t * t)); }, z);
  expect_complex(
      [](const Complexes& t) { return sum(abs(matmul(t, w, {.transpose_right = true}))); }, z);
  expect_complex([](const Complexes& t) { return sum(abs(matmul(transpose(t), t))); }, z);
  expect_complex(
      [](const Complexes& t) {
        const auto part = slice(t, {.start = {0, 1}, .step = {1, 2}});
        const auto rows = gather(t * t, Tensor<std::int32_t>{2, 2, 0});
        return imag(sum(part * part)) + sum(real(rows));
      },
      z);
}

TEST(ComplexGradients, OfTransforms) {
  expect_complex([](const Complexes& t) { return sum(weights * abs(fft(t))); }, z);
  expect_complex([](const Complexes& t) { return sum(abs(fft(t, {.n = 7, .axis = 0}))); }, z);
  expect_complex([](const Complexes& t) { return sum(abs(ifft(t, {.n = 2}))); }, z);
  expect_complex([](const Complexes& t) { return sum(square(irfft(t * w))); }, z);
  expect_complex([](const Complexes& t) { return sum(square(irfft(t, {.n = 5}))); }, z);
  expect_complex([](const Complexes& t) { return sum(abs(fft2(t * t, FourierNorm::Ortho))); }, z);
  expect_complex([](const Complexes& t) { return sum(weights * real(fftshift(ifft2(t) * t))); }, z);
}

TEST(ComplexGradients, OfPowerSpectraOfRealNumbers) {
  const Doubles signal = random_tensor({2, 8}, 30, Device());
  const Doubles target = random_tensor({2, 5}, 31, Device());
  expect_compiled(
      [&target](const Doubles& t) { return mean(square(square(abs(rfft(t))) - target)); }, signal);
  expect_compiled([](const Doubles& t) { return sum(abs(rfft(t, {.n = 11}))); }, signal);
  expect_compiled([](const Doubles& t) { return sum(abs(rfft(t, {.n = 5, .axis = 1}))); }, signal);
  expect_tangent([](const Doubles& t) { return abs(rfft(t)); }, signal);
}

TEST(ComplexGradients, OfConvolutionsByTransforms) {
  const Doubles signal = random_tensor({2, 9}, 40, Device());
  const Doubles filter = random_tensor({9}, 41, Device());
  const Doubles target = random_tensor({2, 9}, 42, Device());
  const auto loss = [&](const Doubles& x, const Doubles& k) {
    const FourierOptions back{.n = 9};
    return sum(square(irfft(rfft(x) * rfft(k), back) - target));
  };
  expect_compiled([&](const Doubles& t) { return loss(t, filter); }, signal);
  expect_compiled([&](const Doubles& t) { return loss(signal, t); }, filter);
}

TEST(ComplexGradients, OfRealPartsCastToComplexOnes) {
  const Doubles x = random_tensor({3, 5}, 50, Device());
  expect_compiled([](const Doubles& t) { return sum(imag(cast<std::complex<double>>(t * t) * w)); },
                  x);
}

TEST(ComplexGradients, OfComplexResultsAreRefused) {
  try {
    (void)gradient([](const Complexes& t) { return sum(t * t); }, z);
    FAIL() << "nothing was thrown";
  } catch (const UsageError& error) {
    EXPECT_STREQ(
        error.what(),
        "gradient: the result is of dtype c128: only a real result has a gradient; shape []; "
        "take its real part or its abs, or use pullback");
  }
}

}  // namespace
}  // namespace ddx::testing
