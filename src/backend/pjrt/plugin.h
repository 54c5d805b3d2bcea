/// \file
/// A library that runs programs on devices of some kind.

#pragma once

#include "backend/pjrt/api.h"
#include "backend/pjrt/named_value.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::backend::pjrt {

/// How a plugin is loaded.
struct LoadOptions {
  /// Tries it in a child process first, so that a library that ends its process is an error.
  bool in_child_first = true;
  std::chrono::milliseconds time_limit{60'000};  // Of the child.
  /// Whether the plugin's log goes to standard error, as far as the plugin itself writes one.
  bool log = false;
};

/// A plugin of this process. It stays loaded until the process ends: its threads run its code.
/// Immutable, and may be used from any thread.
class Plugin {
 public:
  /// The plugin in a file; that of an earlier call where it is loaded.
  ///
  /// Throws:  EnvironmentError where there is no such file, where it is no library of this kind of
  ///          machine or no plugin, of a version that is not supported, or fails when it is loaded.
  [[nodiscard]] static std::shared_ptr<const Plugin> load(const std::filesystem::path& file,
                                                          const LoadOptions& options = {});

  /// Of a table, for `load` and tests. It initialises the plugin.
  Plugin(std::filesystem::path file, const ApiTable& table);

  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
  [[nodiscard]] const Api& api() const noexcept { return api_; }

  /// What it reports of itself, e.g. "stablehlo_current_version".
  [[nodiscard]] const std::vector<Named>& attributes() const noexcept { return attributes_; }

  /// The newest version of StableHLO that it reads, e.g. {1, 20, 0}; empty where it does not say.
  [[nodiscard]] std::vector<std::int64_t> stablehlo_version() const;

  /// The file (path, size, time of change), version and attributes in one text: what it has
  /// compiled is for a plugin with the same text.
  [[nodiscard]] const std::string& identity() const noexcept { return identity_; }

 private:
  std::filesystem::path file_;
  Api api_;
  std::vector<Named> attributes_;
  std::string identity_;
};

}  // namespace ddx::backend::pjrt
