/// \file
/// One of two functions, chosen by a tensor.

#pragma once

#include "ddx/tensor/detail/cond_derivative.h"
#include "ddx/tensor/detail/run_cond.h"
#include "ddx/tensor/tensor.h"

#include <type_traits>
#include <utility>

namespace ddx {

namespace detail {

/// What the compiler differentiates of `cond`.
template <class Then, class Else, class... X>
auto cond_branch(const Tensor<bool>& condition, const Then& then, const Else& otherwise,
                 const X&... x) {
  if (condition.item()) {
    return then(x...);
  }
  return otherwise(x...);
}

}  // namespace detail

/// Returns `then(x...)` if the condition holds, otherwise `otherwise(x...)`. If the condition lies
/// on a device that records operations (Device::is_lazy: the lazy device, devices of PJRT, meshes),
/// this is one operation with both functions as graphs: the condition is not observed while the
/// program is recorded, and only the selected function runs. Elsewhere it is an `if`.
///
/// Both functions return values of one type, with tensors of the same shapes; arguments and results
/// are as those of `compile`. What the functions capture is used as it is.
///
/// Shapes:   condition of one element; those of both functions' results are the same
/// Throws:   UsageError if the condition has not one element or the results differ in more than
///           their elements; if a function that is recorded observes elements; what a function
///           throws, which may be the one that is not selected if both are recorded.
/// Gradient: that of the selected function; captures of the other one get zeros. Where `cond` is
///           one operation, the function runs once more for it.
/// Example:
///   const auto step = cond(less(norm(g), limit), [&] { return g; },
///                          [&] { return g * (limit / norm(g)); });
template <class Then, class Else, class... X>
[[nodiscard]] auto cond(const Tensor<bool>& condition, const Then& then, const Else& otherwise,
                        const X&... x) {
  using Result = std::decay_t<std::invoke_result_t<const Then&, const X&...>>;
  static_assert(
      std::is_same_v<Result, std::decay_t<std::invoke_result_t<const Else&, const X&...>>>,
      "ddx::cond: both functions have to return the same type");
  (void)&detail::cond_branch<Then, Else, X...>;  // Instantiates what the compiler reads.
  return detail::run_cond<Result>(
      condition,
      [&](bool pick, const X&... args) -> Result {
        return pick ? then(args...) : otherwise(args...);
      },
      x...);
}

}  // namespace ddx
