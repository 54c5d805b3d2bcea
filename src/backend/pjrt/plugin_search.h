/// \file
/// Where plugins lie, by what packages of them put where.

#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::backend::pjrt {

/// A file that is named like a plugin.
struct FoundPlugin {
  std::string name;  // Short: "cpu", "cuda", "rocm", "tpu", or what its file's name says.
  std::filesystem::path file;

  friend bool operator==(const FoundPlugin&, const FoundPlugin&) = default;
};

/// A file that is named like a plugin, and is not taken.
struct SkippedPlugin {
  std::string name;
  std::filesystem::path file;
  std::string reason;  // Names what another user could have written.
};

/// What a search has found.
struct PluginSearch {
  std::vector<FoundPlugin> plugins;
  std::vector<SkippedPlugin> skipped;
};

/// Searches these folders, which may be folders of plugins or of Python packages (site-packages).
/// Of each name in the order of the folders, in one folder the newest version first. Takes no file
/// that another user could have put there (file_trust.h); links are resolved. Nothing is loaded.
[[nodiscard]] PluginSearch search_plugins(std::span<const std::filesystem::path> folders);

/// The plugins of search_plugins.
[[nodiscard]] std::vector<FoundPlugin> find_plugins(std::span<const std::filesystem::path> folders);

/// What the name of a file says of the plugin in it, by the same rules: "cpu", "cuda", "rocm", ...;
/// empty: it is not named like a plugin.
[[nodiscard]] std::string name_of_file(const std::filesystem::path& file);

/// The folder lib/ddx/pjrt beside a program, and that of the prefix where the program lies in
/// PREFIX/bin or a folder in it: where an installed program, or one of a build, has what belongs to
/// it.
[[nodiscard]] std::vector<std::filesystem::path> folders_of_program(
    const std::filesystem::path& program);

/// The file of the running program; empty where the system does not tell it.
[[nodiscard]] std::filesystem::path running_program();

}  // namespace ddx::backend::pjrt
