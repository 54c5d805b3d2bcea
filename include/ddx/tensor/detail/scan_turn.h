/// \file
/// One turn of a scan, and all of them.

#pragma once

#include "ddx/tensor/detail/control_values.h"
#include "ddx/tensor/detail/record_function.h"
#include "ddx/tensor/detail/run_scan.h"
#include "ddx/tensor/detail/scan_options.h"

#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// What a body of a scan returns.
template <class Carry, class Returned>
struct TurnResult {
  static_assert(std::is_same_v<Carry, void>,
                "ddx::scan: the body has to return a carry of the type of the start, or a "
                "std::pair of it and an output");
};

/// A carry alone.
template <class Carry>
struct TurnResult<Carry, Carry> {
  using Output = std::tuple<>;
  static std::pair<Carry, Output> both(const Carry& returned) { return {returned, {}}; }
  static Carry returned(std::pair<Carry, Output> both) { return std::move(both.first); }
};

/// A carry and an output.
template <class Carry, class Given>
struct TurnResult<Carry, std::pair<Carry, Given>> {
  using Output = Given;
  static std::pair<Carry, Output> both(const std::pair<Carry, Output>& returned) {
    return returned;
  }
  static std::pair<Carry, Output> returned(std::pair<Carry, Output> both) { return both; }
};

/// What the compiler differentiates of `scan`.
template <class Body, class Carry, class Slices>
auto scan_turn(const Carry& carry, const Slices& slice, const ScanOptions& /*options*/,
               const std::source_location& /*where*/, const Body& body) {
  return body(carry, slice);
}

/// Where a scan goes.
///
/// Throws:  UsageError where the slices and options do not say how often it turns.
template <class Slices>
ScanWay way_of(const Slices& slices, const ScanOptions& options,
               const std::source_location& where) {
  return {slice_count("scan", types_of(arrays_in(slices)), options.turns), options.reverse, where};
}

/// The scan of a body that returns a carry, or a carry and an output.
template <class Returned, class Body, class Carry, class Slices>
auto scan_of(const Body& body, const Carry& start, const Slices& slices, const ScanOptions& options,
             const std::source_location& where) {
  using Result = TurnResult<Carry, Returned>;
  return Result::returned(run_scan<Carry, typename Result::Output>(
      way_of(slices, options, where),
      [&](const Carry& carry, const Slices& slice) { return Result::both(body(carry, slice)); },
      start, slices));
}

}  // namespace ddx::detail
