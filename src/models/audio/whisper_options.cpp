#include "ddx/models/audio/whisper_options.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/sample_shapes.h"

#include "models/pretrained/detail/activation_names.h"
#include "models/pretrained/detail/block_count.h"
#include "models/pretrained/detail/settings_text.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {
namespace detail {

const WhisperOptions& checked(const WhisperOptions& options) {
  constexpr const char* name = "Whisper";
  nn::detail::require_positive(name, "vocabulary", options.vocabulary);
  nn::detail::require_positive(name, "bands", options.bands);
  nn::detail::require_positive(name, "source_places", options.source_places);
  nn::detail::require_positive(name, "target_places", options.target_places);
  nn::detail::require_positive(name, "encoder_blocks", options.encoder_blocks);
  nn::detail::require_positive(name, "decoder_blocks", options.decoder_blocks);
  nn::detail::require_positive(name, "encoder_heads", options.encoder_heads);
  nn::detail::require_positive(name, "decoder_heads", options.decoder_heads);
  nn::detail::require_at_least(name, "features", options.features, 4);
  if (options.features % 2 != 0) {
    throw UsageError(
        name, "features is " + std::to_string(options.features) + ", an even number is required");
  }
  nn::detail::require_divisor(name, "encoder_heads", options.encoder_heads, "features",
                              options.features);
  nn::detail::require_divisor(name, "decoder_heads", options.decoder_heads, "features",
                              options.features);
  return options;
}

std::vector<double> source_positions(const WhisperOptions& options) {
  constexpr double base = 10000;
  const std::int64_t half = options.features / 2;
  std::vector<double> result;
  for (std::int64_t place = 0; place < options.source_places; ++place) {
    for (std::int64_t i = 0; i < 2 * half; ++i) {
      const double angle =
          static_cast<double>(place) *
          std::pow(base, -static_cast<double>(i % half) / static_cast<double>(half - 1));
      result.push_back(i < half ? std::sin(angle) : std::cos(angle));
    }
  }
  return result;
}

std::vector<double> causal_scores(std::int64_t queries, std::int64_t keys) {
  std::vector<double> result;
  for (std::int64_t place = keys - queries; place < keys; ++place) {
    for (std::int64_t key = 0; key < keys; ++key) {
      result.push_back(key > place ? -std::numeric_limits<double>::infinity() : 0);
    }
  }
  return result;
}

}  // namespace detail

template <>
WhisperOptions options_from<WhisperOptions>(const ModelConfiguration& configuration) {
  if (configuration.text("model_type") != "whisper") {
    configuration.refuse("model_type", "whisper");
  }
  for (const char* const key : {"dropout", "attention_dropout", "activation_dropout",
                                "encoder_layerdrop", "decoder_layerdrop"}) {
    configuration.require(key, 0.0);
  }
  configuration.require("scale_embedding", false);
  configuration.require("tie_word_embeddings", true);
  configuration.require("apply_spec_augment", false);
  const WhisperOptions absent;
  return {
      .vocabulary = configuration.integer("vocab_size", absent.vocabulary),
      .bands = configuration.integer("num_mel_bins", absent.bands),
      .source_places = configuration.integer("max_source_positions", absent.source_places),
      .target_places = configuration.integer("max_target_positions", absent.target_places),
      .features = configuration.integer("d_model", absent.features),
      .encoder_blocks = detail::block_count(configuration, "encoder_layers", absent.encoder_blocks),
      .encoder_heads = configuration.integer("encoder_attention_heads", absent.encoder_heads),
      .encoder_hidden = configuration.integer("encoder_ffn_dim", absent.encoder_hidden),
      .decoder_blocks = detail::block_count(configuration, "decoder_layers", absent.decoder_blocks),
      .decoder_heads = configuration.integer("decoder_attention_heads", absent.decoder_heads),
      .decoder_hidden = configuration.integer("decoder_ffn_dim", absent.decoder_hidden),
      .activation =
          detail::activation_from(configuration, "activation_function", absent.activation)};
}

std::string configuration_text(const WhisperOptions& options, DType dtype) {
  return detail::settings_text(
      {{"architectures", {"WhisperForConditionalGeneration"}},
       {"model_type", "whisper"},
       {"is_encoder_decoder", true},
       {"vocab_size", options.vocabulary},
       {"num_mel_bins", options.bands},
       {"max_source_positions", options.source_places},
       {"max_target_positions", options.target_places},
       {"d_model", options.features},
       {"encoder_layers", options.encoder_blocks},
       {"encoder_attention_heads", options.encoder_heads},
       {"encoder_ffn_dim", options.encoder_hidden},
       {"decoder_layers", options.decoder_blocks},
       {"decoder_attention_heads", options.decoder_heads},
       {"decoder_ffn_dim", options.decoder_hidden},
       {"activation_function", detail::activation_name(options.activation)},
       {"tie_word_embeddings", true}},
      dtype);
}

double parameter_count(const WhisperOptions& options) noexcept {
  const auto features = static_cast<double>(options.features);
  const double attention = 4 * features * features + 3 * features;
  const auto dense = [&](std::int64_t hidden) {
    return (2 * features + 1) * static_cast<double>(hidden) + features;
  };
  const double norm = 2 * features;
  const double encoder = attention + dense(options.encoder_hidden) + 2 * norm;
  const double decoder = 2 * attention + dense(options.decoder_hidden) + 3 * norm;
  const double front =
      3 * features * (static_cast<double>(options.bands) + features) + 2 * features;
  const double tables = static_cast<double>(options.vocabulary) +
                        static_cast<double>(options.source_places) +
                        static_cast<double>(options.target_places);
  return static_cast<double>(options.encoder_blocks) * encoder +
         static_cast<double>(options.decoder_blocks) * decoder + front + tables * features +
         2 * norm;
}

NameRules name_rules(const WhisperOptions& /*options*/) {
  NameRules names{
      .rules = {{"tokens.weight", {"model.decoder.embed_tokens.weight"}},
                {"positions.weight", {"model.decoder.embed_positions.weight"}},
                {"source_positions.layer.weight", {"model.encoder.embed_positions.weight"}},
                {"narrow.filter", {"model.encoder.conv1.weight"}, Layout::Filter},
                {"narrow.bias", {"model.encoder.conv1.bias"}},
                {"halve.filter", {"model.encoder.conv2.weight"}, Layout::Filter},
                {"halve.bias", {"model.encoder.conv2.bias"}}},
      .ignored = {"proj_out.weight"},
      .prefixes = {"model.", "module.", "_orig_mod."}};
  for (const std::string stack : {"encoder", "decoder"}) {
    const auto add = [&](const std::string& ours, const std::string& theirs,
                         Layout layout = Layout::Same) {
      names.rules.push_back(
          {stack + ".{}." + ours, {"model." + stack + ".layers.{}." + theirs}, layout});
    };
    const auto add_norm = [&](const std::string& ours, const std::string& theirs) {
      add(ours + ".scale", theirs + ".weight");
      add(ours + ".offset", theirs + ".bias");
    };
    const auto add_dense = [&](const std::string& ours, const std::string& theirs) {
      add(ours + ".weight", theirs + ".weight", Layout::Transposed);
      add(ours + ".bias", theirs + ".bias");
    };
    add_norm("attention_norm", "self_attn_layer_norm");
    add_norm("source_norm.0", "encoder_attn_layer_norm");
    add_norm("dense_norm", "final_layer_norm");
    for (const auto& [ours, theirs] : {std::pair{"query", "q"}, std::pair{"key", "k"},
                                       std::pair{"value", "v"}, std::pair{"output", "out"}}) {
      add_dense(std::string("attention.") + ours, std::string("self_attn.") + theirs + "_proj");
      add_dense(std::string("source_attention.0.") + ours,
                std::string("encoder_attn.") + theirs + "_proj");
    }
    add_dense("widen", "fc1");
    add_dense("narrow", "fc2");
    names.rules.push_back({stack + "_norm.scale", {"model." + stack + ".layer_norm.weight"}});
    names.rules.push_back({stack + "_norm.offset", {"model." + stack + ".layer_norm.bias"}});
  }
  return names;
}

}  // namespace ddx::models
