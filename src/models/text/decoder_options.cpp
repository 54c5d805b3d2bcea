#include "ddx/models/text/decoder_options.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/models/blocks/decoder_block.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/nn/detail/options.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {
namespace detail {

const DecoderOptions& checked(const DecoderOptions& options) {
  nn::detail::require_positive("Decoder", "vocabulary", options.vocabulary);
  nn::detail::require_positive("Decoder", "blocks", options.blocks);
  if (options.attention.empty()) {
    throw UsageError("Decoder", "attention is empty, at least one is required");
  }
  return options;
}

RMSNormSettings norm_settings(const DecoderOptions& options) {
  return {.epsilon = options.epsilon,
          .centre = options.family == DecoderFamily::Gemma3 ? 1.0 : 0.0};
}

DecoderBlockOptions block_options(const DecoderOptions& options, std::int64_t block) {
  const bool is_gemma = options.family == DecoderFamily::Gemma3;
  const auto number = static_cast<std::uint64_t>(block);
  const DecoderAttention& places = options.attention[number % options.attention.size()];
  DecoderBlockOptions result{
      .attention = {.features = options.features,
                    .heads = options.heads,
                    .key_heads = options.key_heads,
                    .head_features = options.head_features,
                    .input_bias = options.attention_bias || options.family == DecoderFamily::Qwen2,
                    .output_bias = options.attention_bias,
                    .window = places.window,
                    .rotary = places.rotary,
                    .key = RandomKey(0).fold_in(number)},
      .hidden = options.hidden,
      .activation = options.activation,
      .norm = norm_settings(options),
      .norms_results = is_gemma};
  if (is_gemma || options.family == DecoderFamily::Qwen3) {
    result.attention.head_norm = norm_settings(options);
  }
  if (options.experts != 0) {
    result.routing = {.experts = options.experts, .used = options.used_experts};
  }
  if (options.query_scalar != 0) {
    nn::detail::require_positive("Decoder", "query_scalar", options.query_scalar);
    result.attention.scale = 1 / std::sqrt(static_cast<double>(options.query_scalar));
  }
  return result;
}

}  // namespace detail

double parameter_count(const DecoderOptions& options) noexcept {
  const auto features = static_cast<double>(options.features);
  const auto heads = static_cast<double>(options.heads);
  const double key_heads = options.key_heads == 0 ? heads : static_cast<double>(options.key_heads);
  const double depth =
      options.head_features == 0 ? features / heads : static_cast<double>(options.head_features);
  const bool is_gemma = options.family == DecoderFamily::Gemma3;
  const bool has_input_bias = options.attention_bias || options.family == DecoderFamily::Qwen2;
  const bool has_head_norms = is_gemma || options.family == DecoderFamily::Qwen3;
  const double inputs = depth * (heads + 2 * key_heads);
  const double attention = features * (inputs + heads * depth) + (has_input_bias ? inputs : 0) +
                           (options.attention_bias ? features : 0) +
                           (has_head_norms ? 2 * depth : 0);
  const auto experts = static_cast<double>(options.experts);
  const double gated = 3 * features * static_cast<double>(options.hidden);
  const double dense = options.experts == 0 ? gated : experts * (gated + features);
  const double norms = (is_gemma ? 4 : 2) * features;
  const double tables = (options.tied_head ? 1 : 2) * features;
  return static_cast<double>(options.blocks) * (attention + dense + norms) + features +
         static_cast<double>(options.vocabulary) * tables;
}

namespace {

/// Phi's names of query, key and value in one array, and of gate and up in another.
void add_joined_names(NameRules& names, const DecoderOptions& options) {
  const auto add = [&](const std::string& ours, const std::string& theirs, const Part& part) {
    names.rules.push_back({"blocks.{}." + ours + ".weight",
                           {"model.layers.{}." + theirs + ".weight"},
                           Layout::Transposed,
                           part});
  };
  const auto attention = detail::completed(detail::block_options(options, 0).attention);
  const std::int64_t keys = attention.key_heads * attention.head_features;
  Part part{.count = 3, .extents = {attention.heads * attention.head_features, keys, keys}};
  for (const char* const each : {"query", "key", "value"}) {
    add(std::string("attention.") + each, "self_attn.qkv_proj", part);
    ++part.index;
  }
  add("dense.gate", "mlp.gate_up_proj", {.index = 0, .count = 2});
  add("dense.up", "mlp.gate_up_proj", {.index = 1, .count = 2});
  add("dense.down", "mlp.down_proj", {});
}

}  // namespace

NameRules name_rules(const DecoderOptions& options) {
  NameRules names{.rules = {{"tokens.weight", {"model.embed_tokens.weight"}},
                            {"norm.scale", {"model.norm.weight"}},
                            {"head.0.weight", {"lm_head.weight"}, Layout::Transposed}},
                  .ignored = {"{*}.rotary_emb.inv_freq"},
                  .prefixes = {"model.", "module.", "_orig_mod."}};
  if (options.tied_head) {
    names.ignored.emplace_back("lm_head.weight");
  }
  const auto add = [&](const std::string& ours, const std::string& theirs,
                       Layout layout = Layout::Same) {
    names.rules.push_back({"blocks.{}." + ours, {"model.layers.{}." + theirs}, layout});
  };
  add("attention_norm.scale", "input_layernorm.weight");
  if (options.family == DecoderFamily::Gemma3) {
    add("attended_norm.0.scale", "post_attention_layernorm.weight");
    add("dense_norm.scale", "pre_feedforward_layernorm.weight");
    add("result_norm.0.scale", "post_feedforward_layernorm.weight");
  } else {
    add("dense_norm.scale", "post_attention_layernorm.weight");
  }
  const bool is_phi = options.family == DecoderFamily::Phi3;
  for (const auto& [ours, theirs] : {std::pair{"query", "q_proj"}, std::pair{"key", "k_proj"},
                                     std::pair{"value", "v_proj"}, std::pair{"output", "o_proj"}}) {
    if (is_phi && std::string(ours) != "output") {
      continue;
    }
    add(std::string("attention.") + ours + ".weight",
        std::string("self_attn.") + theirs + ".weight", Layout::Transposed);
    add(std::string("attention.") + ours + ".bias", std::string("self_attn.") + theirs + ".bias");
  }
  add("attention.query_norm.0.scale", "self_attn.q_norm.weight");
  add("attention.key_norm.0.scale", "self_attn.k_norm.weight");
  if (is_phi) {
    add_joined_names(names, options);
  } else {
    add("dense.{}.weight", "mlp.{}_proj.weight", Layout::Transposed);
  }
  add("experts.0.router.weight", "block_sparse_moe.gate.weight", Layout::Transposed);
  for (const auto& [ours, theirs] :
       {std::pair{"gate", "w1"}, std::pair{"up", "w3"}, std::pair{"down", "w2"}}) {
    add(std::string("experts.0.experts.{}.") + ours + ".weight",
        std::string("block_sparse_moe.experts.{}.") + theirs + ".weight", Layout::Transposed);
  }
  return names;
}

}  // namespace ddx::models
