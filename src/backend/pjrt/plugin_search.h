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

/// The plugins in these folders, which may be folders of plugins or of Python packages
/// (site-packages). Of each name in the order of the folders, in one folder the newest version
/// first. Nothing is loaded.
[[nodiscard]] std::vector<FoundPlugin> find_plugins(std::span<const std::filesystem::path> folders);

/// The folders lib/ddx/pjrt beside, above and two above the folder of the running program: where
/// an installed program, or one in a folder of builds, has what belongs to it.
[[nodiscard]] std::vector<std::filesystem::path> folders_of_program();

}  // namespace ddx::backend::pjrt
