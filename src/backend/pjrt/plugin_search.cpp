#include "backend/pjrt/plugin_search.h"

#include "ddx/core/file.h"

#include "backend/pjrt/file_trust.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

/// Where in a folder a plugin may be. A component of the path has at most one star, which
/// represents any text; where `name` is empty, that text is the plugin's name.
struct Place {
  std::string_view name;
  std::string_view path;
};

// The files of PyPI packages as of November 2026, then what plugins are called when a user copies
// one. The first that fits a file gives it its name.
constexpr auto places = std::to_array<Place>({
    {"cpu", "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so"},
    {"cpu", "fastatomstruct_xla_cpu/libpjrt_cpu.so"},
    {"cpu", "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so"},
    {"cuda", "jax_plugins/xla_cuda*/xla_cuda_plugin.so"},
    {"rocm", "jax_plugins/xla_rocm*/xla_rocm_plugin.so"},
    {"tpu", "libtpu/libtpu.so"},
    {"", "jax_plugins/*/pjrt_plugin_*.so"},
    {"cpu", "xla_cpu_pjrt.so"},
    {"tpu", "libtpu.so"},
    {"cuda", "pjrt_c_api_gpu_plugin.so"},
    {"", "pjrt_c_api_*_plugin.so"},
    {"", "xla_*_plugin.so"},
    {"", "libpjrt_*.so"},
    {"", "pjrt_plugin_*.so"},
});

/// What the star represents; none where the text does not fit.
std::optional<std::string> starred(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    return pattern == text ? std::optional<std::string>("") : std::nullopt;
  }
  const std::string_view before = pattern.substr(0, star);
  const std::string_view after = pattern.substr(star + 1);
  if (text.size() <= before.size() + after.size() || !text.starts_with(before) ||
      !text.ends_with(after)) {
    return std::nullopt;
  }
  return std::string(text.substr(before.size(), text.size() - before.size() - after.size()));
}

/// Adds the files of a folder that fit the rest of a place; what the last star stood for names
/// them.
void find_in(const std::filesystem::path& folder, std::string_view rest, const std::string& name,
             std::vector<FoundPlugin>& found) {
  const std::size_t slash = rest.find('/');
  const std::string_view component = rest.substr(0, slash);
  struct Match {
    std::filesystem::path path;
    std::string star;
  };
  std::vector<Match> matches;
  std::error_code error;
  if (component.find('*') == std::string_view::npos) {
    matches.push_back({folder / component, ""});
  } else {
    for (auto& entry : entries_of(folder, error)) {
      if (auto star = starred(component, entry.filename().string())) {
        matches.push_back({std::move(entry), std::move(*star)});
      }
    }
    // "13" before "9" and before "12": longer numbers are larger.
    std::ranges::sort(matches, [](const Match& a, const Match& b) {
      return a.star.size() != b.star.size() ? a.star.size() > b.star.size() : a.star > b.star;
    });
  }
  for (const Match& match : matches) {
    if (slash != std::string_view::npos) {
      find_in(match.path, rest.substr(slash + 1), name, found);
    } else if (std::filesystem::is_regular_file(match.path, error) &&
               std::ranges::find(found, match.path, &FoundPlugin::file) == found.end()) {
      found.push_back({name.empty() ? match.star : name, match.path});
    }
  }
}

}  // namespace

PluginSearch search_plugins(std::span<const std::filesystem::path> folders) {
  std::vector<FoundPlugin> candidates;
  for (const auto& folder : folders) {
    for (const Place& place : places) {
      find_in(folder, place.path, std::string(place.name), candidates);
    }
  }
  PluginSearch result;
  for (auto& [name, file] : candidates) {
    std::error_code error;
    // Resolved first: what is judged is what will be loaded.
    const auto resolved = std::filesystem::canonical(file, error);
    auto reason = error ? std::optional(error.message()) : reason_for_distrust(file);
    if (!reason) {
      reason = reason_for_distrust(resolved);
    }
    if (reason) {
      result.skipped.push_back({std::move(name), std::move(file), std::move(*reason)});
    } else {
      result.plugins.push_back({std::move(name), resolved});
    }
  }
  return result;
}

std::vector<FoundPlugin> find_plugins(std::span<const std::filesystem::path> folders) {
  return search_plugins(folders).plugins;
}

std::string name_of_file(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  for (const Place& place : places) {
    const std::string_view component = place.path.substr(place.path.rfind('/') + 1);
    if (const auto star = starred(component, name)) {
      return place.name.empty() ? *star : std::string(place.name);
    }
  }
  return {};
}

std::vector<std::filesystem::path> folders_of_program(const std::filesystem::path& program) {
  const auto folder = program.parent_path();
  if (folder.empty()) {
    return {};
  }
  const std::filesystem::path inner = std::filesystem::path("lib") / "ddx" / "pjrt";
  std::vector<std::filesystem::path> folders{folder / inner};
  const auto above = folder.parent_path();
  if (folder.filename() == "bin") {
    folders.push_back(above / inner);
  } else if (above.filename() == "bin") {
    folders.push_back(above.parent_path() / inner);
  }
  return folders;
}

std::filesystem::path running_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

}  // namespace ddx::backend::pjrt
