/// \file
/// Evenly spaced numbers.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/bare_number.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <type_traits>

namespace ddx {

namespace detail {
/// How many numbers start, start + step, ... lie before stop.
std::int64_t range_count(double start, double stop, double step, const std::source_location& where);

/// As above, exactly: integers of 64 bits are not all doubles.
template <DiscreteScalar Scalar>
std::int64_t whole_range_count(Scalar start, Scalar stop, Scalar step,
                               const std::source_location& where) {
  const auto bits = [](Scalar value) { return static_cast<std::uint64_t>(value); };
  const bool rises = step > Scalar{0};
  const bool is_empty = rises ? !(start < stop) : !(stop < start);
  const std::uint64_t size = rises ? bits(step) : 0 - bits(step);
  const std::uint64_t length = rises ? bits(stop) - bits(start) : bits(start) - bits(stop);
  if (size == 0 || (!is_empty && (length - 1) / size >= std::uint64_t{Shape::max_count})) {
    return range_count(static_cast<double>(start), static_cast<double>(stop),
                       static_cast<double>(step), where);  // Fails.
  }
  return is_empty ? 0 : static_cast<std::int64_t>((length - 1) / size + 1);
}

void check_linspace(std::int64_t count, const std::source_location& where);
}  // namespace detail

/// start, start + step, ... as long as before `stop`; element i is start + i step.
///
/// Shapes:  -> [ceil((stop - start) / step)], at least 0
/// Throws:  UsageError where the step is 0, or an argument is not finite.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> arange(Scalar start, detail::BareNumber<Scalar> stop,
                                    detail::BareNumber<Scalar> step = 1, Device device = {},
                                    std::source_location where = std::source_location::current()) {
  const Scalar first_behind = stop;
  const Scalar distance = step;
  if constexpr (NarrowScalar<Scalar>) {
    // Places may be infinite in 16 bits, or not be there, where the numbers are.
    using Wide = WideScalar<Scalar>;
    return cast<Scalar>(arange<Wide>(static_cast<Wide>(start), static_cast<Wide>(first_behind),
                                     static_cast<Wide>(distance), device, where));
  } else {
    std::int64_t count = 0;
    if constexpr (DiscreteScalar<Scalar>) {
      count = detail::whole_range_count(start, first_behind, distance, where);
    } else {
      count = detail::range_count(static_cast<double>(start), static_cast<double>(first_behind),
                                  static_cast<double>(distance), where);
    }
    // The products and sums of integers are right where their exact values fit, whatever has
    // wrapped around on the way.
    return detail::wrapping_iota<Scalar>(count, device, where) * distance + start;
  }
}

/// `count` numbers from `start` to `stop`, both included.
///
/// Shapes:  -> [count]
/// Throws:  UsageError where the count is negative.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> linspace(
    Scalar start, std::type_identity_t<Scalar> stop, std::int64_t count, Device device = {},
    std::source_location where = std::source_location::current()) {
  detail::check_linspace(count, where);
  if (count < 2) {
    return full(Shape({count}, where), start, device);
  }
  // From both ends, so that both are met exactly; in 32 bits where 16 cannot count so far.
  using Wide = WideScalar<Scalar>;
  const auto share = iota<Wide>(count, device, where) / static_cast<Wide>(count - 1);
  return cast<Scalar>((Wide{1} - share) * static_cast<Wide>(start) +
                      share * static_cast<Wide>(stop));
}

}  // namespace ddx
