/// \file
/// Functions of one example, for many at once.

#pragma once

#include "ddx/tensor/detail/mapped.h"
#include "ddx/tensor/detail/mapped_derivative.h"

#include <tuple>
#include <utility>

namespace ddx {

/// The function for many examples at once: `vmap(f)(x...)` computes f of each example, with results
/// that have the axis of the examples in front, by operations on all of them together, without a
/// loop (what has no form for many examples is computed one by one: docs/design/008-staging.md).
/// The function sees one example, and may take gradients: `vmap(gradient of f)` are the gradients
/// of the examples. It is recorded at each call, on the device of the arguments if that records
/// operations (Device::is_lazy: the lazy device, devices of PJRT, meshes), otherwise on
/// Device::lazy(), where it then runs at once; results lie where the arguments lie.
/// `compile(vmap(f))` records it once. vmap of vmap maps over two axes.
///
/// Arguments and results are as those of `compile`; numbers, keys and what the function captures
/// are the same for all examples, so a key draws the same numbers for each.
///
/// Shapes:   tensors of an argument [..., examples, ...] -> of the function's [...]; its results
///           [...] -> [examples, ...]
/// Gradient: by the same for the pullback of the function, which runs it again; what the examples
///           share, captures among it, gets the sum over them.
/// Throws:   UsageError if a tensor has no such axis, the numbers of examples differ, or nothing is
///           mapped; if the function observes elements; what the function throws.
/// Example:
///   const auto slope = [](const Tensor<float>& w, const Tensor<float>& x) {
///     return gradient([&](const Tensor<float>& v) { return loss(v, x); }, w);
///   };
///   const auto slopes = vmap(slope, {std::nullopt, 0})(w, batch);  // One for each example.
template <class F>
[[nodiscard]] auto vmap(F f, MappedAxes axes = {}) {
  return [f = std::move(f), axes = std::move(axes)]<class... X>(const X&... x) {
    return detail::mapped(f, detail::axes_of_arguments(axes, sizeof...(X)), std::tuple<X...>(x...));
  };
}

}  // namespace ddx
