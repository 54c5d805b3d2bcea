/// \file
/// The inverse of the normal distribution function.

#pragma once

namespace ddx::detail {

/// The number that a standard normal variable stays below with this probability, with a relative
/// error below 1e-15; -infinity at 0, infinity at 1, NaN outside of [0, 1].
///
/// Source: M. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", 1988.
double normal_quantile(double probability) noexcept;

}  // namespace ddx::detail
