#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/text/decoder_options.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/attention/rotary_embedding.h"

#include "models/pretrained/detail/activation_names.h"
#include "models/pretrained/detail/block_count.h"
#include "models/pretrained/detail/settings_text.h"
#include "models/text/detail/rotary_settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::models {
namespace {

using Kind = nn::RotaryScaling::Kind;

/// Of a configuration, before its weights have been seen; published models have at most 512.
constexpr std::int64_t most_experts = 10'000;

constexpr std::string_view windowed_layer = "sliding_attention";
constexpr std::string_view full_layer = "full_attention";

/// What transformers calls a family, and the values of its absent keys.
struct FamilyFacts {
  DecoderFamily family;
  const char* type;
  const char* architecture;
  DecoderOptions defaults;
  std::int64_t window = 4096;
  double base = 10000;
};

const std::vector<FamilyFacts>& families() {
  static const std::vector<FamilyFacts> all{
      {DecoderFamily::Llama, "llama", "LlamaForCausalLM", {.context = 2048}},
      {DecoderFamily::Mistral,
       "mistral",
       "MistralForCausalLM",
       {.context = 131072, .hidden = 14336, .key_heads = 8}},
      {DecoderFamily::Qwen2,
       "qwen2",
       "Qwen2ForCausalLM",
       {.vocabulary = 151936, .context = 32768, .hidden = 22016, .key_heads = 32}},
      {DecoderFamily::Qwen3,
       "qwen3",
       "Qwen3ForCausalLM",
       {.vocabulary = 151936,
        .context = 32768,
        .hidden = 22016,
        .key_heads = 32,
        .head_features = 128}},
      {DecoderFamily::Gemma3,
       "gemma3_text",
       "Gemma3ForCausalLM",
       {.vocabulary = 262208,
        .context = 131072,
        .blocks = 26,
        .features = 2304,
        .hidden = 9216,
        .heads = 8,
        .key_heads = 4,
        .head_features = 256,
        .activation = nn::Activation::GELUTanh,
        .tied_head = true,
        .query_scalar = 256}},
      {DecoderFamily::Mixtral,
       "mixtral",
       "MixtralForCausalLM",
       {.context = 131072, .hidden = 14336, .key_heads = 8, .epsilon = 1e-5, .experts = 8},
       0,
       1e6},
      {DecoderFamily::Phi3,
       "phi3",
       "Phi3ForCausalLM",
       {.vocabulary = 32064, .features = 3072, .hidden = 8192, .epsilon = 1e-5},
       0}};
  return all;
}

const FamilyFacts& facts_of(const ModelConfiguration& configuration) {
  const std::string type = configuration.text("model_type");
  std::string supported;
  for (const FamilyFacts& facts : families()) {
    if (type == facts.type) {
      return facts;
    }
    supported += (supported.empty() ? "" : ", ") + std::string(facts.type);
  }
  configuration.refuse("model_type", supported);
}

/// How many numbers of each head are rotated, of what has a factor of them; 0: all.
std::int64_t rotated_depth(const ModelConfiguration& settings, const DecoderOptions& options,
                           std::int64_t otherwise) {
  constexpr std::string_view key = "partial_rotary_factor";
  if (options.family != DecoderFamily::Phi3) {
    settings.require(key, 1.0);
  }
  if (!settings.has(key)) {
    return otherwise;
  }
  const double part = settings.real(key);
  if (!(part > 0 && part <= 1)) {
    settings.refuse(key, "numbers above 0, at most 1");
  }
  if (part == 1) {
    return 0;
  }
  const auto attention =
      detail::completed(detail::block_options(detail::checked(options), 0).attention);
  return static_cast<std::int64_t>(static_cast<double>(attention.head_features) * part);
}

/// Those that all blocks share.
nn::RotaryOptions common_rotary(const ModelConfiguration& configuration,
                                const DecoderOptions& options, double otherwise) {
  nn::RotaryOptions result{.base = configuration.real("rope_theta", otherwise),
                           .depth = rotated_depth(configuration, options, 0)};
  for (const char* const key : {"rope_scaling", "rope_parameters"}) {
    if (!configuration.has(key)) {
      continue;
    }
    const auto object = configuration.object(key);
    const std::int64_t depth = rotated_depth(object, options, result.depth);
    result = detail::rotary_from(object, result.base, options.context);
    result.depth = depth;
    if (options.family == DecoderFamily::Phi3 && result.scaling.kind != Kind::None) {
      object.refuse(object.has("rope_type") ? "rope_type" : "type", "\"default\"");
    }
    break;
  }
  return result;
}

/// Gemma's: blocks with a window have another base, and are not scaled in old files.
DecoderAttention gemma_attention(const ModelConfiguration& configuration, bool is_windowed,
                                 std::int64_t window, std::int64_t context) {
  const std::string kind(is_windowed ? windowed_layer : full_layer);
  const double base = is_windowed ? configuration.real("rope_local_base_freq", 10000)
                                  : configuration.real("rope_theta", 1e6);
  DecoderAttention result{.window = is_windowed ? window : 0, .rotary = {.base = base}};
  if (configuration.has("rope_parameters")) {
    const auto both = configuration.object("rope_parameters");
    if (both.has(kind)) {
      both.object(kind).require("partial_rotary_factor", 1.0);
      result.rotary = detail::rotary_from(both.object(kind), base, context);
    }
  }
  if (!is_windowed && configuration.has("rope_scaling")) {
    result.rotary =
        detail::rotary_from(configuration.object("rope_scaling"), result.rotary.base, context);
  }
  return result;
}

/// Whether each block has a window, by `layer_types`, or by `otherwise` where they are absent.
template <class Otherwise>
std::vector<bool> windowed_blocks(const ModelConfiguration& configuration, std::int64_t blocks,
                                  const Otherwise& otherwise) {
  std::vector<bool> result;
  if (!configuration.has("layer_types")) {
    for (std::int64_t i = 0; i < blocks; ++i) {
      result.push_back(otherwise(i));
    }
    return result;
  }
  for (const std::string& type : configuration.texts("layer_types")) {
    if (type != windowed_layer && type != full_layer) {
      configuration.refuse("layer_types", "\"full_attention\" and \"sliding_attention\"");
    }
    result.push_back(type == windowed_layer);
  }
  if (static_cast<std::int64_t>(result.size()) != blocks) {
    configuration.refuse("layer_types", std::to_string(blocks) + " of them, one for each block");
  }
  return result;
}

/// Whether all blocks have the window of the configuration.
bool has_one_window(DecoderFamily family) {
  return family == DecoderFamily::Mistral || family == DecoderFamily::Mixtral ||
         family == DecoderFamily::Phi3;
}

std::vector<DecoderAttention> attention_from(const ModelConfiguration& configuration,
                                             const DecoderOptions& options,
                                             const FamilyFacts& facts) {
  const std::int64_t window = configuration.is_null("sliding_window")
                                  ? 0
                                  : configuration.integer("sliding_window", facts.window);
  if (options.family == DecoderFamily::Gemma3) {
    const std::int64_t pattern = configuration.integer("sliding_window_pattern", 6);
    if (pattern < 1) {
      configuration.refuse("sliding_window_pattern", "numbers above 0");
    }
    std::vector<DecoderAttention> result;
    for (const bool is_windowed :
         windowed_blocks(configuration, options.blocks,
                         [&](std::int64_t i) { return (i + 1) % pattern != 0; })) {
      result.push_back(gemma_attention(configuration, is_windowed, window, options.context));
    }
    return result;
  }
  const auto rotary = common_rotary(configuration, options, facts.base);
  if (options.family == DecoderFamily::Llama) {
    return {{.rotary = rotary}};
  }
  if (has_one_window(options.family)) {
    return {{.window = window, .rotary = rotary}};
  }
  if (!configuration.boolean("use_sliding_window", false) || window == 0) {
    return {{.rotary = rotary}};
  }
  const std::int64_t first = configuration.integer("max_window_layers", 28);
  std::vector<DecoderAttention> result;
  for (const bool is_windowed :
       windowed_blocks(configuration, options.blocks, [&](std::int64_t i) { return i >= first; })) {
    result.push_back({.window = is_windowed ? window : 0, .rotary = rotary});
  }
  return result;
}

/// The settings that no family here has.
void require_supported(const ModelConfiguration& configuration, const DecoderOptions& options) {
  configuration.require("attention_dropout", 0.0);
  configuration.require("mlp_bias", false);
  if (options.family == DecoderFamily::Mixtral) {
    configuration.require("router_jitter_noise", 0.0);
  }
  if (options.family == DecoderFamily::Phi3) {
    configuration.require("resid_pdrop", 0.0);
    configuration.require("embd_pdrop", 0.0);
  }
  if (options.family == DecoderFamily::Gemma3) {
    configuration.require("use_bidirectional_attention", false);
    for (const char* const key : {"final_logit_softcapping", "attn_logit_softcapping"}) {
      if (configuration.has(key)) {
        configuration.refuse(key, "null");
      }
    }
  }
}

bool has_bias_setting(DecoderFamily family) {
  return !has_one_window(family) && family != DecoderFamily::Qwen2;
}

[[noreturn]] void refuse_options(const FamilyFacts& facts, const std::string& reason) {
  throw UsageError("save_pretrained", "the configuration of " + std::string(facts.type) +
                                          " has no setting for " + reason);
}

/// The attention of each block.
std::vector<DecoderAttention> by_block(const DecoderOptions& options) {
  std::vector<DecoderAttention> result;
  for (std::int64_t i = 0; i < options.blocks; ++i) {
    result.push_back(options.attention[static_cast<std::size_t>(i) % options.attention.size()]);
  }
  return result;
}

/// The first block with or without a window; a configuration has one setting for all of a kind.
const DecoderAttention* first_of(const std::vector<DecoderAttention>& blocks, bool is_windowed,
                                 const FamilyFacts& facts) {
  const DecoderAttention* first = nullptr;
  for (const DecoderAttention& block : blocks) {
    if ((block.window > 0) != is_windowed) {
      continue;
    }
    first = first == nullptr ? &block : first;
    if (*first != block) {
      refuse_options(facts, "blocks that differ in their windows or rotations");
    }
    if (block.rotary.pairs != nn::RotaryPairs::Halves || block.rotary.first != 0) {
      refuse_options(facts, "rotations of neighbours, or from another place than 0 on");
    }
  }
  return first;
}

/// The part of each head that is rotated, of Phi alone.
void write_rotated_depth(nlohmann::ordered_json& settings, const nn::RotaryOptions& rotary,
                         const DecoderOptions& options, const FamilyFacts& facts) {
  if (options.family != DecoderFamily::Phi3) {
    if (rotary.depth != 0) {
      refuse_options(facts, "rotations of a part of each head");
    }
    return;
  }
  if (rotary.scaling.kind != Kind::None) {
    refuse_options(facts, "this scaling of rotations");
  }
  const auto attention = detail::completed(detail::block_options(options, 0).attention);
  const auto all = static_cast<double>(attention.head_features);
  double part = rotary.depth == 0 ? 1 : static_cast<double>(rotary.depth) / all;
  if (static_cast<std::int64_t>(all * part) < rotary.depth) {
    part = std::nextafter(part, 1.0);  // Readers round the product down.
  }
  settings["pad_token_id"] = nullptr;  // Absent, it may lie beyond the vocabulary.
  settings["partial_rotary_factor"] = part;
  settings["rope_parameters"]["partial_rotary_factor"] = part;
}

void write_attention(nlohmann::ordered_json& settings, const DecoderOptions& options,
                     const FamilyFacts& facts) {
  const auto blocks = by_block(options);
  const DecoderAttention* const windowed = first_of(blocks, true, facts);
  const DecoderAttention* const full = first_of(blocks, false, facts);
  const DecoderAttention& some = full != nullptr ? *full : *windowed;
  const bool is_gemma = options.family == DecoderFamily::Gemma3;
  if (windowed != nullptr && full != nullptr &&
      (has_one_window(options.family) || (!is_gemma && windowed->rotary != full->rotary))) {
    refuse_options(facts, "blocks that differ in their windows or rotations");
  }
  if (windowed != nullptr && options.family == DecoderFamily::Llama) {
    refuse_options(facts, "windows");
  }
  if (some.rotary.scaling.kind != Kind::None) {
    settings["rope_scaling"] = detail::rotary_settings(some.rotary);
  }
  settings["rope_theta"] = some.rotary.base;
  settings["rope_parameters"] = detail::rotary_parameters(some.rotary);
  write_rotated_depth(settings, some.rotary, options, facts);
  if (options.family == DecoderFamily::Llama) {
    return;
  }
  settings["sliding_window"] = nullptr;
  if (windowed != nullptr) {
    settings["sliding_window"] = windowed->window;
  }
  if (has_one_window(options.family)) {
    return;
  }
  std::vector<std::string> types;
  for (const DecoderAttention& block : blocks) {
    types.emplace_back(block.window > 0 ? windowed_layer : full_layer);
  }
  settings["layer_types"] = types;
  if (is_gemma) {
    const DecoderAttention& local = windowed != nullptr ? *windowed : some;
    settings["rope_local_base_freq"] = local.rotary.base;
    settings["rope_parameters"] = {
        {std::string(full_layer), detail::rotary_parameters(some.rotary)},
        {std::string(windowed_layer), detail::rotary_parameters(local.rotary)}};
    return;
  }
  settings["use_sliding_window"] = windowed != nullptr;
  settings["max_window_layers"] = std::ranges::find(types, windowed_layer) - types.begin();
}

}  // namespace

template <>
DecoderOptions options_from<DecoderOptions>(const ModelConfiguration& configuration) {
  const FamilyFacts& facts = facts_of(configuration);
  DecoderOptions options = facts.defaults;
  options.family = facts.family;
  const bool is_gemma = options.family == DecoderFamily::Gemma3;
  options.vocabulary = configuration.integer("vocab_size", options.vocabulary);
  options.context = configuration.integer("max_position_embeddings", options.context);
  options.blocks = detail::block_count(configuration, "num_hidden_layers", options.blocks);
  options.features = configuration.integer("hidden_size", options.features);
  options.hidden = configuration.integer("intermediate_size", options.hidden);
  options.heads = configuration.integer("num_attention_heads", options.heads);
  options.key_heads = configuration.is_null("num_key_value_heads")
                          ? 0
                          : configuration.integer("num_key_value_heads", options.key_heads);
  options.head_features = configuration.is_null("head_dim")
                              ? 0
                              : configuration.integer("head_dim", options.head_features);
  options.epsilon = configuration.real("rms_norm_eps", options.epsilon);
  options.activation = detail::activation_from(
      configuration, is_gemma ? "hidden_activation" : "hidden_act", options.activation);
  options.tied_head = configuration.boolean("tie_word_embeddings", options.tied_head);
  if (has_bias_setting(options.family)) {
    options.attention_bias = configuration.boolean("attention_bias", false);
  }
  if (options.family == DecoderFamily::Mixtral) {
    options.experts = configuration.integer("num_local_experts", options.experts);
    options.used_experts = configuration.integer("num_experts_per_tok", options.used_experts);
    if (options.experts < 1 || options.experts > most_experts) {
      configuration.refuse("num_local_experts", "1 to " + std::to_string(most_experts));
    }
  }
  if (is_gemma) {
    options.query_scalar = configuration.integer("query_pre_attn_scalar", options.query_scalar);
  }
  require_supported(configuration, options);
  options.attention = attention_from(configuration, options, facts);
  return options;
}

std::string configuration_text(const DecoderOptions& options, DType dtype) {
  const FamilyFacts& facts = families()[static_cast<std::size_t>(options.family)];
  const bool is_gemma = options.family == DecoderFamily::Gemma3;
  const auto attention =
      detail::completed(detail::block_options(detail::checked(options), 0).attention);
  nlohmann::ordered_json settings{
      {"architectures", {facts.architecture}}, {"model_type", facts.type},
      {"vocab_size", options.vocabulary},      {"hidden_size", options.features},
      {"intermediate_size", options.hidden},   {"num_hidden_layers", options.blocks},
      {"num_attention_heads", options.heads},  {"num_key_value_heads", attention.key_heads},
      {"head_dim", attention.head_features},   {"max_position_embeddings", options.context},
      {"rms_norm_eps", options.epsilon},       {"tie_word_embeddings", options.tied_head}};
  settings[is_gemma ? "hidden_activation" : "hidden_act"] =
      detail::activation_name(options.activation);
  if (has_bias_setting(options.family)) {
    settings["attention_bias"] = options.attention_bias;
  } else if (options.attention_bias) {
    refuse_options(facts, "attention_bias");
  }
  if (is_gemma) {
    settings["query_pre_attn_scalar"] =
        options.query_scalar == 0 ? attention.head_features : options.query_scalar;
  } else if (options.query_scalar != 0) {
    refuse_options(facts, "query_scalar");
  }
  if (options.family == DecoderFamily::Mixtral) {
    settings["num_local_experts"] = options.experts;
    settings["num_experts_per_tok"] = options.used_experts;
  } else if (options.experts != 0) {
    refuse_options(facts, "experts");
  }
  write_attention(settings, options, facts);
  return detail::settings_text(std::move(settings), dtype);
}

}  // namespace ddx::models
