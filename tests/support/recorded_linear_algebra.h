/// \file
/// Compares linear algebra with the recordings of tests/goldens/make_linear_algebra.py.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ddx::testing {

/// sin(0.7 (start + i)), i from 0 on, in row-major order.
inline Tensor<double> numbers(const Shape& shape, int start) {
  Tensor<double> result(shape, std::vector<double>(static_cast<std::size_t>(shape.count())));
  int i = start;
  for (double& element : result.mutable_elements()) {
    element = std::sin(0.7 * i++);
  }
  return result;
}

/// The numbers, and 2 more on the diagonal.
inline Tensor<double> regular(const Shape& shape, int start) {
  return numbers(shape, start) +
         2.0 * eye<double>(shape[shape.rank() - 2], shape[shape.rank() - 1]);
}

/// The numbers, as a positive definite matrix.
inline Tensor<double> definite(std::int64_t n, int start) {
  const auto x = regular({n, n}, start);
  return matmul(x, x, {.transpose_right = true});
}

/// Expects the recording of this name.
inline void expect_recorded(const std::string& name, const Tensor<double>& got) {
  static const std::map<std::string, std::vector<double>> recorded = {
#include "tests/goldens/linear_algebra.inc"
  };
  const auto found = recorded.find(name);
  ASSERT_NE(found, recorded.end()) << name;
  ASSERT_EQ(got.count(), found->second.size()) << name;
  for (std::size_t i = 0; i < got.count(); ++i) {
    EXPECT_NEAR(got.elements()[i], found->second[i], 1e-11 * (1 + std::abs(found->second[i])))
        << name << ", element " << i;
  }
}

}  // namespace ddx::testing
