/// \file
/// Scaling of a loss, so that small gradients do not vanish in a narrow floating-point type.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/conditional_update.h"
#include "ddx/nn/detail/gradient_checks.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/runtime_arithmetic.h"
#include "ddx/nn/path.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/nn/scheduled_number.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
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
/// multiplied by it before differentiation, the gradient divided by it after. A compiled step has
/// it as argument and result, as model and optimiser.
///
/// Source:  P. Micikevicius et al., "Mixed precision training", ICLR 2018.
/// Example:
///   DynamicLossScale scale;
///   auto gradient = ddx::gradient([&](const Net& n) { return scale.scaled(loss(n)); }, model);
///   scale.update(optimizer, model, std::move(gradient));
class DynamicLossScale {
 public:
  /// Throws:  UsageError where `initial` or `backoff` is not positive and finite, `backoff` is
  ///          above 1, `growth` is below 1, or the interval is below 1.
  explicit DynamicLossScale(const DynamicLossScaleOptions& options = {});

  /// The factor of the next loss.
  ///
  /// Throws:  UsageError in a function that is being staged, where the scale is an argument of it.
  [[nodiscard]] double value() const { return value_; }

  /// The loss times the scale.
  ///
  /// Shapes:  loss [...] -> [...]
  template <FloatingScalar Scalar>
  [[nodiscard]] Tensor<Scalar> scaled(const Tensor<Scalar>& loss) const {
    return loss * factor<Scalar>(loss.device());
  }
  template <std::floating_point Number>
  [[nodiscard]] Number scaled(Number loss) const {
    return loss * static_cast<Number>(value());
  }

  /// A step of the optimiser with the gradient divided by the scale. Where an element of it is
  /// infinite or NaN, model and optimiser stay as they are. Adapts the scale. On lazy devices no
  /// element is observed: the step is computed, and then kept or not.
  ///
  /// Throws:  as `optimizer.update`.
  template <class Optimizer, class Model, class Gradient>
  void update(Optimizer& optimizer, Model& model, Gradient gradient) {
    const RuntimeNumber excess = detail::excess_of(gradient);
    if (!excess.is_known() || excess.value() == 0) {
      const RuntimeNumber factor = 1 / value_.number();
      visit_parameters([&](const Path&, auto& part) { part = detail::scaled(part, factor); },
                       gradient);
      detail::update_if_zero(excess, optimizer, model, gradient);
    }
    adapt(excess);
  }

  /// The gradient divided by the scale, or nothing where an element is infinite or NaN: that step
  /// is to be left out. Adapts the scale.
  ///
  /// Throws:  UsageError in a function that is being staged: it observes elements.
  template <class Gradient>
  [[nodiscard]] std::optional<Gradient> take_unscaled(Gradient gradient) {
    const bool finite = detail::is_finite(gradient);
    if (finite) {
      visit_parameters([&](const Path&, auto& part) { part = detail::scaled(part, 1 / value()); },
                       gradient);
    }
    adapt(finite ? 0 : 1);
    return finite ? std::optional<Gradient>(std::move(gradient)) : std::nullopt;
  }

  /// Names the scale and the number of good steps, for checkpoints.
  template <class Visitor>
  void visit_state(Visitor&& visitor) {
    const Path root;
    double scale = value_;
    auto good_steps = static_cast<std::int64_t>(good_steps_);
    visitor(Path(root, "value"), scale);
    visitor(Path(root, "good_steps"), good_steps);
    value_ = scale;
    good_steps_ = static_cast<double>(good_steps);
  }

 private:
  /// The scale, as a tensor of rank 0.
  template <FloatingScalar Scalar>
  [[nodiscard]] Tensor<Scalar> factor(Device device) const {
    const RuntimeNumber number = value_.number();
    return number.is_known() ? full(Shape(), static_cast<Scalar>(number.value()), device)
                             : number.computed<Scalar>();
  }
  /// After a step whose gradient was finite, where `excess` is 0, or was not.
  void adapt(const RuntimeNumber& excess);

  DynamicLossScaleOptions options_;
  ScheduledNumber value_;
  ScheduledNumber good_steps_ = 0;

 public:
  DDX_NO_DERIVATIVE(options_, value_, good_steps_)
};

}  // namespace ddx::nn
