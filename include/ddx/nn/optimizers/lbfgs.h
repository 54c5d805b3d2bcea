/// \file
/// L-BFGS: the minimum of a function whose values and gradients are exact.

#pragma once

#include "ddx/ad/detail/inner.h"
#include "ddx/ad/tangent.h"
#include "ddx/core/error.h"
#include "ddx/nn/detail/loss_value.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/wolfe_search.h"
#include "ddx/nn/gradients/clip.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace ddx::nn {

/// The settings of minimize_lbfgs.
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
    NoDescent        ///< No lower value was found along the direction.
  };

  Outcome outcome = Outcome::Converged;
  double value = 0;              ///< Of the model as it is now.
  double gradient_norm = 0;      ///< Of its gradient.
  std::int64_t iterations = 0;   ///< Steps taken.
  std::int64_t evaluations = 0;  ///< How often value and gradient were computed.
};

namespace detail {

/// a <- a + scale b, place by place.
template <class A, class B>
void move_along(A& a, double scale, const B& b) {
  visit_parameters(
      [&](const Path&, auto& to, const auto& by) { to = plus_scaled(given_away(to), scale, by); },
      a, b);
}

/// a <- factor a.
template <class Tangent>
void scale(Tangent& a, double factor) {
  visit_parameters([&](const Path&, auto& part) { part = scaled(part, factor); }, a);
}

/// The inner product of two tangents.
template <class Tangent>
double inner_product(const Tangent& a, const Tangent& b) {
  double total = 0;
  visit_parameters(
      [&](const Path&, const auto& x, const auto& y) {
        total += is_empty(x) ? 0 : static_cast<double>(ddx::detail::inner(x, y));
      },
      a, b);
  return total;
}

/// What is remembered of the last steps: the inverse Hessian, nearly.
template <class Tangent>
class CurvatureHistory {
 public:
  explicit CurvatureHistory(std::int64_t capacity)
      : capacity_(static_cast<std::size_t>(capacity)) {}

  /// Remembers that the gradient changed by `change` over a step. Where the slope did not rise
  /// along the step, nothing is learnt.
  void add(Tangent step, Tangent change) {
    const double rise = inner_product(step, change);
    const double square = inner_product(change, change);
    if (!(rise > 1e-14 * square)) {
      return;
    }
    if (pairs_.size() == capacity_) {
      pairs_.pop_front();
    }
    pairs_.push_back({std::move(step), std::move(change), 1 / rise});
    scale_ = rise / square;
  }

  void forget() {
    pairs_.clear();
    scale_ = 1;
  }
  [[nodiscard]] bool empty() const { return pairs_.empty(); }

  /// Minus the approximate inverse Hessian times the gradient.
  ///
  /// Source: J. Nocedal, "Updating quasi-Newton matrices with limited storage", 1980.
  [[nodiscard]] Tangent direction(Tangent gradient) const {
    Tangent q = std::move(gradient);
    std::vector<double> shares(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      shares[i] = pairs_[i].inverse_rise * inner_product(pairs_[i].step, q);
      move_along(q, -shares[i], pairs_[i].change);
    }
    scale(q, scale_);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double share = pairs_[i].inverse_rise * inner_product(pairs_[i].change, q);
      move_along(q, shares[i] - share, pairs_[i].step);
    }
    scale(q, -1);
    return q;
  }

 private:
  struct Pair {
    Tangent step;
    Tangent change;
    double inverse_rise;
  };

  std::size_t capacity_;
  std::deque<Pair> pairs_;
  double scale_ = 1;
};

/// One minimisation.
template <class Model, class Evaluate>
class LBFGSRun {
 public:
  /// Throws: UsageError where the first value or gradient is not finite.
  LBFGSRun(const char* name, const Model& model, const Evaluate& function,
           const LBFGSOptions& options)
      : function_(function),
        options_(options),
        history_(options.history),
        here_{.model = model, .value = 0, .gradient = {}} {
    evaluate(here_);
    report_.gradient_norm = global_norm(here_.gradient);
    if (!std::isfinite(here_.value) || !std::isfinite(report_.gradient_norm)) {
      throw UsageError(name, "the value or the gradient of the model given is not finite");
    }
  }

  LBFGSReport run(Model& result) {
    using Outcome = LBFGSReport::Outcome;
    bool going = true;
    while (going && report_.gradient_norm > options_.gradient_tolerance) {
      if (report_.iterations == options_.max_iterations) {
        report_.outcome = Outcome::IterationLimit;
        break;
      }
      going = take_step();
    }
    report_.value = here_.value;
    result = std::move(here_.model);
    return report_;
  }

 private:
  using Tangent = TangentOf<Model>;

  /// A model with the function's value and gradient there.
  struct Point {
    Model model;
    double value = 0;
    Tangent gradient;
  };

  void evaluate(Point& point) {
    ++report_.evaluations;
    auto [value, gradient] = function_(std::as_const(point.model));
    point.value = loss_value(value);
    point.gradient = std::move(gradient);
  }

  Point point_at(double distance, const Tangent& direction) {
    Point there = here_;
    move_along(there.model, distance, direction);
    evaluate(there);
    return there;
  }

  /// Returns false where this was the last step.
  bool take_step() {
    const Tangent direction = history_.direction(here_.gradient);
    Point there = here_;
    const auto probe = [&](double distance) {
      there = point_at(distance, direction);
      return Probe{distance, there.value, inner_product(there.gradient, direction)};
    };
    // Without history the direction has the gradient's length, which says nothing of the distance.
    const double first = history_.empty() ? std::min(1.0, 1 / report_.gradient_norm) : 1;
    const auto [best, satisfied] =
        wolfe_search(probe, {0, here_.value, inner_product(here_.gradient, direction)}, first, {});
    if (best.distance == 0) {
      report_.outcome = LBFGSReport::Outcome::NoDescent;
      const bool again = !history_.empty();  // Then along the gradient itself.
      history_.forget();
      return again;
    }
    if (!satisfied) {
      there = point_at(best.distance, direction);  // The best was not the last looked at.
    }
    return arrive(std::move(there), best.distance, direction);
  }

  bool arrive(Point there, double distance, const Tangent& direction) {
    Tangent step = direction;
    scale(step, distance);
    Tangent change = there.gradient;
    move_along(change, -1, here_.gradient);
    history_.add(std::move(step), std::move(change));
    const double fall = here_.value - there.value;
    here_ = std::move(there);
    report_.gradient_norm = global_norm(here_.gradient);
    ++report_.iterations;
    const bool stalled = fall <= options_.value_tolerance * std::max(1.0, std::fabs(here_.value)) &&
                         report_.gradient_norm > options_.gradient_tolerance;
    report_.outcome = stalled ? LBFGSReport::Outcome::Stalled : LBFGSReport::Outcome::Converged;
    return !stalled;
  }

  const Evaluate& function_;
  LBFGSOptions options_;
  CurvatureHistory<Tangent> history_;
  Point here_;
  LBFGSReport report_;
};

}  // namespace detail

/// Moves a model to where a function has a minimum. `evaluate(model)` returns what
/// value_with_gradient does; it is deterministic, thus of all samples and without dropout.
///
/// Throws:  UsageError where an option is out of its range, or the first value or gradient is not
///          finite; the model is unchanged then, as it is where `evaluate` throws.
/// Cost:    One or two evaluations for most iterations, and 2 history tangents of memory.
/// Source:  D. Liu, J. Nocedal, "On the limited memory BFGS method for large scale optimization",
///          1989.
/// Example:
///   const auto report = minimize_lbfgs(model, [&](const Line& line) {
///     return value_with_gradient([&](const Line& l) { return loss(l, data); }, line);
///   });
template <class Model, class Evaluate>
LBFGSReport minimize_lbfgs(Model& model, const Evaluate& evaluate,
                           const LBFGSOptions& options = {}) {
  constexpr const char* name = "minimize_lbfgs";
  detail::require_at_least(name, "max_iterations", options.max_iterations, 0);
  detail::require_positive(name, "history", options.history);
  detail::require_not_negative(name, "gradient_tolerance", options.gradient_tolerance);
  detail::require_not_negative(name, "value_tolerance", options.value_tolerance);
  return detail::LBFGSRun<Model, Evaluate>(name, model, evaluate, options).run(model);
}

}  // namespace ddx::nn
