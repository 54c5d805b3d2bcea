/// \file
/// The settings of decoders, and their names in published files.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/io/gguf_view.h"
#include "ddx/models/blocks/decoder_block.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/models/pretrained/published_model.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/attention/rotary_embedding.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace ddx::models {

/// Published decoders that differ in what their blocks have.
enum class DecoderFamily : std::uint8_t {
  Llama,    ///< Llama 2, Llama 3, SmolLM.
  Mistral,  ///< As Llama, with a window.
  Qwen2,    ///< Biases of query, key and value.
  Qwen3,    ///< Normalised queries and keys.
  /// Normalised queries, keys and results of layers; scales around 0; words times the root of the
  /// features; most blocks have a window and another base of rotations.
  Gemma3,
  Mixtral,  ///< As Mistral, with a mixture of experts.
  /// As Mistral; the files have query, key and value in one array, and gate and up in another.
  /// Rotations of a part of each head.
  Phi3,
};

/// What a block of a decoder sees, and how places differ for it.
struct DecoderAttention {
  std::int64_t window = 0;  ///< How many places a place sees at most; 0: all.
  nn::RotaryOptions rotary = {};

  friend bool operator==(const DecoderAttention&, const DecoderAttention&) = default;
};

/// The settings of Decoder; by default those of Llama 2 7B.
struct DecoderOptions {
  DecoderFamily family = DecoderFamily::Llama;
  std::int64_t vocabulary = 32000;
  std::int64_t context = 4096;  ///< The longest sequence in training. Longer ones are computed too.
  std::int64_t blocks = 32;
  std::int64_t features = 4096;
  std::int64_t hidden = 11008;  ///< Of the dense layers.
  std::int64_t heads = 32;
  std::int64_t key_heads = 0;                        ///< 0: as `heads`.
  std::int64_t head_features = 0;                    ///< 0: features / heads.
  double epsilon = 1e-6;                             ///< Of the normalisations.
  nn::Activation activation = nn::Activation::SiLU;  ///< Of the gates.
  bool attention_bias = false;  ///< Of all projections of attention; Qwen 2 has its own anyway.
  bool tied_head = false;       ///< Whether scores are products with the vectors of the tokens.
  /// Scores of attention are divided by its root; 0: the features of a head. Gemma alone.
  std::int64_t query_scalar = 0;
  std::int64_t experts = 0;       ///< Dense layers that a router chooses from; Mixtral alone.
  std::int64_t used_experts = 2;  ///< By each place.
  /// Of each block in turn, from the first one again after the last: one for all blocks alike.
  std::vector<DecoderAttention> attention = {{}};

  friend bool operator==(const DecoderOptions&, const DecoderOptions&) = default;
};

namespace detail {

/// Throws: UsageError where an extent is below 1, or there is no attention.
const DecoderOptions& checked(const DecoderOptions& options);

/// The settings of a block.
[[nodiscard]] DecoderBlockOptions block_options(const DecoderOptions& options, std::int64_t block);

/// Those of the normalisations.
[[nodiscard]] RMSNormSettings norm_settings(const DecoderOptions& options);

/// What the vectors of tokens are multiplied by.
[[nodiscard]] inline double token_scale(const DecoderOptions& options) {
  return options.family == DecoderFamily::Gemma3 ? std::sqrt(static_cast<double>(options.features))
                                                 : 1;
}

}  // namespace detail

/// The options from `config.json`, whose `model_type` is "llama", "mistral", "qwen2", "qwen3",
/// "gemma3_text", "mixtral" or "phi3". Both forms of settings of rotation are read: `rope_theta`
/// with `rope_scaling`, and `rope_parameters`. Absent keys have the defaults of transformers.
///
/// Throws:  EnvironmentError where the type is another, or a setting changes the arithmetic in a
///          way that Decoder has not. Names the file, the key and the value.
template <>
[[nodiscard]] DecoderOptions options_from<DecoderOptions>(const ModelConfiguration& configuration);

/// The options from a GGUF file, whose `general.architecture` is "llama", "qwen2", "qwen3",
/// "gemma3" or "phi3". The head is tied where there is no array for it; a window makes a Llama a
/// Mistral.
///
/// Throws:  EnvironmentError where the architecture is another, a setting is absent or of another
///          kind, or a setting is not known or not supported: a mixture of experts, scaled
///          rotations other than linear, YaRN and those of `rope_freqs.weight`, parts of a model.
///          Names the file, the key and the value.
template <>
[[nodiscard]] DecoderOptions options_from<DecoderOptions>(const io::GgufView& file);

/// The text of `config.json` for these options and weights of this dtype, with both forms of
/// settings of rotation.
///
/// Throws:  UsageError where the family has no setting for one of the options.
[[nodiscard]] std::string configuration_text(const DecoderOptions& options, DType dtype);

/// What the arrays of such a model are called in published files.
[[nodiscard]] NameRules name_rules(const DecoderOptions& options);

/// What they are called in GGUF files.
[[nodiscard]] NameRules gguf_name_rules(const DecoderOptions& options);

/// How many parameters such a model has; a double, as options of files may be any numbers.
[[nodiscard]] double parameter_count(const DecoderOptions& options) noexcept;

}  // namespace ddx::models
