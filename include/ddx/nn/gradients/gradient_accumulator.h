/// \file
/// The mean of several gradients, for batches that do not fit into memory at once.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/ad/tangent.h"
#include "ddx/core/error.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/wide_parameters.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <utility>

namespace ddx::nn {

/// Collects the gradients of parts of a batch. The mean over parts, each weighted by its number of
/// samples, is the gradient of the mean loss of the whole batch. Those of 16-bit tensors are added
/// up in f32.
///
/// Example:
///   GradientAccumulator accumulator(model);
///   for (const auto& part : parts) {
///     accumulator.add(gradient(loss_of(part), model), part.size());
///   }
///   optimizer.update(model, accumulator.take_mean());
template <class Model>
class GradientAccumulator {
 public:
  using Tangent = TangentOf<Model>;

  explicit GradientAccumulator(const Model& model) : zero_(detail::zeros_shaped_like(model)) {
    visit_parameters(
        [&](const Path&, const auto& zero) {
          if constexpr (detail::NarrowParameter<decltype(zero)>) {
            wide_sums_.push_back(cast<float>(zero));
          }
        },
        std::as_const(zero_));
  }

  /// Adds a gradient that counts `weight` times.
  ///
  /// Throws:  UsageError where the weight is not positive and finite, or a gradient has another
  ///          shape or device than its parameter. Nothing is changed then.
  void add(const Tangent& gradient, double weight = 1) {
    detail::require_above_zero("GradientAccumulator", "weight", weight);
    visit_parameters(
        [](const Path& path, const auto& zero, const auto& part) {
          detail::check_gradient("GradientAccumulator", path, zero, part);
        },
        std::as_const(zero_), gradient);
    detail::Counterparts wide(wide_sums_);
    visit_parameters(
        [&]<class Sum>(const Path&, Sum& sum, const auto& part) {
          auto& total = wide.next(sum);
          if constexpr (detail::NarrowParameter<Sum>) {
            total = detail::plus_scaled(detail::given_away(total), weight, cast<float>(part));
          } else {
            total = detail::plus_scaled(detail::given_away(total), weight, part);
          }
        },
        sum_, gradient);
    weight_ += weight;
  }

  /// The sum of the weights of what was added since the last mean was taken.
  [[nodiscard]] double weight() const noexcept { return weight_; }

  /// The weighted mean of the gradients; the accumulator is empty then.
  ///
  /// Throws:  UsageError where nothing was added.
  [[nodiscard]] Tangent take_mean() {
    if (weight_ == 0) {
      throw UsageError("GradientAccumulator", "the mean of no gradient was asked for");
    }
    Tangent mean = std::exchange(sum_, zero_);
    detail::Counterparts wide(wide_sums_);
    visit_parameters(
        [&]<class Part>(const Path&, Part& part) {
          if constexpr (detail::NarrowParameter<Part>) {
            Tensor<float>& total = wide.next(part);
            part = cast<typename Part::Element>(detail::scaled(total, 1 / weight_));
            total = zeros_like(total);
          } else {
            part = detail::scaled(part, 1 / weight_);
          }
        },
        mean);
    weight_ = 0;
    return mean;
  }

  /// Names the sum of each parameter's gradients and the weight, for checkpoints.
  template <class Visitor>
  void visit_state(Visitor&& visitor) {
    const Path root;
    detail::Counterparts wide(wide_sums_);
    const auto visit = [&](const Path& path, auto& sum) { visitor(path, wide.next(sum)); };
    detail::ParameterVisitor<decltype(visit)> each{visit};
    detail::walk(Path(root, "sum"), each, sum_);
    visitor(Path(root, "weight"), weight_);
  }

 private:
  Tangent zero_;  // Shares its tensors with an empty sum.
  Tangent sum_ = zero_;
  detail::WideTensors wide_sums_;  // Those of the 16-bit tensors, whose place in sum_ stays zero.
  double weight_ = 0;

 public:
  DDX_NO_DERIVATIVE(zero_, sum_, wide_sums_, weight_)
};

}  // namespace ddx::nn
