/// \file
/// A layer chosen at run time.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/apply.h"

#include <concepts>
#include <source_location>
#include <utility>
#include <variant>

namespace ddx::nn {

/// One of several kinds of layers, whichever it was made of. So a list may hold layers of different
/// kinds, in an order that the program decides. Its parameters, and its gradient, are those of the
/// layer held.
///
/// Example:
///   using Any = OneOf<Dense<float>, Residual<Dense<float>>>;
///   std::vector<Any> layers;  // Filled as a file of settings says.
template <class... Layers>
struct OneOf {
  std::variant<Layers...> layer;

  /// Holds a layer of one of the kinds.
  template <class Layer>
    requires(std::same_as<Layer, Layers> || ...)
  explicit(false) OneOf(Layer held) : layer(std::move(held)) {}

  /// The held layer's result. All kinds of layers return the same type.
  template <class Input>
  [[nodiscard]] auto operator()(
      const Input& input, std::source_location where = std::source_location::current()) const {
    return std::visit([&](const auto& held) { return detail::apply(held, input, where); }, layer);
  }

  /// The same, with the layer called by `call(name, layer, input)`; for summary.
  template <class Call, class Input>
  [[nodiscard]] auto trace_calls(const Call& call, const Input& input) const {
    return std::visit([&](const auto& held) { return call("layer", held, input); }, layer);
  }

  DDX_DIFFERENTIABLE(OneOf, layer)
};

}  // namespace ddx::nn
