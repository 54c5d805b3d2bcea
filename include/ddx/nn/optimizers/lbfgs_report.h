/// \file
/// The settings and the report of L-BFGS.

#pragma once

#include <cstdint>

namespace ddx::nn {

/// The settings of minimize_lbfgs and lbfgs_minimum.
struct LBFGSOptions {
  std::int64_t max_iterations = 100;
  std::int64_t history = 10;         ///< How many steps the approximate Hessian remembers.
  double gradient_tolerance = 1e-7;  ///< A gradient with this norm is taken for zero.
  double value_tolerance = 1e-12;    ///< A step that lowers the value by less, relative to it, is
                                     ///< the last.

  friend bool operator==(const LBFGSOptions&, const LBFGSOptions&) = default;
};

/// How a minimisation ended.
struct LBFGSReport {
  enum class Outcome : std::uint8_t {
    Converged,       ///< The gradient is as good as zero.
    Stalled,         ///< The value does not fall any more.
    IterationLimit,  ///< As many iterations as allowed.
    NoDescent,       ///< No lower value was found along the direction.
    NotFinite  ///< The first value or gradient is infinite or NaN, in a graph (lbfgs_minimum).
  };

  Outcome outcome = Outcome::Converged;
  double value = 0;              ///< Of the model as it is now.
  double gradient_norm = 0;      ///< Of its gradient.
  std::int64_t iterations = 0;   ///< Steps taken.
  std::int64_t evaluations = 0;  ///< How often value and gradient were computed.
};

}  // namespace ddx::nn
