/// \file
/// Adafactor.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/runtime_arithmetic.h"
#include "ddx/nn/optimizers/first_order_optimizer.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/nn/scheduled_number.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace ddx::nn {

/// The settings of Adafactor.
struct AdafactorOptions {
  ScheduledNumber learning_rate =
      0.01;  ///< The largest step relative to the parameter; 1 / sqrt(t) at most.
  double decay_exponent = 0.8;    ///< Step t keeps 1 - t^-this of the mean squares.
  double square_epsilon = 1e-30;  ///< Added to the squares of gradients.
  double size_epsilon = 1e-3;     ///< The least size that a parameter counts with.
  double clip_threshold = 1;      ///< The largest root mean square of a direction.
  double weight_decay = 0;  ///< Times the learning rate and the parameter, taken off it each step.

  friend bool operator==(const AdafactorOptions&, const AdafactorOptions&) = default;

  DDX_NO_DERIVATIVE(learning_rate, decay_exponent, square_epsilon, size_epsilon, clip_threshold,
                    weight_decay)
};

namespace detail {

/// The step of Adafactor.
class AdafactorRule : public UpdateRule {
 public:
  using Options = AdafactorOptions;
  static constexpr const char* name = "Adafactor";
  static constexpr std::array<std::string_view, 3> state_names{"rows", "columns", "square"};

  static void check(const Options& options) {
    require_not_negative(name, "learning_rate", options.learning_rate);
    require_not_negative(name, "decay_exponent", options.decay_exponent);
    require_above_zero(name, "square_epsilon", options.square_epsilon);
    require_not_negative(name, "size_epsilon", options.size_epsilon);
    require_above_zero(name, "clip_threshold", options.clip_threshold);
    require_not_negative(name, "weight_decay", options.weight_decay);
  }

  /// Matrices have the means of rows and columns, other parameters those of each element.
  static Shape state_shape(const Options& /*options*/, std::size_t state, const Shape& parameter) {
    const std::size_t rank = parameter.rank();
    if ((state == 2) == (rank >= 2)) {
      return {};
    }
    if (state == 2) {
      return parameter;
    }
    std::array<Shape::Extent, Shape::max_rank> extents{};
    std::copy_n(parameter.extents().begin(), rank, extents.begin());
    extents[state == 0 ? rank - 1 : rank - 2] = 1;
    return Shape(std::span<const Shape::Extent>(extents.data(), rank));
  }

  AdafactorRule(const Options& options, const RuntimeNumber& step)
      : options_(options),
        kept_(1 - pow(step, -options.decay_exponent)),
        relative_rate_(min(options.learning_rate.number(), 1 / sqrt(step))) {}

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& rows, Parameter& columns,
            Parameter& square) const {
    const double count = std::max(1.0, element_count(weight));
    const RuntimeNumber size = detail::norm(weight) / std::sqrt(count);
    const RuntimeNumber rate = max(options_.size_epsilon, size) * relative_rate_;
    const Parameter change = over_root(gradient, mean_square(gradient, rows, columns, square), 0);
    const RuntimeNumber length = detail::norm(change) / std::sqrt(count);
    if (options_.weight_decay != 0) {
      weight = scaled(weight, 1 - options_.learning_rate.number() * options_.weight_decay);
    }
    weight =
        plus_scaled(std::move(weight), -rate / max(1.0, length / options_.clip_threshold), change);
  }

 private:
  template <FloatingScalar Scalar>
  Tensor<Scalar> mean_square(const Tensor<Scalar>& gradient, Tensor<Scalar>& rows,
                             Tensor<Scalar>& columns, Tensor<Scalar>& square) const {
    const auto now = plus(squared(gradient), options_.square_epsilon);
    if (gradient.rank() < 2) {
      square = moved_average(square, kept_, now);
      return square;
    }
    rows = moved_average(rows, kept_, mean(now, {.axes = {-1}, .keep_dims = true}));
    columns = moved_average(columns, kept_, mean(now, {.axes = {-2}, .keep_dims = true}));
    return rows / mean(rows, {.axes = {-2}, .keep_dims = true}) * columns;
  }
  template <std::floating_point Number>
  Number mean_square(Number gradient, Number&, Number&, Number& square) const {
    square = moved_average(square, kept_, plus(squared(gradient), options_.square_epsilon));
    return square;
  }

  Options options_;
  RuntimeNumber kept_;           // Of the mean squares.
  RuntimeNumber relative_rate_;  // Of this step.
};

}  // namespace detail

/// Steps scaled by the recent size of each gradient, of which a matrix with n rows and m columns
/// keeps n + m numbers. In step t, with k = 1 - t^-c, gradient G and the root mean square |X| of
/// all elements, for matrices (the last two axes of a parameter):
///
///   R <- k R + (1 - k) row means of G^2 + e1,  C <- k C + (1 - k) column means of G^2 + e1,
///   V = R C / mean of R,  U = G / sqrt(V),
///   W <- W - r d W - max(e2, |W|) min(r, 1 / sqrt(t)) U / max(1, |U| / clip).
///
/// For vectors and numbers V is the moving mean of G^2 + e1 itself.
///
/// Source:  N. Shazeer, M. Stern, "Adafactor: adaptive learning rates with sublinear memory cost",
///          ICML 2018, algorithms 4 and 5; weight decay as in PyTorch's Adafactor.
/// Example:
///   Adafactor optimizer(model, {.learning_rate = 0.01});
///   optimizer.update(model, gradient);
template <class Model>
class Adafactor : public FirstOrderOptimizer<Model, detail::AdafactorRule> {
 public:
  explicit Adafactor(const Model& model, const AdafactorOptions& given = {})
      : FirstOrderOptimizer<Model, detail::AdafactorRule>(model, given) {}
};

}  // namespace ddx::nn
