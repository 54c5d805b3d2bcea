/// \file
/// Compares the compiled gradient of a model with differences.

#pragma once

#include "ddx/ad/operators.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace ddx::testing {

/// The largest number of elements of a parameter that are moved one by one.
inline constexpr std::size_t probes = 12;

/// Moves one element of `x` by `distance`.
inline Tensor<double> moved(Tensor<double> x, std::size_t element, double distance) {
  x.mutable_elements()[element] += distance;
  return x;
}

/// Expects that the compiled gradient of sum(model(x) * c), c a fixed random tensor, agrees with
/// central differences for elements of each parameter of the model and of the input.
template <class Model>
void expect_gradient(const Model& model, const Tensor<double>& x, double tolerance = 1e-7) {
  const auto weights = random_normal<double>(RandomKey(7), model(x).shape());
  const auto loss = [&](const Model& m, const Tensor<double>& input) {
    return sum(m(input) * weights);
  };
  const auto [value, gradient] = value_with_gradient(loss, model, x);
  EXPECT_DOUBLE_EQ(value.item(), loss(model, x).item());

  constexpr double distance = 1e-5;
  const auto check = [&](const std::string& name, std::size_t element, double slope, double above,
                         double below) {
    EXPECT_NEAR(slope, (above - below) / (2 * distance), tolerance * (1 + std::abs(slope)))
        << name << ", element " << element;
  };
  const auto& [of_model, of_input] = gradient;
  auto changed = model;
  nn::visit_parameters(
      [&](const nn::Path& path, auto& weight, const auto& slope) {
        ASSERT_EQ(slope.shape(), weight.shape()) << to_string(path);
        const auto original = weight;
        const std::size_t step = original.count() / probes + 1;
        for (std::size_t i = 0; i < original.count(); i += step) {
          weight = moved(original, i, distance);
          const double above = loss(changed, x).item();
          weight = moved(original, i, -distance);
          const double below = loss(changed, x).item();
          check(to_string(path), i, slope.elements()[i], above, below);
        }
        weight = original;
      },
      changed, of_model);
  const std::size_t step = x.count() / probes + 1;
  for (std::size_t i = 0; i < x.count(); i += step) {
    check("input", i, of_input.elements()[i], loss(model, moved(x, i, distance)).item(),
          loss(model, moved(x, i, -distance)).item());
  }
}

}  // namespace ddx::testing
