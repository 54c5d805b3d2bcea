/// \file
/// Compares random numbers with those of tests/goldens/make_random_numbers.py, and samples with
/// distribution functions.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ddx::testing {

/// Expects the recorded numbers of this name, up to rounding.
template <TensorScalar Scalar>
void expect_numbers(const std::string& name, const Tensor<Scalar>& got) {
  static const std::map<std::string, std::vector<double>> recorded = {
#include "tests/goldens/random_numbers.inc"
  };
  const auto& expected = recorded.at(name);
  ASSERT_EQ(got.count(), expected.size()) << name;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(got.elements()[i]), expected[i],
                1e-12 * (1 + std::abs(expected[i])))
        << name << ", number " << i;
  }
}

/// Expects that the largest distance of the sample's distribution function from `probability` is
/// below the one that a sample of the distribution exceeds with probability 0.001.
///
/// Source: A. Kolmogorov, "Sulla determinazione empirica di una legge di distribuzione", 1933.
template <FloatingScalar Scalar, class Probability>
void expect_distribution(const Tensor<Scalar>& sample, const Probability& probability) {
  std::vector<Scalar> sorted = sample.values();
  std::sort(sorted.begin(), sorted.end());
  const auto count = static_cast<double>(sorted.size());
  double distance = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double p = probability(static_cast<double>(sorted[i]));
    distance = std::max(
        {distance, p - static_cast<double>(i) / count, static_cast<double>(i + 1) / count - p});
  }
  EXPECT_LT(distance, 1.95 / std::sqrt(count));
}

}  // namespace ddx::testing
