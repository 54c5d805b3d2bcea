/// \file
/// A layer at each step of sequences.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/apply.h"
#include "ddx/tensor/movement.h"

#include <source_location>
#include <utility>

namespace ddx::nn {

namespace detail {
/// The extents with the first two joined.
///
/// Throws: UsageError where there are fewer than two.
Indices steps_as_samples(const Shape& x, const std::source_location& where);
/// The extents with the first one replaced by the first two of `x`.
Indices samples_as_steps(const Shape& y, const Shape& x);
}  // namespace detail

/// Applies a layer to each step of sequences, as if the steps were samples.
///
/// Shapes:  x [n, time, ...] -> [n, time, ...], where the layer maps [n time, ...] -> [n time, ...]
template <class Layer>
struct TimeDistributed {
  Layer layer;

  explicit TimeDistributed(Layer of_each_step) : layer(std::move(of_each_step)) {}

  /// Shapes:  x [n, time, ...] -> [n, time, ...]
  /// Throws:  UsageError where x has fewer than two axes, or the layer does not take its steps.
  template <class Input>
  [[nodiscard]] Input operator()(
      const Input& x, std::source_location where = std::source_location::current()) const {
    const auto y =
        detail::apply(layer, reshape(x, detail::steps_as_samples(x.shape(), where), where), where);
    return reshape(y, detail::samples_as_steps(y.shape(), x.shape()), where);
  }

  /// The same, with the layer called by `call(name, layer, input)`; for summary.
  template <class Call, class Input>
  [[nodiscard]] auto trace_calls(const Call& call, const Input& x) const {
    const auto y = call("layer", layer, reshape(x, detail::steps_as_samples(x.shape(), {})));
    return reshape(y, detail::samples_as_steps(y.shape(), x.shape()));
  }

  DDX_DIFFERENTIABLE(TimeDistributed, layer)
};

}  // namespace ddx::nn
