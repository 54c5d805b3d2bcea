/// \file
/// Loops over slices.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/tensor/detail/control_values.h"
#include "ddx/tensor/detail/record_function.h"
#include "ddx/tensor/detail/run_scan.h"
#include "ddx/tensor/detail/scan_derivative.h"
#include "ddx/tensor/detail/scan_options.h"
#include "ddx/tensor/detail/scan_turn.h"

#include <source_location>
#include <type_traits>
#include <utility>

namespace ddx {

/// Calls `body(carry, slice)` for each slice of `slices` along the first axes of its tensors, from
/// the first to the last (with `.reverse`, from the last to the first), each time with the carry
/// that the turn before returned, at first with `start`. The body returns a pair of a carry and an
/// output, or the carry alone. Returns a pair of the last carry and the outputs stacked along a new
/// first axis, in the order of the slices; or the last carry.
///
/// On a device that records operations (Device::is_lazy: the lazy device, devices of PJRT, meshes)
/// this is one operation that holds the body as a graph: it is recorded and compiled once, however
/// many turns there are. Elsewhere it is a loop. Start, slices and results are as those of
/// `compile`; all turns return carries of the same shapes, dtypes and numbers, and outputs
/// likewise. Without slices give `std::tuple<>()` and `.turns`. What the body captures is the same
/// in each turn; so is a random key, and what is drawn with it.
///
/// Shapes:   start [c...], slices [turns, s...], output of the body [o...] -> carry [c...], outputs
///           [turns, o...]
/// Throws:   UsageError if the numbers of slices differ or their number is unknown, or if a carry
///           or an output has another form than those before it; if a body that is recorded
///           observes elements; what the body throws.
/// Gradient: by a reversed scan. Reverse mode saves the carries of all iterations and, where the
///           scan is one operation, runs the body again; elsewhere it saves the residuals of each
///           iteration. A scan whose body is a scan saves the carries of the outer one, and of one
///           inner one at a time.
/// Example:
///   const auto [last, states] = scan(
///       [&](const Tensor<float>& state, const Tensor<float>& x) {
///         const auto next = tanh(matmul(state, w) + matmul(x, u));
///         return std::pair(next, next);
///       },
///       start, inputs);  // inputs [time, batch, features]
template <class Body, class Carry, class Slices>
[[nodiscard]] auto scan(const Body& body, const Carry& start, const Slices& slices,
                        const ScanOptions& options = {},
                        std::source_location where = std::source_location::current()) {
  using Returned = std::decay_t<std::invoke_result_t<const Body&, const Carry&, const Slices&>>;
  (void)&detail::scan_turn<Body, Carry, Slices>;  // Instantiates what the compiler reads.
  return detail::scan_of<Returned>(
      [&](const Carry& carry, const Slices& slice) -> Returned { return body(carry, slice); },
      start, slices, options, where);
}

}  // namespace ddx
