/// \file
/// Several layers of different classes that get the same input.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/apply.h"

#include <source_location>
#include <utility>
#include <vector>

namespace ddx::nn::detail {

/// The layers `first` and those of `rest`.
template <class First, class... Rest>
struct LayerList {
  First first;
  LayerList<Rest...> rest;

  explicit LayerList(First first_layer, Rest... other_layers)
      : first(std::move(first_layer)), rest(std::move(other_layers)...) {}

  /// What each layer makes of the input, in order.
  template <class Input>
  [[nodiscard]] auto results(const Input& x, std::source_location where) const {
    std::vector all{apply(first, x, where)};
    rest.append_results(all, x, where);
    return all;
  }

  template <class Results, class Input>
  void append_results(Results& all, const Input& x, std::source_location where) const {
    all.push_back(apply(first, x, where));
    rest.append_results(all, x, where);
  }

  /// The same, with each layer called by `call(name, layer, input)`; for summary.
  template <class Call, class Input>
  [[nodiscard]] auto trace_calls(const Call& call, const Input& x) const {
    std::vector all{call("first", first, x)};
    const auto others = call("rest", rest, x);
    all.insert(all.end(), others.begin(), others.end());
    return all;
  }

  DDX_DIFFERENTIABLE(LayerList, first, rest)
};

/// The end of the list.
template <class Last>
struct LayerList<Last> {
  Last first;

  explicit LayerList(Last layer) : first(std::move(layer)) {}

  /// What the layer makes of the input.
  template <class Input>
  [[nodiscard]] auto results(const Input& x, std::source_location where) const {
    return std::vector{apply(first, x, where)};
  }

  template <class Results, class Input>
  void append_results(Results& all, const Input& x, std::source_location where) const {
    all.push_back(apply(first, x, where));
  }

  /// The same, with the layer called by `call(name, layer, input)`; for summary.
  template <class Call, class Input>
  [[nodiscard]] auto trace_calls(const Call& call, const Input& x) const {
    return std::vector{call("first", first, x)};
  }

  DDX_DIFFERENTIABLE(LayerList, first)
};

}  // namespace ddx::nn::detail
