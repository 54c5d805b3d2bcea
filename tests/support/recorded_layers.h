/// \file
/// Compares layers with the recordings of tests/goldens/make_layers.py.

#pragma once

#include "ddx/ad/operators.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
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

/// sin(0.7 (start + i)), i from 0 on, in row-major order.
inline Tensor<double> numbers(const Shape& shape, int start) {
  Tensor<double> result(shape, std::vector<double>(static_cast<std::size_t>(shape.count())));
  int i = start;
  for (double& element : result.mutable_elements()) {
    element = std::sin(0.7 * i++);
  }
  return result;
}

/// Expects the recording of this name.
inline void expect_recorded(const std::string& name, const Tensor<double>& got) {
  static const std::map<std::string, std::vector<double>> recorded = {
#include "tests/goldens/attention.inc"
#include "tests/goldens/ctc.inc"
#include "tests/goldens/layers.inc"
#include "tests/goldens/spectral_norm.inc"
  };
  const auto found = recorded.find(name);
  ASSERT_NE(found, recorded.end()) << name;
  ASSERT_EQ(got.count(), found->second.size()) << name;
  for (std::size_t i = 0; i < got.count(); ++i) {
    EXPECT_NEAR(got.elements()[i], found->second[i], 1e-11 * (1 + std::abs(found->second[i])))
        << name << ", element " << i;
  }
}

/// Expects the recorded output and gives the gradients of its weighted sum with respect to model
/// and input.
template <class Model>
auto recorded_gradient(const std::string& name, const Model& model, const Tensor<double>& x) {
  const auto y = model(x);
  expect_recorded(name, y);
  const auto weights = numbers(y.shape(), 50);
  auto gradients =
      gradient([&](const Model& m, const Tensor<double>& input) { return sum(m(input) * weights); },
               model, x);
  expect_recorded(name + ".x", std::get<1>(gradients));
  return std::get<0>(gradients);
}

}  // namespace ddx::testing
