/// \file
/// Scaling of a loss, so that small gradients do not vanish in a narrow floating-point type.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/detail/gradient_checks.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

namespace ddx::nn {

/// The settings of DynamicLossScale.
struct DynamicLossScaleOptions {
  double initial = 65536;
  double growth = 2;                    ///< The scale is multiplied by this after good steps,
  double backoff = 0.5;                 ///< and by this after one whose gradient was not finite.
  std::int64_t growth_interval = 2000;  ///< Good steps in a row until the scale grows.

  friend bool operator==(const DynamicLossScaleOptions&, const DynamicLossScaleOptions&) = default;
};

/// A factor for losses that is as large as it can be without infinite gradients. The loss is
/// multiplied by it before differentiation, the gradient divided by it after.
///
/// Source:  P. Micikevicius et al., "Mixed precision training", ICLR 2018.
/// Example:
///   DynamicLossScale scale;
///   auto gradient = ddx::gradient([&](const Net& n) { return scale.scaled(loss(n)); }, model);
///   if (auto unscaled = scale.take_unscaled(std::move(gradient))) {
///     optimizer.update(model, *unscaled);
///   }
class DynamicLossScale {
 public:
  /// Throws:  UsageError where `initial` or `backoff` is not positive and finite, `backoff` is
  ///          above 1, `growth` is below 1, or the interval is below 1.
  explicit DynamicLossScale(const DynamicLossScaleOptions& options = {});

  /// The factor of the next loss.
  [[nodiscard]] double value() const noexcept { return value_; }

  /// The loss times the scale.
  ///
  /// Shapes:  loss [...] -> [...]
  template <FloatingScalar Scalar>
  [[nodiscard]] Tensor<Scalar> scaled(const Tensor<Scalar>& loss) const {
    return loss * static_cast<Scalar>(value_);
  }
  template <std::floating_point Number>
  [[nodiscard]] Number scaled(Number loss) const {
    return loss * static_cast<Number>(value_);
  }

  /// The gradient divided by the scale, or nothing where an element is infinite or NaN: that step
  /// is to be left out. Adapts the scale.
  template <class Gradient>
  [[nodiscard]] std::optional<Gradient> take_unscaled(Gradient gradient) {
    const bool finite = detail::is_finite(gradient);
    if (finite) {
      visit_parameters([&](const Path&, auto& part) { part = detail::scaled(part, 1 / value_); },
                       gradient);
    }
    adapt(finite);
    return finite ? std::optional<Gradient>(std::move(gradient)) : std::nullopt;
  }

  /// Names the scale and the number of good steps, for checkpoints.
  template <class Visitor>
  void visit_state(Visitor&& visitor) {
    const Path root;
    visitor(Path(root, "value"), value_);
    visitor(Path(root, "good_steps"), good_steps_);
  }

 private:
  void adapt(bool finite) noexcept;

  DynamicLossScaleOptions options_;
  double value_;
  std::int64_t good_steps_ = 0;
};

}  // namespace ddx::nn
