/// \file
/// Compares distributions with the recordings of tests/goldens/make_distributions.py.

#pragma once

#include "ddx/ad/operators.h"
#include "ddx/core/shape.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ddx::testing {

/// Expects the recording of this name.
inline void expect_recorded_values(const std::string& name, const Tensor<double>& got) {
  static const std::map<std::string, std::vector<double>> recorded = {
#include "tests/goldens/distributions.inc"
  };
  const auto found = recorded.find(name);
  ASSERT_NE(found, recorded.end()) << name;
  ASSERT_EQ(got.count(), found->second.size()) << name;
  for (std::size_t i = 0; i < got.count(); ++i) {
    EXPECT_NEAR(got.elements()[i], found->second[i], 1e-12 * (1 + std::abs(found->second[i])))
        << name << ", element " << i;
  }
}

/// The sum of (i + 1) x_i.
inline Tensor<double> weighted(const Tensor<double>& x) {
  const Shape shape = x.shape();
  return sum(x * reshape(iota<double>(shape.count()) + 1.0, shape));
}

/// Expects the parameters' gradients as name.first, name.first + 1, ...; returns the next number.
template <class Tangent>
int expect_recorded_slopes(const std::string& name, int first, const Tangent& slopes) {
  nn::visit_parameters(
      [&](const nn::Path&, const Tensor<double>& slope) {
        expect_recorded_values(name + "." + std::to_string(first++), slope);
      },
      slopes);
  return first;
}

/// Expects the recorded logarithms of probabilities, entropies, divergences and gradients.
template <class Distribution, class Point>
void expect_recorded_distribution(const std::string& name, const Distribution& p,
                                  const Distribution& q, const Point& x) {
  expect_recorded_values(name + ".log_probability", p.log_probability(x));
  expect_recorded_values(name + ".entropy", p.entropy());
  expect_recorded_values(name + ".kl", kl_divergence(p, q));
  expect_recorded_slopes(
      name + ".log_probability", 0,
      gradient([&](const Distribution& d) { return weighted(d.log_probability(x)); }, p));
  const auto [of_p, of_q] = gradient(
      [](const Distribution& a, const Distribution& b) { return weighted(kl_divergence(a, b)); }, p,
      q);
  expect_recorded_slopes(name + ".kl", expect_recorded_slopes(name + ".kl", 0, of_p), of_q);
}

/// Expects the recorded means and variances.
template <class Distribution>
void expect_recorded_moments(const std::string& name, const Distribution& p) {
  expect_recorded_values(name + ".mean", p.mean());
  expect_recorded_values(name + ".variance", p.variance());
}

}  // namespace ddx::testing
