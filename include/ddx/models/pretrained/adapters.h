/// \file
/// Adapters of low rank in the files of peft.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/pretrained/detail/adapter_files.h"
#include "ddx/models/pretrained/detail/weight_plan.h"
#include "ddx/models/pretrained/published_model.h"
#include "ddx/models/pretrained/weights.h"
#include "ddx/nn/adapters.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"

#include <filesystem>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {

namespace detail {

/// The dense layers of a model.
template <class Model>
std::vector<AdaptedLayer> adapted_layers(Model& model) {
  std::vector<AdaptedLayer> layers;
  nn::detail::visit_dense(
      [&](const std::string& path, const auto& layer) {
        AdaptedLayer found{path};
        if (!layer.low_rank.empty()) {
          found.adapter = AdapterSettings{.rank = layer.low_rank.front().rank(),
                                          .alpha = layer.low_rank.front().alpha,
                                          .is_stabilised = layer.low_rank.front().is_stabilised,
                                          .dropout = layer.low_rank.front().dropout.rate};
        }
        layers.push_back(std::move(found));
      },
      model);
  return layers;
}

}  // namespace detail

/// Gives a model the adapters of a folder that peft wrote: `adapter_config.json` and
/// `adapter_model.safetensors`. The layers are those whose published names the configuration lists.
/// The model computes what it and the adapters compute in peft; merge_low_rank makes plain weights
/// of them, and PartlyFrozen trains them on.
///
/// Throws:  EnvironmentError where a file cannot be read, or the configuration asks for another
///          kind of adapter, for ranks that differ, or for more than adapters. Names the file, the
///          key and the value. UsageError where a listed name fits no layer, a layer has an adapter
///          already, or an array is missing, has no place or another shape. The model is unchanged
///          then.
/// Example:
///   auto model = models::load_pretrained<models::Decoder<float>>("SmolLM2-135M");
///   models::load_adapter(model, "SmolLM2-135M-pirate");
template <PublishedModel Model>
void load_adapter(Model& model, const std::filesystem::path& folder,
                  std::source_location where = std::source_location::current()) {
  const auto [settings, modules] = detail::adapter_configuration(folder);
  const io::WeightFiles files(folder / "adapter_model.safetensors");
  const NameRules names = name_rules(model.options);
  Model result = model;
  nn::add_low_rank(result, {.layers = detail::adapted_paths(modules, detail::adapted_layers(result),
                                                            names, where),
                            .rank = settings.rank,
                            .alpha = settings.alpha,
                            .is_stabilised = settings.is_stabilised,
                            .dropout = settings.dropout});
  std::vector<std::string> others;
  nn::visit_state(
      [&](const nn::Path& path, const auto& value) {
        const auto array = detail::asked_for(to_string(path), value);
        if (!array.is_empty && !nn::is_low_rank(array.path)) {
          others.push_back(array.path);
        }
      },
      result);
  load_weights(result, files, detail::adapter_rules(names), {.ignored_paths = std::move(others)},
               where);
  model = std::move(result);
}

/// How adapters are written.
struct SaveAdapterOptions {
  std::optional<DType> dtype = std::nullopt;  ///< Of the arrays; else the model's.
  std::string base_model = {};  ///< Where the model without adapters is, for readers; a remark.
  std::string task = {};        ///< What peft calls `task_type`, such as "CAUSAL_LM"; a remark.
};

/// Writes the adapters of a model into a folder, which is made where it does not exist, as peft
/// reads them: `adapter_config.json` and `adapter_model.safetensors`. The weights of the model are
/// not written.
///
/// Throws:  UsageError where the model has no adapters, they differ in rank, scale or dropout, or a
///          layer is a part of a published array. EnvironmentError where a file cannot be written.
/// Example:
///   models::save_adapter(tuned.model(), "pirate", {.base_model = "SmolLM2-135M"});
template <PublishedModel Model>
void save_adapter(const Model& model, const std::filesystem::path& folder,
                  const SaveAdapterOptions& options = {},
                  std::source_location where = std::source_location::current()) {
  const NameRules names = name_rules(model.options);
  const auto text = detail::adapter_text(detail::adapted_layers(model), names, options.base_model,
                                         options.task, where);
  std::vector<detail::ModelElements> arrays;
  nn::visit_parameters(
      [&](const nn::Path& path, const auto& value) {
        if (auto name = to_string(path); nn::is_low_rank(name)) {
          arrays.push_back({detail::asked_for(std::move(name), value), detail::elements_of(value)});
        }
      },
      model);
  detail::write_adapter(
      folder, detail::published(arrays, detail::adapter_rules(names), options.dtype, where), text);
}

}  // namespace ddx::models
