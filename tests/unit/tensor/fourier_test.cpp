#include "ddx/tensor/fourier.h"

#include "ddx/backend/backend.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/polar.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"

#include "tests/support/recorded_complex.h"
#include "tests/support/thrown.h"

#include <complex>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ddx::testing {
namespace fourier_test {

template <class Part>
Tensor<std::complex<Part>> noise(const Shape& shape, std::uint64_t key, Device device) {
  return make_complex(random_normal<Part>(RandomKey(key), shape, {}, device),
                      random_normal<Part>(RandomKey(key + 1), shape, {}, device));
}

template <class Part>
void expect_recorded_transforms(double tolerance) {
  using Complex = std::complex<Part>;
  const std::map<std::string, FourierNorm> norms = {{"backward", FourierNorm::Backward},
                                                    {"ortho", FourierNorm::Ortho},
                                                    {"forward", FourierNorm::Forward}};
  for (const Device device : backend::available_devices()) {
    for (const auto& row : recorded_complex("transforms")) {
      const auto name = row["name"].get<std::string>();
      const auto extents = row["shape"].get<std::vector<std::int64_t>>();
      const auto result = row["result"].get<std::vector<std::int64_t>>();
      const Shape shape{std::span<const std::int64_t>(extents)};
      const FourierOptions options{
          .n = row["n"], .axis = row["axis"], .norm = norms.at(row["norm"])};
      SCOPED_TRACE(name + " of " + to_string(shape) + " along " + std::to_string(options.axis) +
                   " to " + std::to_string(options.n) + " on " + to_string(device));
      const auto x = row["x"].get<std::vector<double>>();
      const auto y = row["y"].get<std::vector<double>>();
      const auto expect = [&](const auto& got) {
        ASSERT_EQ(got.shape(), Shape{std::span<const std::int64_t>(result)});
        expect_numbers(got, y, tolerance);
      };
      if (name == "rfft") {
        expect(rfft(tensor_of<Part>(shape, x, device), options));
      } else if (name == "irfft") {
        expect(irfft(tensor_of<Complex>(shape, x, device), options));
      } else if (name == "fft") {
        expect(fft(tensor_of<Complex>(shape, x, device), options));
      } else {
        expect(ifft(tensor_of<Complex>(shape, x, device), options));
      }
    }
  }
}

TEST(Fourier, AgreesWithNumPyForEverySizeAxisLengthAndNormInDouble) {
  expect_recorded_transforms<double>(2e-10);
}

TEST(Fourier, AgreesWithNumPyInSinglePrecision) {
  expect_recorded_transforms<float>(1e-6);
}

// The naive device sums in double by the prime factors; the cpu has passes, matrices and
// convolutions.
TEST(Fourier, OfLongAndManyLinesIsWhatTheSumsOfTheNaiveDeviceAre) {
  for (const std::int64_t n :
       {6, 7, 31, 32, 60, 62, 64, 74, 100, 210, 243, 256, 1000, 1009, 1024, 2048}) {
    for (const std::int64_t lines : {1, 3, 16, 37}) {
      SCOPED_TRACE(std::to_string(lines) + " lines of " + std::to_string(n));
      const auto x = noise<double>({lines, n}, 3, Device::naive());
      const auto there = x.to(Device::cpu());
      expect_numbers(fft(there), numbers_of(fft(x)), 1e-13);
      expect_numbers(ifft(there), numbers_of(ifft(x)), 1e-13);
      expect_numbers(rfft(real(there)), numbers_of(rfft(real(x))), 1e-13);
      expect_numbers(irfft(there), numbers_of(irfft(x)), 1e-13);
      expect_numbers(irfft(there, {.n = 2 * n - 1}), numbers_of(irfft(x, {.n = 2 * n - 1})), 1e-13);
      const auto columns = transpose(x);
      expect_numbers(fft(columns.to(Device::cpu()), {.axis = 0}),
                     numbers_of(fft(columns, {.axis = 0})), 1e-13);
    }
  }
}

TEST(Fourier, OfAnUnevenLineInSinglePrecisionKeepsSixDigits) {
  const auto x = noise<float>({5, 4099}, 5, Device::cpu());
  expect_numbers(fft(x), numbers_of(fft(x.to(Device::naive()))), 2e-6);
}

TEST(Fourier, KeepsTheSumOfSquares) {
  for (const Device device : backend::available_devices()) {
    for (const std::int64_t n : {1, 2, 17, 96, 1021}) {
      const auto x = noise<double>({3, n}, 11, device);
      const auto y = fft(x, {.norm = FourierNorm::Ortho});
      const double before = ddx_inner(x, x);
      EXPECT_NEAR(ddx_inner(y, y), before, 1e-12 * before) << n;
    }
  }
}

TEST(Fourier, GoesThereAndBack) {
  for (const Device device : backend::available_devices()) {
    for (const std::int64_t n : {1, 2, 3, 64, 97, 1000}) {
      for (const FourierNorm norm :
           {FourierNorm::Backward, FourierNorm::Ortho, FourierNorm::Forward}) {
        const auto x = noise<double>({2, n, 3}, 13, device);
        const FourierOptions options{.axis = 1, .norm = norm};
        expect_numbers(ifft(fft(x, options), options), numbers_of(x), 1e-13);
        const FourierOptions back{.n = n, .axis = 1, .norm = norm};
        expect_numbers(irfft(rfft(real(x), options), back), numbers_of(real(x)), 1e-13);
      }
    }
  }
}

TEST(Fourier, OfNoLinesIsEmpty) {
  for (const Device device : backend::available_devices()) {
    EXPECT_EQ(fft(zeros<std::complex<float>>({0, 4}, device)).shape(), Shape({0, 4}));
    EXPECT_EQ(rfft(zeros<float>({0, 4}, device)).shape(), Shape({0, 3}));
  }
}

TEST(Fourier, NamesALengthBelowOneAndAMissingAxis) {
  const auto x = zeros<std::complex<float>>({2, 3});
  EXPECT_EQ(thrown<UsageError>([&] { (void)fft(x, {.n = -1}); }),
            "fft: the length -1 is below 1; axis 1 of shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)irfft(zeros<std::complex<float>>({2, 1})); }),
            "irfft: the length 0 is below 1; axis 1 of shape [2, 1] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)rfft(zeros<float>({2, 0})); }),
            "rfft: the length 0 is below 1; axis 1 of shape [2, 0] (here)");
  EXPECT_THAT(thrown<UsageError>([&] { (void)ifft(x, {.axis = 2}); }),
              ::testing::StartsWith("ifft: axis 2 "));
}

}  // namespace fourier_test
}  // namespace ddx::testing
