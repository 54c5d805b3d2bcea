/// \file
/// The recordings of tests/goldens/make_fourier.py, and tensors from them.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recording.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ddx::testing {

/// The rows of one table.
inline nlohmann::json recorded_complex(const std::string& table) {
  return recording("fourier.json")[table];
}

/// A tensor of these numbers; of a complex type each takes two, its real and its imaginary part.
template <DifferentiableScalar Scalar>
Tensor<Scalar> tensor_of(const Shape& shape, const std::vector<double>& numbers, Device device) {
  Tensor<Scalar> x = zeros<Scalar>(shape, device);
  const auto elements = x.mutable_elements();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if constexpr (ComplexScalar<Scalar>) {
      using Part = typename Scalar::value_type;
      elements[i] =
          Scalar(static_cast<Part>(numbers.at(2 * i)), static_cast<Part>(numbers.at(2 * i + 1)));
    } else {
      elements[i] = static_cast<Scalar>(numbers.at(i));
    }
  }
  return x;
}

/// The numbers of a tensor; see above.
template <DifferentiableScalar Scalar>
std::vector<double> numbers_of(const Tensor<Scalar>& x) {
  std::vector<double> numbers;
  for (const Scalar element : x.elements()) {
    if constexpr (ComplexScalar<Scalar>) {
      numbers.push_back(static_cast<double>(element.real()));
      numbers.push_back(static_cast<double>(element.imag()));
    } else {
      numbers.push_back(static_cast<double>(element));
    }
  }
  return numbers;
}

/// Expects numbers within `tolerance` of those of the row, in units of the largest among these.
template <DifferentiableScalar Scalar>
void expect_numbers(const Tensor<Scalar>& got, const std::vector<double>& want, double tolerance) {
  const auto numbers = numbers_of(got);
  ASSERT_EQ(numbers.size(), want.size());
  double largest = 1;
  for (const double number : want) {
    largest = std::max(largest, std::abs(number));
  }
  for (std::size_t i = 0; i < want.size(); ++i) {
    ASSERT_NEAR(numbers[i], want[i], tolerance * largest) << "number " << i;
  }
}

}  // namespace ddx::testing
