#include "ddx/models/pretrained/detail/adapter_files.h"

#include "ddx/core/error.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/safetensors.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/nn/adapters.h"

#include "models/pretrained/detail/name_patterns.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <source_location>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ddx::models::detail {
namespace {

constexpr std::string_view weight_end = ".weight";
constexpr auto adapter_file = "adapter_config.json";

/// Settings of peft that change what is computed or which arrays there are.
constexpr std::array unsupported_adapter_keys{"alora_invocation_tokens",
                                              "arrow_config",
                                              "corda_config",
                                              "exclude_modules",
                                              "kasa_config",
                                              "layers_pattern",
                                              "layer_replication",
                                              "layers_to_transform",
                                              "lora_ga_config",
                                              "megatron_config",
                                              "modules_to_save",
                                              "monteclora_config",
                                              "target_parameters",
                                              "trainable_token_indices",
                                              "use_bdlora",
                                              "velora_config"};

/// A dense layer as it is published.
struct PublishedLayer {
  std::string module;  ///< Empty: it has no name.
  bool is_part = false;
  bool is_transposed = false;
};

PublishedLayer published_layer(const std::string& path, const NameRules& names) {
  for (const NameRule& rule : names.rules) {
    const auto texts = matched(rule.ours, path + std::string(weight_end));
    if (!texts) {
      continue;
    }
    if (rule.theirs.size() != 1 || !rule.theirs.front().ends_with(weight_end)) {
      return {};
    }
    auto name = filled(rule.theirs.front(), *texts);
    name.resize(name.size() - weight_end.size());
    return {std::move(name), rule.part.count != 1, rule.layout == Layout::Transposed};
  }
  return {};
}

/// Throws: UsageError where the layer has no published array of its own.
void require_own_array(const char* operation, const std::string& path,
                       const PublishedLayer& published, const std::source_location& where) {
  if (published.module.empty()) {
    throw UsageError(operation, path + " has no published name", where);
  }
  if (published.is_part) {
    throw UsageError(operation,
                     path + " is a part of the published \"" + published.module +
                         "\", whose adapter serves all parts together: that is not supported",
                     where);
  }
}

std::string replaced_end(const std::string& name, const std::string& end) {
  return name.substr(0, name.size() - weight_end.size()) + end;
}

/// The last components of the names where these fit no other layer, else the whole names.
std::vector<std::string> shortest(const std::set<std::string>& adapted,
                                  const std::set<std::string>& others) {
  std::set<std::string> ends;
  for (const std::string& name : adapted) {
    ends.insert(name.substr(name.rfind('.') + 1));
  }
  const bool fit_others = std::ranges::any_of(others, [&](const std::string& name) {
    return ends.contains(name.substr(name.rfind('.') + 1));
  });
  const auto& chosen = fit_others ? adapted : ends;
  return {chosen.begin(), chosen.end()};
}

}  // namespace

AdapterConfiguration adapter_configuration(const std::filesystem::path& folder) {
  const ModelConfiguration file(folder / adapter_file);
  if (file.text("peft_type") != "LORA") {
    file.refuse("peft_type", "LORA");
  }
  file.require("bias", "none");
  file.require("init_lora_weights", true);  // Others may have changed the weights of the model.
  for (const char* const key : {"lora_bias", "use_dora", "use_qalora"}) {
    file.require(key, false);
  }
  for (const char* const key : unsupported_adapter_keys) {
    if (file.has(key)) {
      file.refuse(key, "null");
    }
  }
  for (const char* const key : {"alpha_pattern", "rank_pattern"}) {
    if (file.has(key) && !file.object(key).keys().empty()) {
      file.refuse(key, "{}");
    }
  }
  if (file.integer("r") < 1) {
    file.refuse("r", "at least 1");
  }
  const double dropout = file.real("lora_dropout", 0);
  if (!(dropout >= 0 && dropout < 1)) {
    file.refuse("lora_dropout", "a number in [0, 1)");
  }
  return {{.rank = file.integer("r"),
           .alpha = file.real("lora_alpha"),
           .is_stabilised = file.boolean("use_rslora", false),
           .dropout = dropout},
          file.texts("target_modules")};
}

std::vector<std::string> adapted_paths(const std::vector<std::string>& modules,
                                       const std::vector<AdaptedLayer>& layers,
                                       const NameRules& names, const std::source_location& where) {
  std::vector<std::string> paths;
  std::set<std::string> fitting;
  for (const AdaptedLayer& layer : layers) {
    const auto published = published_layer(layer.path, names);
    bool fits = false;
    for (const std::string& module : modules) {
      if (!published.module.empty() && nn::detail::ends_with_name(published.module, module)) {
        fitting.insert(module);
        fits = true;
      }
    }
    if (fits) {
      require_own_array("load_adapter", layer.path, published, where);
      paths.push_back(layer.path);
    }
  }
  for (const std::string& module : modules) {
    if (!fitting.contains(module)) {
      throw UsageError("load_adapter",
                       "\"" + module + "\" fits no published dense layer of the model", where);
    }
  }
  return paths;
}

NameRules adapter_rules(const NameRules& names) {
  NameRules result{.rules = {}, .prefixes = names.prefixes};
  const std::string before = "base_model.model.";
  result.prefixes.insert(result.prefixes.begin(), before);
  for (const NameRule& rule : names.rules) {
    if (rule.theirs.size() != 1 || rule.part.count != 1 || !rule.ours.ends_with(weight_end) ||
        !rule.theirs.front().ends_with(weight_end)) {
      continue;
    }
    for (const auto& [ours, theirs] : {std::pair{".low_rank.0.down", ".lora_A.weight"},
                                       std::pair{".low_rank.0.up", ".lora_B.weight"}}) {
      result.rules.push_back({replaced_end(rule.ours, ours),
                              {before + replaced_end(rule.theirs.front(), theirs)},
                              Layout::Transposed});
    }
  }
  return result;
}

std::string adapter_text(const std::vector<AdaptedLayer>& layers, const NameRules& names,
                         const std::string& base_model, const std::string& task,
                         const std::source_location& where) {
  std::set<std::string> adapted;
  std::set<std::string> others;
  const AdaptedLayer* first = nullptr;
  bool is_transposed = true;
  for (const AdaptedLayer& layer : layers) {
    const auto published = published_layer(layer.path, names);
    if (!layer.adapter) {
      others.insert(published.module);
      continue;
    }
    require_own_array("save_adapter", layer.path, published, where);
    if (first == nullptr) {
      first = &layer;
    } else if (*layer.adapter != *first->adapter) {
      throw UsageError("save_adapter",
                       "the adapters of " + first->path + " and " + layer.path +
                           " differ in rank, scale or dropout",
                       where);
    }
    adapted.insert(published.module);
    is_transposed = published.is_transposed;
  }
  if (first == nullptr) {
    throw UsageError("save_adapter", "the model has no adapters", where);
  }
  nlohmann::ordered_json settings{{"peft_type", "LORA"},
                                  {"task_type", nullptr},
                                  {"base_model_name_or_path", nullptr},
                                  {"inference_mode", true},
                                  {"r", first->adapter->rank},
                                  {"lora_alpha", first->adapter->alpha},
                                  {"lora_dropout", first->adapter->dropout},
                                  {"use_rslora", first->adapter->is_stabilised},
                                  {"target_modules", shortest(adapted, others)},
                                  {"fan_in_fan_out", !is_transposed},
                                  {"bias", "none"},
                                  {"init_lora_weights", true}};
  if (!base_model.empty()) {
    settings["base_model_name_or_path"] = base_model;
  }
  if (!task.empty()) {
    settings["task_type"] = task;
  }
  return settings.dump(2) + "\n";
}

void write_adapter(const std::filesystem::path& folder, const io::StoredTensors& arrays,
                   const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw EnvironmentError("save_adapter", folder.string() + ": " + error.message());
  }
  io::write_safetensors(folder / "adapter_model.safetensors", {arrays, {{"format", "pt"}}});
  io::write_file_atomically(folder / adapter_file,
                            {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                            "save_adapter");
}

}  // namespace ddx::models::detail
