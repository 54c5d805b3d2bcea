#include "ddx/tensor/fourier_frequencies.h"

#include "ddx/core/error.h"
#include "ddx/tensor/fourier_planes.h"

#include "tests/support/recorded_complex.h"
#include "tests/support/thrown.h"

#include <complex>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::testing {
namespace fourier_frequencies_test {

// The numbers are those of the documentation of numpy.fft, or follow from its definitions.

TEST(FourierFrequencies, AreNegativeFromTheMiddleOn) {
  expect_numbers(fftfreq<double>(5), {0, 0.2, 0.4, -0.4, -0.2}, 1e-15);
  expect_numbers(fftfreq<double>(4, 0.5), {0, 0.5, -1, -0.5}, 1e-15);
  expect_numbers(rfftfreq<float>(5), {0, 0.2, 0.4}, 1e-7);
  expect_numbers(rfftfreq<double>(4, 0.5), {0, 0.5, 1}, 1e-15);
  EXPECT_EQ(thrown<UsageError>([] { (void)fftfreq<float>(0); }),
            "fftfreq: the length 0 is below 1 (here)");
}

TEST(FourierFrequencies, AreShiftedToTheMiddleAndBack) {
  const Tensor<double> odd{0, 1, 2, 3, 4};
  EXPECT_EQ(fftshift(odd), (Tensor<double>{3, 4, 0, 1, 2}));
  EXPECT_EQ(ifftshift(odd), (Tensor<double>{2, 3, 4, 0, 1}));
  EXPECT_EQ(ifftshift(fftshift(odd)), odd);
  const Tensor<double> even{{0, 1}, {2, 3}, {4, 5}, {6, 7}};
  EXPECT_EQ(fftshift(even, 0), (Tensor<double>{{4, 5}, {6, 7}, {0, 1}, {2, 3}}));
}

TEST(FourierPlanes, TransformBothAxes) {
  using Complex = std::complex<double>;
  const Tensor<Complex> x({2, 2}, {Complex(1), Complex(2), Complex(3), Complex(4)});
  expect_numbers(fft2(x), {10, 0, -2, 0, -4, 0, 0, 0}, 1e-15);
  expect_numbers(fftn(x, {0}), {4, 0, 6, 0, -2, 0, -2, 0}, 1e-15);
  expect_numbers(ifft2(fft2(x, FourierNorm::Ortho), FourierNorm::Ortho), numbers_of(x), 1e-15);
}

}  // namespace fourier_frequencies_test
}  // namespace ddx::testing
