/// \file
/// Gradients that are not too large.

#pragma once

#include "ddx/core/error.h"
#include "ddx/nn/detail/gradient_checks.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/runtime_arithmetic.h"
#include "ddx/nn/path.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/nn/visit.h"

#include <cmath>

namespace ddx::nn {

namespace detail {

/// As nn::global_norm, of what may be recorded.
template <class Gradient>
RuntimeNumber norm_of_all(const Gradient& gradient) {
  RuntimeNumber total = 0;
  visit_parameters([&](const Path&, const auto& part) { total = hypot(total, detail::norm(part)); },
                   gradient);
  return total;
}

}  // namespace detail

/// The Euclidean norm of all numbers of a gradient together; NaN or infinite where one of them is.
/// A model has such a norm too.
///
/// Throws:  UsageError in a function that is being staged, where the gradient depends on its
///          arguments.
template <class Gradient>
[[nodiscard]] double global_norm(const Gradient& gradient) {
  return detail::norm_of_all(gradient).value();
}

/// The gradient itself where its global norm is at most `max_norm`, else the gradient scaled to
/// that norm. A function that is being staged looks at no element: where one is infinite or NaN,
/// the gradient stays as it is there.
///
/// Throws:  UsageError where `max_norm` is not positive and finite; outside of such a function also
///          where an element of the gradient is infinite or NaN (names its path), or where the norm
///          overflows.
/// Source:  R. Pascanu, T. Mikolov, Y. Bengio, "On the difficulty of training recurrent neural
///          networks", ICML 2013.
/// Example:
///   optimizer.update(model, clip_by_global_norm(std::move(gradient), 1.0));
template <class Gradient>
[[nodiscard]] Gradient clip_by_global_norm(Gradient gradient, double max_norm) {
  detail::require_above_zero("clip_by_global_norm", "max_norm", max_norm);
  RuntimeNumber norm = detail::norm_of_all(gradient);
  if (!norm.is_staged()) {
    norm = norm.value();
    if (!std::isfinite(norm.value())) {
      detail::require_finite("clip_by_global_norm", gradient);
      throw UsageError("clip_by_global_norm", "the norm of the gradient is too large for a double");
    }
    if (norm.value() <= max_norm) {
      return gradient;
    }
  }
  const auto factor = choose_positive(norm - max_norm, max_norm / norm, 1);
  visit_parameters([&](const Path&, auto& part) { part = detail::scaled(part, factor); }, gradient);
  return gradient;
}

/// The gradient with each number moved to the nearer end of [-limit, limit] where it lies beyond.
/// NaN stays NaN.
///
/// Throws:  UsageError where `limit` is not positive and finite.
template <class Gradient>
[[nodiscard]] Gradient clip_by_value(Gradient gradient, double limit) {
  detail::require_above_zero("clip_by_value", "limit", limit);
  visit_parameters(
      [&](const Path&, auto& part) {
        if (!detail::is_absent(part) && !detail::is_empty(part)) {
          part = detail::clamped(part, limit);
        }
      },
      gradient);
  return gradient;
}

}  // namespace ddx::nn
