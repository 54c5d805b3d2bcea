#include "ddx/models/text/gpt2_options.h"

#include "ddx/core/dtype.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"

#include "models/pretrained/detail/activation_names.h"
#include "models/pretrained/detail/settings_text.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace ddx::models {

template <>
GPT2Options options_from<GPT2Options>(const ModelConfiguration& configuration) {
  if (configuration.text("model_type") != "gpt2") {
    configuration.refuse("model_type", "gpt2");
  }
  configuration.require("tie_word_embeddings", true);
  configuration.require("scale_attn_weights", true);
  configuration.require("scale_attn_by_inverse_layer_idx", false);
  configuration.require("add_cross_attention", false);
  const GPT2Options absent;
  return {.vocabulary = configuration.integer("vocab_size", absent.vocabulary),
          .context = configuration.integer("n_positions", absent.context),
          .blocks = configuration.integer("n_layer", absent.blocks),
          .features = configuration.integer("n_embd", absent.features),
          .heads = configuration.integer("n_head", absent.heads),
          .hidden = configuration.integer("n_inner", absent.hidden),
          .epsilon = configuration.real("layer_norm_epsilon", absent.epsilon),
          .activation =
              detail::activation_from(configuration, "activation_function", absent.activation),
          .token_dropout = configuration.real("embd_pdrop", absent.token_dropout),
          .attention_dropout = configuration.real("attn_pdrop", absent.attention_dropout),
          .dropout = configuration.real("resid_pdrop", absent.dropout)};
}

std::string configuration_text(const GPT2Options& options, DType dtype) {
  nlohmann::ordered_json settings{
      {"architectures", {"GPT2LMHeadModel"}},
      {"model_type", "gpt2"},
      {"vocab_size", options.vocabulary},
      {"n_positions", options.context},
      {"n_layer", options.blocks},
      {"n_embd", options.features},
      {"n_head", options.heads},
      {"n_inner", nullptr},
      {"layer_norm_epsilon", options.epsilon},
      {"activation_function", detail::activation_name(options.activation)},
      {"embd_pdrop", options.token_dropout},
      {"attn_pdrop", options.attention_dropout},
      {"resid_pdrop", options.dropout}};
  if (options.hidden != 0) {
    settings["n_inner"] = options.hidden;
  }
  return detail::settings_text(std::move(settings), dtype);
}

double parameter_count(const GPT2Options& options) noexcept {
  const auto features = static_cast<double>(options.features);
  const double hidden = options.hidden == 0 ? 4 * features : static_cast<double>(options.hidden);
  // Attention, the dense layers, and all biases with two norms.
  const double block = 4 * features * features + 2 * features * hidden + 9 * features + hidden;
  return (static_cast<double>(options.vocabulary) + static_cast<double>(options.context)) *
             features +
         static_cast<double>(options.blocks) * block + 2 * features;
}

NameRules name_rules(const GPT2Options& /*options*/) {
  NameRules names{.rules = {{"tokens.weight", {"transformer.wte.weight"}},
                            {"positions.weight", {"transformer.wpe.weight"}},
                            {"norm.scale", {"transformer.ln_f.weight"}},
                            {"norm.offset", {"transformer.ln_f.bias"}}},
                  .ignored = {"{*}.attn.bias", "{*}.attn.masked_bias", "lm_head.weight"},
                  .prefixes = {"transformer.", "module.", "_orig_mod."}};
  const auto add = [&](const std::string& ours, const std::string& theirs, Part part = {}) {
    names.rules.push_back(
        {.ours = "blocks.{}." + ours, .theirs = {"transformer.h.{}." + theirs}, .part = part});
  };
  // The weights are [in, out] here; that of query, key and value is [in, 3 out].
  std::int64_t index = 0;
  for (const std::string name : {"query", "key", "value"}) {
    add("attention." + name + ".weight", "attn.c_attn.weight",
        {.axis = 1, .index = index, .count = 3});
    add("attention." + name + ".bias", "attn.c_attn.bias",
        {.axis = 0, .index = index++, .count = 3});
  }
  for (const auto& [ours, theirs] :
       {std::pair{"attention.output", "attn.c_proj"}, std::pair{"widen", "mlp.c_fc"},
        std::pair{"narrow", "mlp.c_proj"}}) {
    for (const std::string array : {".weight", ".bias"}) {
      add(ours + array, theirs + array);
    }
  }
  for (const auto& [ours, theirs] :
       {std::pair{"attention_norm", "ln_1"}, std::pair{"dense_norm", "ln_2"}}) {
    add(std::string(ours) + ".scale", std::string(theirs) + ".weight");
    add(std::string(ours) + ".offset", std::string(theirs) + ".bias");
  }
  return names;
}

}  // namespace ddx::models
