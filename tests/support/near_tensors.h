/// \file
/// Compares tensors up to rounding.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::testing {

/// Expects equal shapes, and elements that differ by no more than this.
template <FloatingScalar Scalar>
void expect_near(const Tensor<Scalar>& got, const Tensor<Scalar>& want, double tolerance) {
  ASSERT_EQ(got.shape(), want.shape());
  for (std::size_t i = 0; i < got.count(); ++i) {
    ASSERT_NEAR(got.elements()[i], want.elements()[i], tolerance) << "element " << i;
  }
}

/// The Hilbert matrix, 1 / (i + j + 1): of 6 rows its condition is 1.5e7.
template <FloatingScalar Scalar>
Tensor<Scalar> hilbert(std::int64_t n, Device device = {}) {
  Tensor<Scalar> x(Shape{n, n}, std::vector<Scalar>(static_cast<std::size_t>(n * n)), device);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      x.set({i, j}, Scalar{1} / static_cast<Scalar>(i + j + 1));
    }
  }
  return x;
}

}  // namespace ddx::testing
