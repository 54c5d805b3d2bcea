/// \file
/// Evenly spaced numbers.

#pragma once

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
  const std::int64_t count =
      detail::range_count(static_cast<double>(start), static_cast<double>(first_behind),
                          static_cast<double>(distance), where);
  // The products and sums of integers are right where their exact values fit, whatever has wrapped
  // around on the way.
  return detail::wrapping_iota<Scalar>(count, device, where) * distance + start;
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
  // From both ends, so that both are met exactly.
  const auto share = iota<Scalar>(count, device, where) / static_cast<Scalar>(count - 1);
  return (Scalar{1} - share) * start + share * stop;
}

}  // namespace ddx
