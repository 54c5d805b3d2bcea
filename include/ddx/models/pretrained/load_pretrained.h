/// \file
/// Models from folders as the Hugging Face hub has them, and from GGUF files.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/io/gguf_view.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/pretrained/detail/parameter_check.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
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
  /// 8 or 4: as LoadWeightsOptions.
  std::optional<int> quantized_bits = std::nullopt;
};

namespace detail {

/// The model of these options with the weights of files; `source` has the options.
template <PublishedModel Model>
[[nodiscard]] Model loaded(const typename Model::Options& settings, const NameRules& names,
                           const std::filesystem::path& source, const io::WeightFiles& files,
                           const LoadPretrainedOptions& options,
                           const std::source_location& where) {
  require_weights_for(parameter_count(settings), source, files);
  auto model = [&] {
    std::optional<nn::detail::UndrawnWeights> undrawn;
    if (options.ignored_paths.empty()) {
      undrawn.emplace();
    }
    return Model(settings);
  }();
  nn::move_to(model, options.device);
  load_weights(model, files, names,
               {.ignored_paths = options.ignored_paths, .quantized_bits = options.quantized_bits},
               where);
  return model;
}

}  // namespace detail

/// The model of a folder that has a `config.json` and weights, as io::WeightFiles opens them, or of
/// a file `*.gguf`, which has both. Weights of any floating-point dtype become the model's, rounded
/// to the nearest.
///
/// Throws:  EnvironmentError where the configuration is that of another type or asks for what the
///          model has not or for a much larger one than the weights are, or a file cannot be read.
///          UsageError where the weights do not fit the model, as load_weights, and for a GGUF file
///          where the model is none that GGUF files have.
/// Cost:    as load_weights. Nothing is drawn, unless paths are ignored.
/// Example:
///   auto model = models::load_pretrained<models::Decoder<float>>("SmolLM2-135M");
///   auto small = models::load_pretrained<models::Decoder<float>>("Qwen3-0.6B-Q4_0.gguf",
///                                                                {.quantized_bits = 4});
template <PublishedModel Model>
[[nodiscard]] Model load_pretrained(const std::filesystem::path& path,
                                    const LoadPretrainedOptions& options = {},
                                    std::source_location where = std::source_location::current()) {
  if (path.extension() == ".gguf") {
    if constexpr (GgufModel<Model>) {
      const io::GgufView file(path);
      const auto settings = options_from<typename Model::Options>(file);
      return detail::loaded<Model>(settings, gguf_name_rules(settings), path, io::WeightFiles(file),
                                   options, where);
    } else {
      throw UsageError("load_pretrained", path.string() + ": this model has no names in GGUF files",
                       where);
    }
  }
  const ModelConfiguration configuration(path);
  const auto settings = options_from<typename Model::Options>(configuration);
  return detail::loaded<Model>(settings, name_rules(settings), configuration.file(),
                               io::WeightFiles(path), options, where);
}

}  // namespace ddx::models
