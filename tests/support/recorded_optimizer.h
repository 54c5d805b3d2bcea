/// \file
/// Runs an optimiser on the problem that tests/goldens/make_optimizers.py records.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/error.h"
#include "ddx/nn/path.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ddx::testing {

/// The start and the slope of the recordings, once as a tensor and once as numbers.
struct RecordedModel {
  Tensor<double> weights{1.0, -2.0, 0.5};
  double first = 1.0;
  double second = -2.0;

  DDX_DIFFERENTIABLE(RecordedModel, weights, first, second)
};

/// Expects that five steps end where PyTorch's did.
template <class Optimizer, class Options>
void expect_recorded_steps(const std::string& name, const Options& options) {
  static const std::map<std::string, std::vector<double>> recorded = {
#include "tests/goldens/optimizers.inc"
  };
  RecordedModel model;
  Optimizer optimizer(model, options);
  for (int i = 0; i < 5; ++i) {
    RecordedModel::TangentVector gradient{};
    gradient.weights =
        model.weights * model.weights * model.weights + Tensor<double>{0.5, 0.25, -1.0};
    gradient.first = model.first * model.first * model.first + 0.5;
    gradient.second = model.second * model.second * model.second + 0.25;
    optimizer.update(model, gradient);
  }
  const auto& expected = recorded.at(name);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(model.weights.elements()[i], expected[i], 1e-13) << name << ", weight " << i;
  }
  EXPECT_NEAR(model.first, expected[0], 1e-13) << name;
  EXPECT_NEAR(model.second, expected[1], 1e-13) << name;
}

/// Expects that a gradient of another shape is refused, with the parameter's name, and that nothing
/// has changed then.
template <class Optimizer>
void expect_misfit_refused(const char* name) {
  RecordedModel model;
  Optimizer optimizer(model);
  RecordedModel::TangentVector gradient{};
  gradient.first = 1;
  gradient.weights = Tensor<double>{1.0, 2.0};
  EXPECT_EQ(message_of<UsageError>([&] { optimizer.update(model, gradient); }),
            std::string(name) + ": gradient of weights has shape [2], the parameter has shape [3]");
  EXPECT_EQ(model.first, 1.0);
  EXPECT_EQ(model.weights, RecordedModel().weights);
}

/// The names that a checkpoint of the optimiser's state has.
template <class Optimizer>
std::vector<std::string> state_names(Optimizer& optimizer) {
  std::vector<std::string> names;
  optimizer.visit_state([&](const nn::Path& path, auto&) { names.push_back(to_string(path)); });
  return names;
}

}  // namespace ddx::testing
