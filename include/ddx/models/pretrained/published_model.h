/// \file
/// What a model needs to be loaded from a published folder and written back.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/io/gguf_view.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"

#include <concepts>
#include <string>

namespace ddx::models {

/// The options of a model from its `config.json`. Each kind of options specialises it.
template <class Options>
[[nodiscard]] Options options_from(const ModelConfiguration& configuration) = delete;

/// The options of a model from the metadata of a GGUF file. Each kind of options that has names
/// there specialises it.
template <class Options>
[[nodiscard]] Options options_from(const io::GgufView& file) = delete;

/// A model that is made from options, keeps them as `options`, and whose options can be read from a
/// `config.json` (`options_from`), written as one (`configuration_text`) and give the names of its
/// arrays (`name_rules`) and how many parameters they have together (`parameter_count`).
template <class Model>
concept PublishedModel = requires(const Model& model, const typename Model::Options& options,
                                  const ModelConfiguration& configuration, DType dtype) {
  Model(options);
  { model.options } -> std::convertible_to<const typename Model::Options&>;
  { options_from<typename Model::Options>(configuration) } -> std::same_as<typename Model::Options>;
  { configuration_text(options, dtype) } -> std::same_as<std::string>;
  { name_rules(options) } -> std::same_as<NameRules>;
  { parameter_count(options) } -> std::same_as<double>;
};

/// A model that GGUF files may hold: its options can be read from their metadata (`options_from`),
/// and its arrays have names there (`gguf_name_rules`).
template <class Model>
concept GgufModel = PublishedModel<Model> &&
                    requires(const typename Model::Options& options, const io::GgufView& file) {
                      {
                        options_from<typename Model::Options>(file)
                      } -> std::same_as<typename Model::Options>;
                      { gguf_name_rules(options) } -> std::same_as<NameRules>;
                    };

}  // namespace ddx::models
