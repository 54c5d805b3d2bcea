/// \file
/// Models from folders as the Hugging Face hub has them.

#pragma once

#include "ddx/core/device.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/pretrained/detail/parameter_check.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/published_model.h"
#include "ddx/models/pretrained/weights.h"
#include "ddx/nn/detail/undrawn_weights.h"
#include "ddx/nn/visit.h"

#include <filesystem>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

namespace ddx::models {

/// How a model is loaded.
struct LoadPretrainedOptions {
  /// Paths of the model that keep their initial values, with all below them: "classifier".
  std::vector<std::string> ignored_paths = {};
  Device device = {};
};

/// The model of a folder that has a `config.json` and weights, in one safetensors file or several
/// with an index. Weights of any floating-point dtype become the model's, rounded to the nearest.
///
/// Throws:  EnvironmentError where the configuration is that of another type or asks for what the
///          model has not or for a much larger one than the weights are, or a file cannot be read.
///          UsageError where the weights do not fit the model, as load_weights.
/// Cost:    as load_weights. Nothing is drawn, unless paths are ignored.
/// Example:
///   auto model = models::load_pretrained<models::Decoder<float>>("SmolLM2-135M");
template <PublishedModel Model>
[[nodiscard]] Model load_pretrained(const std::filesystem::path& folder,
                                    const LoadPretrainedOptions& options = {},
                                    std::source_location where = std::source_location::current()) {
  const ModelConfiguration configuration(folder);
  const auto settings = options_from<typename Model::Options>(configuration);
  const io::WeightFiles files(folder);
  detail::require_weights_for(parameter_count(settings), configuration, files);
  auto model = [&] {
    std::optional<nn::detail::UndrawnWeights> undrawn;
    if (options.ignored_paths.empty()) {
      undrawn.emplace();
    }
    return Model(settings);
  }();
  nn::move_to(model, options.device);
  load_weights(model, files, name_rules(settings), {.ignored_paths = options.ignored_paths}, where);
  return model;
}

}  // namespace ddx::models
