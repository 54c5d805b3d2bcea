#include "ddx/models/text/mamba_options.h"

#include "ddx/core/dtype.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/nn/detail/options.h"

#include "models/pretrained/detail/activation_names.h"
#include "models/pretrained/detail/block_count.h"
#include "models/pretrained/detail/settings_text.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace ddx::models {
namespace detail {

const MambaOptions& checked(const MambaOptions& options) {
  constexpr const char* name = "Mamba";
  nn::detail::require_positive(name, "vocabulary", options.vocabulary);
  nn::detail::require_positive(name, "blocks", options.blocks);
  nn::detail::require_positive(name, "expansion", options.expansion);
  nn::detail::require_at_least(name, "step_features", options.step_features, 0);
  return options;
}

std::int64_t step_features(const MambaOptions& options) noexcept {
  constexpr std::int64_t part = 16;
  return options.step_features > 0 ? options.step_features : (options.features + part - 1) / part;
}

}  // namespace detail

template <>
MambaOptions options_from<MambaOptions>(const ModelConfiguration& configuration) {
  if (configuration.text("model_type") != "mamba") {
    configuration.refuse("model_type", "mamba");
  }
  const MambaOptions absent;
  MambaOptions options{
      .vocabulary = configuration.integer("vocab_size", absent.vocabulary),
      .blocks = detail::block_count(configuration, "num_hidden_layers", absent.blocks),
      .features = configuration.integer("hidden_size", absent.features),
      .expansion = configuration.integer("expand", absent.expansion),
      .states = configuration.integer("state_size", absent.states),
      .kernel = configuration.integer("conv_kernel", absent.kernel),
      .epsilon = configuration.real("layer_norm_epsilon", absent.epsilon),
      .activation = detail::activation_from(configuration, "hidden_act", absent.activation),
      .bias = configuration.boolean("use_bias", absent.bias),
      .kernel_bias = configuration.boolean("use_conv_bias", absent.kernel_bias),
      .tied_head = configuration.boolean("tie_word_embeddings", absent.tied_head)};
  if (configuration.has("time_step_rank") && !configuration.is_text("time_step_rank")) {
    options.step_features = configuration.integer("time_step_rank");
    if (options.step_features < 1) {
      configuration.refuse("time_step_rank", "numbers above 0 and \"auto\"");
    }
  } else {
    configuration.require("time_step_rank", "auto");
  }
  if (configuration.has("intermediate_size")) {
    configuration.require("intermediate_size", options.expansion * options.features);
  }
  return options;
}

std::string configuration_text(const MambaOptions& options, DType dtype) {
  return detail::settings_text({{"architectures", {"MambaForCausalLM"}},
                                {"model_type", "mamba"},
                                {"vocab_size", options.vocabulary},
                                {"num_hidden_layers", options.blocks},
                                {"hidden_size", options.features},
                                {"intermediate_size", options.expansion * options.features},
                                {"expand", options.expansion},
                                {"state_size", options.states},
                                {"conv_kernel", options.kernel},
                                {"time_step_rank", detail::step_features(options)},
                                {"layer_norm_epsilon", options.epsilon},
                                {"hidden_act", detail::activation_name(options.activation)},
                                {"use_bias", options.bias},
                                {"use_conv_bias", options.kernel_bias},
                                {"tie_word_embeddings", options.tied_head}},
                               dtype);
}

double parameter_count(const MambaOptions& options) noexcept {
  const auto features = static_cast<double>(options.features);
  const double channels = static_cast<double>(options.expansion) * features;
  const auto states = static_cast<double>(options.states);
  const auto rank = static_cast<double>(detail::step_features(options));
  const double convolution =
      channels * (static_cast<double>(options.kernel) + (options.kernel_bias ? 1 : 0));
  const double selection = channels * (rank + 2 * states) + (rank + 1) * channels;
  const double ends = 3 * features * channels + (options.bias ? 2 * channels + features : 0);
  const double block = features + convolution + selection + channels * (states + 1) + ends;
  const double tables = (options.tied_head ? 1 : 2) * features;
  return static_cast<double>(options.blocks) * block + features +
         static_cast<double>(options.vocabulary) * tables;
}

NameRules name_rules(const MambaOptions& options) {
  NameRules names{.rules = {{"tokens.weight", {"backbone.embeddings.weight"}},
                            {"norm.scale", {"backbone.norm_f.weight"}},
                            {"head.0.weight", {"lm_head.weight"}, Layout::Transposed}},
                  .ignored = {},
                  .prefixes = {"backbone.", "module.", "_orig_mod."}};
  if (options.tied_head) {
    names.ignored.emplace_back("lm_head.weight");
  }
  const auto add = [&](const std::string& ours, const std::string& theirs,
                       Layout layout = Layout::Same) {
    names.rules.push_back({"blocks.{}." + ours, {"backbone.layers.{}." + theirs}, layout});
  };
  add("norm.scale", "norm.weight");
  add("mixer.filter", "mixer.conv1d.weight", Layout::Depthwise);
  add("mixer.filter_bias", "mixer.conv1d.bias");
  add("mixer.fading", "mixer.A_log");
  add("mixer.past", "mixer.D");
  for (const auto& [ours, theirs] :
       {std::pair{"input", "in_proj"}, std::pair{"selection", "x_proj"},
        std::pair{"step", "dt_proj"}, std::pair{"output", "out_proj"}}) {
    add(std::string("mixer.") + ours + ".weight", std::string("mixer.") + theirs + ".weight",
        Layout::Transposed);
    add(std::string("mixer.") + ours + ".bias", std::string("mixer.") + theirs + ".bias");
  }
  return names;
}

}  // namespace ddx::models
