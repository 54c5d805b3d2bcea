/// \file
/// Options that hold for some parameters only.

#pragma once

#include "ddx/ad/differentiable.h"

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ddx::nn {

namespace detail {

/// A function that its copies share: they are equal, and equal to no other.
template <class Signature>
class SharedFunction;

template <class Result, class... Arguments>
class SharedFunction<Result(Arguments...)> {
 public:
  SharedFunction() = default;  ///< None.
  explicit(false) SharedFunction(std::nullptr_t) {}

  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, SharedFunction> &&
             std::invocable<const F&, Arguments...>)
  explicit(false) SharedFunction(F function)
      : function_(
            std::make_shared<const std::function<Result(Arguments...)>>(std::move(function))) {}

  explicit operator bool() const noexcept { return function_ != nullptr && *function_; }
  Result operator()(Arguments... arguments) const {
    return (*function_)(std::forward<Arguments>(arguments)...);
  }

  friend bool operator==(const SharedFunction&, const SharedFunction&) = default;

 private:
  std::shared_ptr<const std::function<Result(Arguments...)>> function_;
};

}  // namespace detail

/// Some parameters of a model, and how their options differ from those of the others. The options
/// are adjusted in each step, so a value set by a schedule reaches the group too.
///
/// Example:
///   AdamW optimizer(model, {.weight_decay = 0.1});
///   optimizer.groups.push_back(
///       {paths_ending_with("bias"), [](auto& own) { own.weight_decay = 0; }});
template <class Options>
struct ParameterGroup {
  /// Whether a path belongs to the group.
  detail::SharedFunction<bool(const std::string& path)> contains;
  /// Changes a copy of the options.
  detail::SharedFunction<void(Options& own)> adjust;

  /// Whether both have the same functions: one is a copy of the other.
  friend bool operator==(const ParameterGroup&, const ParameterGroup&) = default;

  DDX_NO_DERIVATIVE(contains, adjust)
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
