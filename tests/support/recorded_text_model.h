/// \file
/// Models of texts beside what transformers returns for them. Recorded by
/// tests/goldens/make_text_models.py.

#pragma once

#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/generation/generate.h"
#include "ddx/models/pretrained/load_pretrained.h"
#include "ddx/models/pretrained/published_model.h"
#include "ddx/models/pretrained/weights.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/configured_folder.h"
#include "tests/support/named_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::testing {

/// What is recorded of a model.
inline nlohmann::json recorded_text_model(const std::string& name) {
  std::ifstream file(std::filesystem::path(DDX_GOLDENS) / "text_models.json");
  return nlohmann::json::parse(file).at(name);
}

/// A folder with the recorded configuration of a model, and weights that its names determine.
template <models::PublishedModel Model>
class RecordedFolder {
 public:
  explicit RecordedFolder(const std::string& name)
      : folder_(recorded_text_model(name).at("config").dump()) {
    const Model model(folder_.template options<typename Model::Options>());
    auto arrays = models::published_arrays(model, name_rules(model.options));
    fill_by_names(arrays);
    io::write_weight_files(folder_.path(), {std::move(arrays), {{"format", "pt"}}});
  }

  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

 private:
  ConfiguredFolder folder_;
};

inline constexpr std::array<std::int32_t, 16> recorded_tokens{5, 9, 13, 2,  60, 33, 7,  1,
                                                              4, 4, 8,  15, 16, 23, 42, 3};

/// Tokens or labels on a device.
inline Tensor<std::int32_t> whole_numbers(const Shape& shape, std::vector<std::int32_t> numbers,
                                          Device device) {
  return {shape, std::span<const std::int32_t>(numbers), device};
}

/// Two sequences of eight tokens.
inline Tensor<std::int32_t> recorded_sequences(Device device) {
  return whole_numbers({2, 8}, {recorded_tokens.begin(), recorded_tokens.end()}, device);
}

/// What they are to be: the next token of each but the last, or the classes 0 and 1.
inline Tensor<std::int32_t> recorded_labels(bool predicts_tokens, Device device) {
  std::vector<std::int32_t> labels{0, 1};
  if (predicts_tokens) {
    labels.assign(recorded_tokens.begin() + 1, recorded_tokens.begin() + 8);
    labels.insert(labels.end(), recorded_tokens.begin() + 9, recorded_tokens.end());
  }
  const auto count = static_cast<std::int64_t>(labels.size());
  return whole_numbers({count}, std::move(labels), device);
}

/// The mean cross entropy of logits, [2, classes] or [2, 8, tokens].
inline Tensor<double> loss_of_logits(const Tensor<double>& logits,
                                     const Tensor<std::int32_t>& labels) {
  const Shape shape = logits.shape();
  if (shape.rank() == 2) {
    return softmax_cross_entropy(logits, labels);
  }
  const auto but_last = slice(logits, {.start = {0, 0, 0}, .stop = {2, 7, shape[2]}});
  return softmax_cross_entropy(reshape(but_last, {14, shape[2]}), labels);
}

/// That of a model's logits.
template <class Model>
Tensor<double> recorded_loss(const Model& model, const Tensor<std::int32_t>& sequences,
                             const Tensor<std::int32_t>& labels) {
  return loss_of_logits(model(sequences), labels);
}

/// The root of the sum of all squares.
template <class Model, class Gradient>
double gradient_norm(Model& model, const Gradient& gradient) {
  double squares = 0;
  nn::visit_parameters(
      [&](const nn::Path&, const auto&, const auto& slope) {
        squares += slope.is_symbolic_zero() ? 0 : sum(square(slope)).item();
      },
      model, gradient);
  return std::sqrt(squares);
}

/// Expects the recorded loss, gradient and logit of a model of f64, loaded from a folder.
template <class Model>
void expect_recorded_model(const std::string& name, Device device) {
  const auto expected = recorded_text_model(name);
  const RecordedFolder<Model> folder(name);
  auto model = models::load_pretrained<Model>(folder.path(), {.device = device});
  const auto sequences = recorded_sequences(device);
  const auto labels = recorded_labels(expected.contains("tokens"), device);
  const auto [loss, gradient] = value_with_gradient(
      [&](const Model& m) { return recorded_loss(m, sequences, labels); }, model);
  EXPECT_NEAR(loss.item(), expected.at("loss").get<double>(), 1e-10) << name;
  const double norm = expected.at("gradient_norm").get<double>();
  EXPECT_NEAR(gradient_norm(model, gradient), norm, 1e-8 * norm) << name;
  EXPECT_NEAR(model(sequences).to(Device::cpu()).elements()[0],
              expected.at("first_logit").get<double>(), 1e-10)
      << name;
}

/// The token with the largest logit behind the last place of one sequence.
template <FloatingScalar Scalar>
std::int32_t likeliest(const Tensor<Scalar>& logits) {
  const auto all = logits.to(Device::cpu()).values();
  const auto last = all.end() - logits.shape()[2];
  return static_cast<std::int32_t>(std::max_element(last, all.end()) - last);
}

/// Expects the recorded continuation: after the first tokens together, and then one by one, of what
/// the model keeps; and the same scores from the whole sequence.
template <class Model>
void expect_recorded_continuation(const std::string& name, Device device) {
  const RecordedFolder<Model> folder(name);
  const auto model = models::load_pretrained<Model>(folder.path(), {.device = device});
  std::vector<std::int32_t> all{recorded_tokens.begin(), recorded_tokens.begin() + 4};
  auto cache = models::detail::empty_cache(model, 20);
  auto logits = model.extend(whole_numbers({1, 4}, all, device), cache);
  for (int i = 0; i < 16; ++i) {
    all.push_back(likeliest(logits));
    logits = model.extend(whole_numbers({1, 1}, {all.back()}, device), cache);
  }
  const std::vector<std::int32_t> made(all.begin() + 4, all.end());
  EXPECT_EQ(made, recorded_text_model(name).at("tokens").get<std::vector<std::int32_t>>()) << name;
  const auto whole = model(whole_numbers({1, 20}, all, device));
  const auto last = slice(whole, {.start = {0, 19, 0}});
  EXPECT_LT(max(abs(last - logits)).item(), 1e-12) << name;
}

/// Expects that the model in f32 has the logits of the one in f64.
template <class Single, class Double>
void expect_equal_in_f32(const std::string& name, double tolerance = 1e-5) {
  const RecordedFolder<Double> folder(name);
  const auto sequences = recorded_sequences({});
  const auto single = models::load_pretrained<Single>(folder.path())(sequences);
  const auto exact = models::load_pretrained<Double>(folder.path())(sequences);
  EXPECT_LT(max(abs(cast<double>(single) - exact)).item(), tolerance) << name;
}

}  // namespace ddx::testing
