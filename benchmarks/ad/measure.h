/// \file
/// Verification and timing of one problem.

#pragma once

#include "problem.h"

#include <cstddef>
#include <string>

namespace ddx::bench {

/// How long to measure.
struct Effort {
  int samples = 21;
  double seconds_per_sample = 0.02;
};

/// What was measured. Ratios are gradient over primal: of the minima, and the median over samples
/// taken one beside the other.
struct Measurement {
  std::string name;
  double primal_ms = 0;
  double gradient_ms = 0;
  double ratio = 0;
  double median_ratio = 0;
  double hand_ratio = 0;           ///< 0 where there is no adjoint by hand.
  double hvp_ratio = 0;            ///< Hessian-vector product over gradient; 0 where there is none.
  double error = 0;                ///< Of the gradient, relative; see gradient_error.
  std::size_t residual_bytes = 0;  ///< What the records of one call take in the arena.
};

/// The largest relative error of `gradient . v` against dual numbers over three random directions
/// v, relative to the sum of |gradient_i v_i|; also infinite where `value` is not the primal's.
[[nodiscard]] double gradient_error(const Problem& problem, const std::vector<double>& gradient,
                                    double value);

/// Verifies and times.
///
/// Throws: InternalError where the gradient, or the adjoint by hand, is off by more than the
///         problem's tolerance.
[[nodiscard]] Measurement measure(const Problem& problem, const Effort& effort);

}  // namespace ddx::bench
