/// \file
/// Models whose weights packages carry, beside what PyTorch returns for small ones of their forms.
/// Recorded by tests/goldens/make_packaged_models.py.

#pragma once

#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/pretrained/weights.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/named_numbers.h"

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ddx::testing {

/// What is recorded of a model.
inline nlohmann::json recorded_packaged_model(const std::string& name) {
  std::ifstream file(std::filesystem::path(DDX_GOLDENS) / "packaged_models.json");
  return nlohmann::json::parse(file).at(name);
}

/// A model with numbers that the names of its published arrays determine.
template <class Model>
Model filled_by_names(const typename Model::Options& options, Device device = {}) {
  Model model(options);
  auto arrays = models::published_arrays(model, name_rules(options));
  fill_by_names(arrays);
  models::load_weights(model, io::WeightFiles(std::move(arrays)), name_rules(options));
  nn::move_to(model, device);
  return model;
}

/// Expects recorded numbers.
template <FloatingScalar Scalar>
void expect_recorded_numbers(const Tensor<Scalar>& found, const nlohmann::json& expected,
                             double tolerance) {
  const auto values = cast<double>(found).to(Device::cpu()).values();
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i].get<double>(), tolerance) << i;
  }
}

/// How many parameters a model has.
template <class Model>
std::size_t parameters_of(Model& model) {
  std::size_t count = 0;
  nn::visit_parameters([&](const nn::Path&, const auto& weight) { count += weight.count(); },
                       model);
  return count;
}

/// Expects the recorded scores of a model, its loss, which is a function of the scores, and the
/// norm of the gradient over all parameters, on each device; and the scores in f32. What the model
/// takes is `input(Scalar(), device)`, and its scores are `scores(model, input)`.
template <template <class> class Model, class Input, class Scores, class Loss>
void expect_recorded_packaged_model(const std::string& name,
                                    const typename Model<double>::Options& options,
                                    const Input& input, const Scores& scores, const Loss& loss) {
  const auto expected = recorded_packaged_model(name);
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    auto model = filled_by_names<Model<double>>(options, device);
    const auto x = input(double{}, device);
    expect_recorded_numbers(scores(model, x), expected.at("scores"), 1e-12);
    const auto [value, gradient] =
        value_with_gradient([&](const Model<double>& m) { return loss(scores(m, x)); }, model);
    EXPECT_NEAR(value.item(), expected.at("loss").template get<double>(), 1e-10);
    double squares = 0;
    nn::visit_parameters(
        [&](const nn::Path&, const auto&, const auto& slope) {
          squares += slope.is_symbolic_zero() ? 0 : sum(square(slope)).item();
        },
        model, gradient);
    const double norm = expected.at("gradient_norm").template get<double>();
    EXPECT_NEAR(std::sqrt(squares), norm, 1e-9 * norm);
  }
  expect_recorded_numbers(scores(filled_by_names<Model<float>>(options), input(float{}, Device())),
                          expected.at("scores"), 1e-5);
}

/// The sum of the squares of probabilities.
template <FloatingScalar Scalar>
Tensor<Scalar> squared_probabilities(const Tensor<Scalar>& scores) {
  return sum(square(sigmoid(scores)));
}

/// Numbers of a name as a tensor where a model lies.
template <FloatingScalar Scalar>
Tensor<Scalar> named_tensor(const std::string& name, const Shape& shape, Device device) {
  return cast<Scalar>(
      Tensor<double>(shape, named_numbers(name, static_cast<std::size_t>(shape.count())), device));
}

}  // namespace ddx::testing
