#include "ddx/ops/fourier.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include <array>
#include <cmath>
#include <complex>
#include <gtest/gtest.h>

namespace ddx::ops {
namespace fourier_test {

// 1 + 2 w + 3 w^2 with w = e^(-2 pi i / 3): -1.5 + i sqrt(3) / 2.
TEST(FourierReference, SumsWithTheRootsOfUnity) {
  const std::array<std::complex<double>, 3> x{1, 2, 3};
  std::array<std::complex<double>, 3> y{};
  const Shape shape{3};
  const View input(x.data(), shape, DType::c128);
  const View output(y.data(), shape, DType::c128);
  const FourierAttributes attributes{.axis = 0, .inverse = false, .scale = 2};
  fourier_reference(Op::fft, DType::c128)(Call({&input, 1}, {&output, 1}, &attributes));
  EXPECT_NEAR(std::abs(y[0] - 12.0), 0, 1e-14);
  EXPECT_NEAR(std::abs(y[1] - std::complex(-3.0, std::sqrt(3.0))), 0, 1e-14);
  EXPECT_NEAR(std::abs(y[2] - std::complex(-3.0, -std::sqrt(3.0))), 0, 1e-14);
}

TEST(FourierReference, IsForComplexElementsAndTheRealOnesOfTheirParts) {
  EXPECT_NE(fourier_reference(Op::rfft, DType::f32), nullptr);
  EXPECT_EQ(fourier_reference(Op::rfft, DType::c64), nullptr);
  EXPECT_EQ(fourier_reference(Op::rfft, DType::f16), nullptr);
  EXPECT_EQ(fourier_reference(Op::fft, DType::f32), nullptr);
  EXPECT_EQ(result_dtype(Op::rfft, DType::f32), DType::c64);
  EXPECT_EQ(result_dtype(Op::irfft, DType::c128), DType::f64);
  EXPECT_EQ(result_dtype(Op::fft, DType::c64), DType::c64);
}

}  // namespace fourier_test
}  // namespace ddx::ops
