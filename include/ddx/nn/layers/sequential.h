/// \file
/// Layers one after the other, as one layer.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/apply.h"

#include <source_location>
#include <utility>

namespace ddx::nn {

/// Applies `first`, then `rest`. Made from any number of layers: `Sequential model{a, b, c};`.
template <class First, class... Rest>
struct Sequential {
  First first;
  Sequential<Rest...> rest;

  explicit(false) Sequential(First first_layer, Rest... other_layers)
      : first(std::move(first_layer)), rest(std::move(other_layers)...) {}

  /// The last layer's result.
  template <class Input>
  [[nodiscard]] auto operator()(
      const Input& input, std::source_location where = std::source_location::current()) const {
    return rest(detail::apply(first, input, where), where);
  }

  /// The same, with each layer called by `call(name, layer, input)`; for summary.
  template <class Call, class Input>
  [[nodiscard]] auto trace_calls(const Call& call, const Input& input) const {
    return call("rest", rest, call("first", first, input));
  }

  DDX_DIFFERENTIABLE(Sequential, first, rest)
};

/// The end of the sequence: one layer.
template <class Last>
struct Sequential<Last> {
  Last first;

  explicit Sequential(Last layer) : first(std::move(layer)) {}

  /// The layer's result.
  template <class Input>
  [[nodiscard]] auto operator()(
      const Input& input, std::source_location where = std::source_location::current()) const {
    return detail::apply(first, input, where);
  }

  /// The same, with the layer called by `call(name, layer, input)`; for summary.
  template <class Call, class Input>
  [[nodiscard]] auto trace_calls(const Call& call, const Input& input) const {
    return call("first", first, input);
  }

  DDX_DIFFERENTIABLE(Sequential, first)
};

/// The layers as given.
template <class... Layers>
Sequential(Layers...) -> Sequential<Layers...>;

}  // namespace ddx::nn
