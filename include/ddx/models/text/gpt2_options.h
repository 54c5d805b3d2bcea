/// \file
/// The settings of GPT-2, and its names in published files.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/io/gguf_view.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/models/pretrained/published_model.h"
#include "ddx/nn/activation.h"

#include <cstdint>
#include <string>

namespace ddx::models {

/// The settings of GPT2; by default those of its smallest form.
struct GPT2Options {
  std::int64_t vocabulary = 50257;
  std::int64_t context = 1024;  ///< The longest sequence.
  std::int64_t blocks = 12;
  std::int64_t features = 768;
  std::int64_t heads = 12;
  std::int64_t hidden = 0;  ///< Of the dense layers; 0: four times the features.
  double epsilon = 1e-5;    ///< Of the normalisations.
  nn::Activation activation = nn::Activation::GELUTanh;
  double token_dropout = 0.1;      ///< Of the vectors of tokens with their places.
  double attention_dropout = 0.1;  ///< Of the weights of attention.
  double dropout = 0.1;            ///< Of the results of attention and of the dense layers.

  friend bool operator==(const GPT2Options&, const GPT2Options&) = default;
};

/// The options from `config.json`. Absent keys have the defaults of transformers.
///
/// Throws:  EnvironmentError where `model_type` is not "gpt2", or a setting changes the arithmetic
///          in a way that GPT2 has not. Names the file, the key and the value.
template <>
[[nodiscard]] GPT2Options options_from<GPT2Options>(const ModelConfiguration& configuration);

/// The options from a GGUF file.
///
/// Throws:  EnvironmentError where `general.architecture` is not "gpt2", or a setting is absent, of
///          another kind or not known. Names the file, the key and the value.
template <>
[[nodiscard]] GPT2Options options_from<GPT2Options>(const io::GgufView& file);

/// The text of `config.json` for these options and weights of this dtype.
///
/// Throws:  UsageError where the activation has no name there.
[[nodiscard]] std::string configuration_text(const GPT2Options& options, DType dtype);

/// What the arrays are called in published files, with and without "transformer." before them.
[[nodiscard]] NameRules name_rules(const GPT2Options& options);

/// What the arrays are called in GGUF files.
[[nodiscard]] NameRules gguf_name_rules(const GPT2Options& options);

/// How many parameters such a model has; a double, as options of files may be any numbers.
[[nodiscard]] double parameter_count(const GPT2Options& options) noexcept;

}  // namespace ddx::models
