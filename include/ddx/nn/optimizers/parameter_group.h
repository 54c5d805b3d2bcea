/// \file
/// Options that hold for some parameters only.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace ddx::nn {

/// Some parameters of a model, and how their options differ from those of the others. The options
/// are adjusted anew in each step, so that what a schedule sets reaches the group too.
///
/// Example:
///   AdamW optimizer(model, {.weight_decay = 0.1});
///   optimizer.groups.push_back(
///       {paths_ending_with("bias"), [](auto& own) { own.weight_decay = 0; }});
template <class Options>
struct ParameterGroup {
  std::function<bool(const std::string& path)> contains;  ///< Whether a path belongs to the group.
  std::function<void(Options& own)> adjust;               ///< Changes a copy of the options.
};

/// Holds for the paths that begin with `start`: "encoder." for all of a member.
[[nodiscard]] inline auto paths_starting_with(std::string start) {
  return [start = std::move(start)](std::string_view path) { return path.starts_with(start); };
}

/// Holds for the paths that end with `end`: "bias" for the biases of all layers.
[[nodiscard]] inline auto paths_ending_with(std::string end) {
  return [end = std::move(end)](std::string_view path) { return path.ends_with(end); };
}

}  // namespace ddx::nn
