/// \file
/// The approximate inverse Hessian of L-BFGS.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/minimum_flow.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/runtime_arithmetic.h"
#include "ddx/nn/detail/wolfe_search.h"
#include "ddx/nn/path.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/nn/visit.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ddx::nn::detail {

/// a <- a + scale b, place by place.
template <class A, class B>
void move_along(A& a, const RuntimeNumber& scale, const B& b) {
  visit_parameters(
      [&](const Path&, auto& to, const auto& by) { to = plus_scaled(given_away(to), scale, by); },
      a, b);
}

/// a <- factor a.
template <class Tangent>
void scale(Tangent& a, const RuntimeNumber& factor) {
  visit_parameters([&](const Path&, auto& part) { part = scaled(part, factor); }, a);
}

/// What is remembered of the last steps: the inverse Hessian, nearly. Recorded, it has as many
/// pairs as it may, of which those that are not there yet count for nothing.
template <class Flow, class Tangent>
class CurvatureHistory {
 public:
  using Number = typename Flow::Number;

  /// For tangents like this one.
  CurvatureHistory(const Flow& flow, std::int64_t capacity, const Tangent& like)
      : count_(flow.stored(0)), scale_(flow.stored(1)) {
    if constexpr (Flow::is_recorded) {
      Tangent zeros = like;
      visit_parameters([](const Path&, auto& part) { part = cleared(part); }, zeros);
      pairs_.assign(static_cast<std::size_t>(capacity), {zeros, zeros, flow.stored(0)});
    }
  }

  /// With the change of the gradient over a step, in the place of the oldest one where there are
  /// `capacity`. Where the slope did not rise along the step, nothing is learnt.
  [[nodiscard]] CurvatureHistory with(const Flow& flow, std::int64_t capacity, const Tangent& step,
                                      const Tangent& change) const {
    const RuntimeNumber rise = inner_product(flow, step, change);
    const RuntimeNumber square = inner_product(flow, change, change);
    return flow.branch(
        is_above(rise, 1e-14 * square),
        [&] {
          CurvatureHistory next = *this;
          if (next.pairs_.size() == static_cast<std::size_t>(capacity)) {
            next.pairs_.erase(next.pairs_.begin());
          }
          next.pairs_.push_back({step, change, flow.stored(1 / rise)});
          next.count_ = flow.stored(RuntimeNumber(count_) + 1);
          next.scale_ = flow.stored(rise / square);
          return next;
        },
        [&] { return *this; });
  }

  void forget(const Flow& flow) {
    if constexpr (Flow::is_recorded) {
      for (Pair& pair : pairs_) {
        pair.inverse_rise = flow.stored(0);
      }
    } else {
      pairs_.clear();
    }
    count_ = flow.stored(0);
    scale_ = flow.stored(1);
  }

  /// How many steps were remembered since it was empty.
  [[nodiscard]] RuntimeNumber count() const { return RuntimeNumber(count_); }

  /// Minus the approximate inverse Hessian times the gradient.
  ///
  /// Source: J. Nocedal, "Updating quasi-Newton matrices with limited storage", 1980.
  [[nodiscard]] Tangent direction(const Flow& flow, Tangent gradient) const {
    Tangent q = std::move(gradient);
    std::vector<RuntimeNumber> shares(pairs_.size(), 0);
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      const Pair& pair = pairs_[i];
      shares[i] = RuntimeNumber(pair.inverse_rise) * inner_product(flow, pair.step, q);
      move_along(q, -shares[i], pair.change);
    }
    scale(q, RuntimeNumber(scale_));
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const Pair& pair = pairs_[i];
      const RuntimeNumber share =
          RuntimeNumber(pair.inverse_rise) * inner_product(flow, pair.change, q);
      move_along(q, shares[i] - share, pair.step);
    }
    scale(q, -1);
    return q;
  }

 private:
  struct Pair {
    Tangent step;
    Tangent change;
    Number inverse_rise;  // 0 where it counts for nothing.

    DDX_NO_DERIVATIVE(step, change, inverse_rise)
  };

  std::vector<Pair> pairs_;  // The oldest first.
  Number count_;
  Number scale_;

 public:
  DDX_NO_DERIVATIVE(pairs_, count_, scale_)
};

}  // namespace ddx::nn::detail
