/// \file
/// Verification and timing of one problem.

#pragma once

#include "problem.h"

#include <cstddef>
#include <string>

namespace ddx::bench {

/// The duration of a measurement.
struct Effort {
  int samples = 21;
  double seconds_per_sample = 0.02;
};

/// Measured times. Ratios are gradient over primal: of the minima, and the median over samples
/// taken in turn.
struct Measurement {
  std::string name;
  double primal_ms = 0;
  double gradient_ms = 0;
  double ratio = 0;
  double median_ratio = 0;
  double hand_ratio = 0;           ///< 0 without an adjoint by hand.
  double hvp_ratio = 0;            ///< Hessian-vector product over gradient; 0 if there is none.
  double error = 0;                ///< Of the gradient, relative; see gradient_error.
  std::size_t residual_bytes = 0;  ///< Residuals of one call in the arena.
};

/// The largest relative error of `gradient . v` against dual numbers over three random directions
/// v, relative to the sum of |gradient_i v_i|. Infinite if `value` differs from the primal's.
[[nodiscard]] double gradient_error(const Problem& problem, const std::vector<double>& gradient,
                                    double value);

/// Verifies and times.
///
/// Throws: InternalError if the gradient, or the adjoint by hand, differs by more than the
///         problem's tolerance.
[[nodiscard]] Measurement measure(const Problem& problem, const Effort& effort);

}  // namespace ddx::bench
