/// \file
/// Layers side by side, as one layer.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/apply.h"
#include "ddx/nn/detail/layer_list.h"
#include "ddx/nn/merge.h"

#include <source_location>
#include <utility>

namespace ddx::nn {

/// Gives the same input to several layers and merges their results.
///
/// Example:
///   Branches model({.how = Merge::Concatenate}, narrow, wide);
template <class... Layers>
struct Branches {
  detail::LayerList<Layers...> layers;
  MergeOptions merge;

  explicit Branches(const MergeOptions& options, Layers... branches)
      : layers(std::move(branches)...), merge(options) {}

  /// The merged results.
  ///
  /// Throws:  UsageError where a layer does not take the input, or the results do not fit.
  template <class Input>
  [[nodiscard]] auto operator()(
      const Input& x, std::source_location where = std::source_location::current()) const {
    return merged(layers.results(x, where), merge, where);
  }

  /// The same, with each layer called by `call(name, layer, input)`; for summary.
  template <class Call, class Input>
  [[nodiscard]] auto trace_calls(const Call& call, const Input& x) const {
    return merged(call("layers", layers, x), merge);
  }

  DDX_DIFFERENTIABLE(Branches, layers)
  DDX_NO_DERIVATIVE(merge)
};

/// The layers as given.
template <class... Layers>
Branches(const MergeOptions&, Layers...) -> Branches<Layers...>;

}  // namespace ddx::nn
