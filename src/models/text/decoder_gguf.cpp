#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/io/gguf_view.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/models/text/decoder_options.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/attention/rotary_embedding.h"

#include "models/pretrained/detail/gguf_settings.h"
#include "models/text/detail/gguf_extents.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {
namespace {

using detail::GgufSettings;
using ScalingKind = nn::RotaryScaling::Kind;

constexpr const char* factors_name = "rope_freqs.weight";
constexpr double usual_base = 10000;

DecoderFamily family_of(const GgufSettings& settings) {
  constexpr std::array families{
      std::pair{"llama", DecoderFamily::Llama}, std::pair{"qwen2", DecoderFamily::Qwen2},
      std::pair{"qwen3", DecoderFamily::Qwen3}, std::pair{"gemma3", DecoderFamily::Gemma3},
      std::pair{"phi3", DecoderFamily::Phi3}};
  std::string supported;
  for (const auto& [name, family] : families) {
    if (settings.architecture() == name) {
      return family;
    }
    supported += (supported.empty() ? "" : ", ") + std::string(name);
  }
  settings.refuse_architecture(supported);
}

/// The features of a head, which are stated for keys and for values.
std::int64_t head_features(GgufSettings& settings, const DecoderOptions& options) {
  const std::int64_t otherwise = options.features / options.heads;
  const std::int64_t keys = settings.integer("attention.key_length", otherwise);
  if (settings.integer("attention.value_length", otherwise) != keys) {
    settings.refuse("attention.value_length",
                    "that of attention.key_length, " + std::to_string(keys));
  }
  if (keys < 1) {
    settings.refuse("attention.key_length", "numbers above 0");
  }
  return keys;
}

/// What scores of attention are divided by the root of.
std::int64_t query_scalar(GgufSettings& settings, const DecoderOptions& options) {
  constexpr const char* key = "attention.scale";
  constexpr double tolerance = 1e-6;  // The value is an f32.
  if (!settings.has(key)) {
    // As llama.cpp has it: the largest Gemma divides by the features of its heads without others.
    constexpr std::int64_t blocks_of_the_largest = 62;
    return options.family == DecoderFamily::Gemma3 && options.blocks == blocks_of_the_largest
               ? options.features / options.heads
               : 0;
  }
  const double scale = settings.real(key);
  const double square = 1 / (scale * scale);
  constexpr double most = 1e9;
  if (!(scale > 0 && square >= 1 && square < most) ||
      std::abs(std::round(square) / square - 1) > tolerance) {
    settings.refuse(key, "the inverse of the root of a whole number");
  }
  const auto scalar = static_cast<std::int64_t>(std::round(square));
  if (options.family != DecoderFamily::Gemma3 && scalar != options.head_features) {
    settings.refuse(key, "1 / sqrt(" + std::to_string(options.head_features) + ")");
  }
  return options.family == DecoderFamily::Gemma3 ? scalar : 0;
}

/// How many numbers of each head are rotated; 0: all.
std::int64_t rotated_features(GgufSettings& settings, const DecoderOptions& options) {
  constexpr const char* key = "rope.dimension_count";
  const std::int64_t all = options.head_features;
  const std::int64_t depth = settings.integer(key, all);
  if (depth == all) {
    return 0;
  }
  if (options.family != DecoderFamily::Phi3 || depth < 2 || depth > all || depth % 2 != 0) {
    settings.refuse(key, options.family == DecoderFamily::Phi3
                             ? "even numbers from 2 to " + std::to_string(all)
                             : std::to_string(all));
  }
  return depth;
}

/// The factors by which pairs turn more slowly; none where the file lists none.
std::vector<double> listed_factors(const GgufSettings& settings, std::int64_t pairs) {
  const auto found = settings.file().arrays().find(factors_name);
  if (found == settings.file().arrays().end()) {
    return {};
  }
  const Shape& shape = found->second.shape;
  if (shape.rank() != 1 || shape[0] != pairs || !found->second.obstacle.empty() ||
      info(found->second.dtype).kind != DTypeKind::Float) {
    settings.fail(std::string(factors_name) + " is " + found->second.type + " " + to_string(shape) +
                  ", " + std::to_string(pairs) + " floating-point numbers are expected");
  }
  std::vector<double> factors(static_cast<std::size_t>(pairs));
  settings.file().read_into(
      factors_name, DType::f64,
      {reinterpret_cast<std::uint8_t*>(factors.data()), factors.size() * sizeof(double)});
  for (const double factor : factors) {
    if (!(factor > 0 && std::isfinite(factor))) {
      settings.fail(std::string(factors_name) + " has the factor " + std::to_string(factor) +
                    ", finite numbers above 0 are expected");
    }
  }
  return factors;
}

/// How pairs turn more slowly in this model.
nn::RotaryScaling scaling_from(GgufSettings& settings, const DecoderOptions& options) {
  nn::RotaryScaling result;
  const std::string kind = settings.text("rope.scaling.type", "none");
  settings.pass_over("rope.scaling.finetuned");
  settings.require_real("rope.scaling.attn_factor", 1);
  settings.require_real("rope.scaling.yarn_ext_factor", 1);
  settings.require_real("rope.scaling.yarn_attn_factor", 1);
  settings.require_real("rope.scale_linear", 1);
  const std::int64_t original =
      settings.integer("rope.scaling.original_context_length", options.context);
  if (kind == "linear") {
    result.kind = ScalingKind::Linear;
    result.factor = settings.real("rope.scaling.factor");
  } else if (kind == "yarn") {
    result.kind = ScalingKind::Yarn;
    result.factor = settings.real("rope.scaling.factor");
    result.original_places = original;
    result.fast_turns = settings.real("rope.scaling.yarn_beta_fast", result.fast_turns);
    result.slow_turns = settings.real("rope.scaling.yarn_beta_slow", result.slow_turns);
  } else if (kind == "none") {
    settings.pass_over("rope.scaling.factor");
  } else {
    settings.refuse("rope.scaling.type", R"("none", "linear", "yarn")");
  }
  if (options.family == DecoderFamily::Llama) {
    result.factors = listed_factors(settings, options.head_features / 2);
  }
  if (!result.factors.empty()) {
    if (result.kind == ScalingKind::Yarn) {
      settings.refuse("rope.scaling.type",
                      std::string(R"("none" and "linear" beside )") + factors_name);
    }
    for (double& factor : result.factors) {
      factor *= result.kind == ScalingKind::Linear ? result.factor : 1;
    }
    result.kind = ScalingKind::Listed;
  }
  return result;
}

/// Gemma's: most blocks have a window and another base, and are not scaled.
std::vector<DecoderAttention> gemma_attention_from(GgufSettings& settings,
                                                   const DecoderOptions& options,
                                                   const nn::RotaryOptions& rotary,
                                                   std::int64_t window) {
  const std::int64_t pattern = settings.integer("attention.sliding_window_pattern", 6);
  if (pattern < 1) {
    settings.refuse("attention.sliding_window_pattern", "numbers above 0");
  }
  const nn::RotaryOptions local{.base = settings.real("rope.freq_base_swa", usual_base)};
  std::vector<DecoderAttention> result;
  for (std::int64_t i = 0; i < options.blocks; ++i) {
    const bool is_windowed = window > 0 && (i + 1) % pattern != 0;
    result.push_back(is_windowed ? DecoderAttention{.window = window, .rotary = local}
                                 : DecoderAttention{.rotary = rotary});
  }
  return result;
}

std::vector<DecoderAttention> attention_from(GgufSettings& settings,
                                             const DecoderOptions& options) {
  nn::RotaryOptions rotary{.base = settings.real("rope.freq_base", usual_base)};
  rotary.depth = rotated_features(settings, options);
  rotary.scaling = scaling_from(settings, options);
  const std::int64_t window = settings.integer("attention.sliding_window", 0);
  if (window < 0) {
    settings.refuse("attention.sliding_window", "numbers from 0 on");
  }
  if (options.family == DecoderFamily::Gemma3) {
    return gemma_attention_from(settings, options, rotary, window);
  }
  const bool may_have_windows =
      options.family == DecoderFamily::Llama || options.family == DecoderFamily::Phi3;
  if (window > 0 && !may_have_windows) {
    settings.refuse("attention.sliding_window", "0");
  }
  return {{.window = window, .rotary = rotary}};
}

}  // namespace

template <>
DecoderOptions options_from<DecoderOptions>(const io::GgufView& file) {
  GgufSettings settings(file);
  DecoderOptions options{.family = family_of(settings)};
  const bool is_gemma = options.family == DecoderFamily::Gemma3;
  options.vocabulary = detail::gguf_vocabulary(settings);
  options.context = detail::gguf_extent(settings, "context_length");
  options.blocks = detail::gguf_extent(settings, "block_count", detail::most_gguf_blocks);
  options.features = detail::gguf_extent(settings, "embedding_length");
  options.hidden = detail::gguf_extent(settings, "feed_forward_length");
  options.heads = detail::gguf_extent(settings, "attention.head_count");
  options.key_heads = settings.has("attention.head_count_kv")
                          ? detail::gguf_extent(settings, "attention.head_count_kv")
                          : options.heads;
  options.head_features = head_features(settings, options);
  options.epsilon = settings.real("attention.layer_norm_rms_epsilon");
  options.activation = is_gemma ? nn::Activation::GELUTanh : nn::Activation::SiLU;
  options.tied_head = !file.arrays().contains("output.weight");
  options.attention_bias =
      options.family != DecoderFamily::Qwen2 && file.arrays().contains("blk.0.attn_q.bias");
  options.query_scalar = query_scalar(settings, options);
  settings.require_boolean("attention.causal", true);
  settings.require_integer("expert_count", 0);
  settings.require_integer("expert_used_count", 0);
  settings.require_real("final_logit_softcapping", 0);
  settings.require_real("attn_logit_softcapping", 0);
  settings.pass_over("tensor_data_layout");
  options.attention = attention_from(settings, options);
  settings.refuse_the_rest();
  if (options.family == DecoderFamily::Llama && options.attention.front().window > 0) {
    options.family = DecoderFamily::Mistral;
  }
  return options;
}

namespace {

/// Phi's names: query, key and value are in one array, and gate and up in another.
void add_joined_gguf_names(NameRules& names, const DecoderOptions& options,
                           std::int64_t key_heads) {
  const auto add = [&](const std::string& ours, const std::string& theirs, const Part& part) {
    names.rules.push_back({.ours = "blocks.{}." + ours + ".weight",
                           .theirs = {"blk.{}." + theirs + ".weight"},
                           .layout = Layout::Transposed,
                           .part = part});
  };
  const std::int64_t depth =
      options.head_features == 0 ? options.features / options.heads : options.head_features;
  Part part{.count = 3, .extents = {options.heads * depth, key_heads * depth, key_heads * depth}};
  for (const char* const each : {"query", "key", "value"}) {
    add(std::string("attention.") + each, "attn_qkv", part);
    ++part.index;
  }
  add("dense.gate", "ffn_up", {.index = 0, .count = 2});
  add("dense.up", "ffn_up", {.index = 1, .count = 2});
}

}  // namespace

NameRules gguf_name_rules(const DecoderOptions& options) {
  const bool is_gemma = options.family == DecoderFamily::Gemma3;
  const double raised_by = is_gemma ? 1 : 0;
  NameRules names{
      .rules = {{"tokens.weight", {"token_embd.weight"}},
                {.ours = "norm.scale", .theirs = {"output_norm.weight"}, .raised_by = raised_by},
                {"head.0.weight", {"output.weight"}, Layout::Transposed}},
      .ignored = {factors_name}};
  const auto add = [&](const std::string& ours, const std::string& theirs) -> NameRule& {
    return names.rules.emplace_back(
        NameRule{.ours = "blocks.{}." + ours, .theirs = {"blk.{}." + theirs}});
  };
  const auto add_norm = [&](const std::string& ours, const std::string& theirs) {
    add(ours + ".scale", theirs + ".weight").raised_by = raised_by;
  };
  const auto add_dense = [&](const std::string& ours, const std::string& theirs) {
    add(ours + ".weight", theirs + ".weight").layout = Layout::Transposed;
    add(ours + ".bias", theirs + ".bias");
  };
  add_norm("attention_norm", "attn_norm");
  add_norm("dense_norm", "ffn_norm");
  add_norm("attended_norm.0", "post_attention_norm");
  add_norm("result_norm.0", "post_ffw_norm");
  add_norm("attention.query_norm.0", "attn_q_norm");
  add_norm("attention.key_norm.0", "attn_k_norm");
  const std::int64_t key_heads = options.key_heads == 0 ? options.heads : options.key_heads;
  if (options.family == DecoderFamily::Phi3) {
    add_joined_gguf_names(names, options, key_heads);
  } else {
    add_dense("attention.query", "attn_q");
    add_dense("attention.key", "attn_k");
    add_dense("attention.value", "attn_v");
    add_dense("dense.{}", "ffn_{}");
  }
  add_dense("attention.output", "attn_output");
  add_dense("dense.down", "ffn_down");
  if (options.family == DecoderFamily::Llama || options.family == DecoderFamily::Mistral) {
    for (NameRule& rule : names.rules) {
      const bool is_query = rule.ours.starts_with("blocks.{}.attention.query.");
      if (is_query || rule.ours.starts_with("blocks.{}.attention.key.")) {
        rule.layout = Layout::Neighbours;
        rule.heads = is_query ? options.heads : key_heads;
      }
    }
  }
  return names;
}

}  // namespace ddx::models
