#include "ddx/models/text/t5_options.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/detail/options.h"
#include "ddx/tensor/tensor.h"

#include "models/pretrained/detail/activation_names.h"
#include "models/pretrained/detail/block_count.h"
#include "models/pretrained/detail/settings_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {
namespace detail {

const T5Options& checked(const T5Options& options) {
  constexpr const char* name = "T5";
  constexpr std::int64_t least_buckets = 4;
  nn::detail::require_positive(name, "vocabulary", options.vocabulary);
  nn::detail::require_positive(name, "head_features", options.head_features);
  nn::detail::require_positive(name, "heads", options.heads);
  nn::detail::require_positive(name, "encoder_blocks", options.encoder_blocks);
  nn::detail::require_positive(name, "decoder_blocks", options.decoder_blocks);
  nn::detail::require_at_least(name, "buckets", options.buckets, least_buckets);
  // In the decoder half of the buckets are of one distance each.
  nn::detail::require_at_least(name, "distance", options.distance, options.buckets / 2 + 1);
  return options;
}

Tensor<std::int32_t> distance_buckets(std::int64_t queries, std::int64_t keys,
                                      const T5Options& options, bool is_decoder, Device device) {
  const std::int64_t buckets = is_decoder ? options.buckets : options.buckets / 2;
  const std::int64_t exact = buckets / 2;
  const double range = std::log(static_cast<double>(options.distance) / static_cast<double>(exact));
  const auto bucket = [&](std::int64_t distance) {
    if (distance < exact) {
      return distance;
    }
    const double part =
        std::log(static_cast<double>(distance) / static_cast<double>(exact)) / range;
    return std::min(exact + static_cast<std::int64_t>(part * static_cast<double>(buckets - exact)),
                    buckets - 1);
  };
  std::vector<std::int32_t> numbers;
  for (std::int64_t place = keys - queries; place < keys; ++place) {
    for (std::int64_t key = 0; key < keys; ++key) {
      std::int64_t number = bucket(std::abs(key - place));
      if (key > place) {
        number = is_decoder ? options.buckets : number + buckets;
      }
      numbers.push_back(static_cast<std::int32_t>(number));
    }
  }
  return Tensor<std::int32_t>({queries, keys}, numbers, device);
}

}  // namespace detail

template <>
T5Options options_from<T5Options>(const ModelConfiguration& configuration) {
  if (configuration.text("model_type") != "t5") {
    configuration.refuse("model_type", "t5");
  }
  const T5Options absent;
  T5Options options{
      .vocabulary = configuration.integer("vocab_size", absent.vocabulary),
      .features = configuration.integer("d_model", absent.features),
      .head_features = configuration.integer("d_kv", absent.head_features),
      .hidden = configuration.integer("d_ff", absent.hidden),
      .encoder_blocks = detail::block_count(configuration, "num_layers", absent.encoder_blocks),
      .heads = configuration.integer("num_heads", absent.heads),
      .buckets = configuration.integer("relative_attention_num_buckets", absent.buckets),
      .distance = configuration.integer("relative_attention_max_distance", absent.distance),
      .epsilon = configuration.real("layer_norm_epsilon", absent.epsilon),
      .dropout = configuration.real("dropout_rate", absent.dropout),
      .tied_head = configuration.boolean("tie_word_embeddings", true)};
  options.decoder_blocks =
      detail::block_count(configuration, "num_decoder_layers", options.encoder_blocks);
  options.scaled_scores = configuration.boolean("scale_decoder_outputs", options.tied_head);
  const std::string projection = configuration.text("feed_forward_proj", "relu");
  options.gated = projection.starts_with("gated-");
  if (projection == "gated-gelu") {  // Of the tanh, as the files of T5 1.1 mean it.
    options.activation = nn::Activation::GELUTanh;
  } else if (projection == "gated-silu") {
    options.activation = nn::Activation::SiLU;
  } else if (projection == "gated-gelu_new") {
    options.activation = nn::Activation::GELUTanh;
  } else if (!options.gated) {
    options.activation =
        detail::activation_from(configuration, "feed_forward_proj", absent.activation);
  } else {
    configuration.refuse("feed_forward_proj", "gated-gelu, gated-silu");
  }
  return options;
}

std::string configuration_text(const T5Options& options, DType dtype) {
  std::string projection = detail::activation_name(options.activation);
  if (options.gated) {
    if (options.activation != nn::Activation::GELUTanh &&
        options.activation != nn::Activation::SiLU) {
      throw UsageError("save_pretrained",
                       "the configuration of t5 has no setting for gates with " + projection);
    }
    projection = options.activation == nn::Activation::SiLU ? "gated-silu" : "gated-gelu";
  }
  return detail::settings_text({{"architectures", {"T5ForConditionalGeneration"}},
                                {"model_type", "t5"},
                                {"is_encoder_decoder", true},
                                {"vocab_size", options.vocabulary},
                                {"d_model", options.features},
                                {"d_kv", options.head_features},
                                {"d_ff", options.hidden},
                                {"num_layers", options.encoder_blocks},
                                {"num_decoder_layers", options.decoder_blocks},
                                {"num_heads", options.heads},
                                {"relative_attention_num_buckets", options.buckets},
                                {"relative_attention_max_distance", options.distance},
                                {"layer_norm_epsilon", options.epsilon},
                                {"dropout_rate", options.dropout},
                                {"feed_forward_proj", projection},
                                {"tie_word_embeddings", options.tied_head},
                                {"scale_decoder_outputs", options.scaled_scores}},
                               dtype);
}

double parameter_count(const T5Options& options) noexcept {
  const auto features = static_cast<double>(options.features);
  const auto heads = static_cast<double>(options.heads);
  const double attention = 4 * features * heads * static_cast<double>(options.head_features);
  const double dense = (options.gated ? 3 : 2) * features * static_cast<double>(options.hidden);
  const double encoder = attention + dense + 2 * features;
  const double decoder = 2 * attention + dense + 3 * features;
  const double tables = static_cast<double>(options.vocabulary) * features;
  return static_cast<double>(options.encoder_blocks) * encoder +
         static_cast<double>(options.decoder_blocks) * decoder +
         2 * (static_cast<double>(options.buckets) * heads + features) +
         (options.tied_head ? 1 : 2) * tables;
}

NameRules name_rules(const T5Options& options) {
  NameRules names{
      .rules = {{"tokens.weight", {"shared.weight"}},
                {"head.0.weight", {"lm_head.weight"}, Layout::Transposed}},
      .ignored = {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
                  "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"},
      .prefixes = {"module.", "_orig_mod."}};
  if (options.tied_head) {
    names.ignored.emplace_back("lm_head.weight");
  }
  const auto add = [&](const std::string& stack, const std::string& ours, const std::string& theirs,
                       Layout layout = Layout::Same) {
    names.rules.push_back(
        {stack + ".blocks.{}." + ours, {stack + ".block.{}.layer." + theirs}, layout});
  };
  for (const std::string stack : {"encoder", "decoder"}) {
    const std::string dense = stack == "encoder" ? "1." : "2.";
    names.rules.push_back(
        {stack + ".distances",
         {stack + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight"}});
    names.rules.push_back({stack + ".norm.scale", {stack + ".final_layer_norm.weight"}});
    add(stack, "attention_norm.scale", "0.layer_norm.weight");
    add(stack, "source_norm.0.scale", "1.layer_norm.weight");
    add(stack, "dense_norm.scale", dense + "layer_norm.weight");
    for (const auto& [ours, theirs] : {std::pair{"query", "q"}, std::pair{"key", "k"},
                                       std::pair{"value", "v"}, std::pair{"output", "o"}}) {
      const std::string end = std::string(theirs) + ".weight";
      const std::string weight = std::string(ours) + ".weight";
      add(stack, "attention." + weight, "0.SelfAttention." + end, Layout::Transposed);
      add(stack, "source_attention.0." + weight, "1.EncDecAttention." + end, Layout::Transposed);
    }
    for (const auto& [ours, theirs] :
         {std::pair{"gated.0.gate", "wi_0"}, std::pair{"gated.0.up", "wi_1"},
          std::pair{"gated.0.down", "wo"}, std::pair{"widen.0", "wi"},
          std::pair{"narrow.0", "wo"}}) {
      add(stack, std::string(ours) + ".weight", dense + "DenseReluDense." + theirs + ".weight",
          Layout::Transposed);
    }
  }
  return names;
}

}  // namespace ddx::models
