/// \file
/// What adapters of low rank are called in files of peft.

#pragma once

#include "ddx/io/stored_tensor.h"
#include "ddx/models/pretrained/name_rules.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

namespace ddx::models::detail {

/// What all adapters of a model have in common.
struct AdapterSettings {
  std::int64_t rank = 8;
  double alpha = 8;
  bool is_stabilised = false;
  double dropout = 0;

  friend bool operator==(const AdapterSettings&, const AdapterSettings&) = default;
};

/// A dense layer of a model, and its adapter if it has one.
struct AdaptedLayer {
  std::string path;
  std::optional<AdapterSettings> adapter = {};
};

/// What an `adapter_config.json` says.
struct AdapterConfiguration {
  AdapterSettings settings;
  std::vector<std::string> modules;  ///< Names of layers, or their ends from a point on.
};

/// Reads the `adapter_config.json` of a folder.
///
/// Throws:  EnvironmentError where it cannot be read, or asks for what LowRank has not.
[[nodiscard]] AdapterConfiguration adapter_configuration(const std::filesystem::path& folder);

/// The paths of those layers whose published names fit the modules.
///
/// Throws:  UsageError where a module fits none, or a layer of which only a part is published under
///          one name.
[[nodiscard]] std::vector<std::string> adapted_paths(const std::vector<std::string>& modules,
                                                     const std::vector<AdaptedLayer>& layers,
                                                     const NameRules& names,
                                                     const std::source_location& where);

/// The rules of the adapters of layers that these rules name.
[[nodiscard]] NameRules adapter_rules(const NameRules& names);

/// The text of `adapter_config.json` for the adapters of these layers.
///
/// Throws:  UsageError where there are none, they differ in their settings, or a layer has no
///          published name of its own.
[[nodiscard]] std::string adapter_text(const std::vector<AdaptedLayer>& layers,
                                       const NameRules& names, const std::string& base_model,
                                       const std::string& task, const std::source_location& where);

/// Writes `adapter_model.safetensors` and `adapter_config.json` into a folder, which is made where
/// it does not exist.
///
/// Throws:  EnvironmentError where a file cannot be written.
void write_adapter(const std::filesystem::path& folder, const io::StoredTensors& arrays,
                   const std::string& text);

}  // namespace ddx::models::detail
