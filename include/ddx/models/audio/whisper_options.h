/// \file
/// The settings of Whisper, and their names in published files.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/models/pretrained/published_model.h"
#include "ddx/nn/activation.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ddx::models {

/// The settings of Whisper; by default those of Whisper tiny.
struct WhisperOptions {
  std::int64_t vocabulary = 51865;
  std::int64_t bands = 80;            ///< Of the spectrogram.
  std::int64_t source_places = 1500;  ///< Half as many as the spectrogram has frames.
  std::int64_t target_places = 448;   ///< The longest sequence of tokens.
  std::int64_t features = 384;
  std::int64_t encoder_blocks = 4;
  std::int64_t encoder_heads = 6;
  std::int64_t encoder_hidden = 1536;  ///< Of the dense layers.
  std::int64_t decoder_blocks = 4;
  std::int64_t decoder_heads = 6;
  std::int64_t decoder_hidden = 1536;
  nn::Activation activation = nn::Activation::GELU;

  friend bool operator==(const WhisperOptions&, const WhisperOptions&) = default;
};

namespace detail {

/// Throws: UsageError where an extent is below 1, the features are odd or fewer than four, or a
///         number of heads does not divide them.
const WhisperOptions& checked(const WhisperOptions& options);

/// The places of the encoder: those of the first half of the features are sines of place /
/// 10000^(i / (features / 2 - 1)), those of the second cosines.
[[nodiscard]] std::vector<double> source_positions(const WhisperOptions& options);

/// What is added to the scores of the last `queries` of `keys` places: 0 for those up to each, and
/// -infinity for those behind.
[[nodiscard]] std::vector<double> causal_scores(std::int64_t queries, std::int64_t keys);

}  // namespace detail

/// The options from `config.json`, whose `model_type` is "whisper". Absent keys have the defaults
/// of transformers.
///
/// Throws:  EnvironmentError where the type is another, or a setting changes the arithmetic in a
///          way that Whisper has not. Names the file, the key and the value.
template <>
[[nodiscard]] WhisperOptions options_from<WhisperOptions>(const ModelConfiguration& configuration);

/// The text of `config.json` for these options and weights of this dtype.
[[nodiscard]] std::string configuration_text(const WhisperOptions& options, DType dtype);

/// What the arrays of such a model are called in published files.
[[nodiscard]] NameRules name_rules(const WhisperOptions& options);

/// How many numbers such a model has, the places of the encoder included, which are not trained; a
/// double, as options of files may be any numbers.
[[nodiscard]] double parameter_count(const WhisperOptions& options) noexcept;

}  // namespace ddx::models
