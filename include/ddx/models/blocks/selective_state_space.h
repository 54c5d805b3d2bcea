/// \file
/// The layer that replaces attention in Mamba.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/depthwise_convolution.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/exponential.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/scan.h"
#include "ddx/tensor/splitting.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::models {

/// The settings of SelectiveStateSpace.
struct SelectiveStateSpaceOptions {
  std::int64_t features = 0;
  std::int64_t channels = 0;       ///< Of the convolution and the scan.
  std::int64_t states = 16;        ///< Numbers that a channel remembers.
  std::int64_t kernel = 4;         ///< Places that the convolution sees.
  std::int64_t step_features = 0;  ///< What step sizes are computed from.
  bool bias = false;               ///< Of the first and the last layer.
  bool kernel_bias = true;
  nn::Activation activation = nn::Activation::SiLU;
  RandomKey key{0};  ///< Of the initial weights.
  Device device = {};
};

/// What a SelectiveStateSpace remembers of sequences; its size does not depend on their lengths.
/// Begins empty.
template <FloatingScalar Scalar>
struct StateSpaceCache {
  Tensor<Scalar> places;              ///< [n, kernel - 1, channels], the last the convolution saw.
  Tensor<WideScalar<Scalar>> states;  ///< [n, channels, states]
};

namespace detail {

/// Throws: UsageError where an extent is below 1.
const SelectiveStateSpaceOptions& checked(const SelectiveStateSpaceOptions& options);

/// The initial logarithms of how fast states fade, [channels, states]: those of 1, 2, ...
[[nodiscard]] std::vector<double> initial_fading(const SelectiveStateSpaceOptions& options);

/// Initial biases of step sizes, whose softplus lies between 0.001 and 0.1, at random.
[[nodiscard]] std::vector<double> initial_steps(const SelectiveStateSpaceOptions& options);

/// How many numbers of a selection go to the step sizes, to what enters states, and to what leaves.
[[nodiscard]] inline std::vector<std::int64_t> selected_sizes(const Shape& selection,
                                                              const Shape& fading) {
  return {selection[selection.rank() - 1] - 2 * fading[1], fading[1], fading[1]};
}

/// h_t = exp(step_t rates) h_(t-1) + step_t x_t b_t and y_t = h_t c_t, place by place. Returns the
/// last h and all y.
///
/// Shapes:  start [n, channels, states], rates [channels, states], x and steps [n, time, channels],
///          b and c [n, time, states] -> [n, channels, states], [n, time, channels]
/// Cost:    O(n time channels states); reverse mode keeps h of each place.
/// Source:  A. Gu, T. Dao, "Mamba: linear-time sequence modeling with selective state spaces",
/// 2023,
///          algorithm 2.
template <FloatingScalar Scalar>
[[nodiscard]] std::pair<Tensor<Scalar>, Tensor<Scalar>> selective_scan(
    const Tensor<Scalar>& start, const Tensor<Scalar>& rates, const Tensor<Scalar>& x,
    const Tensor<Scalar>& steps, const Tensor<Scalar>& b, const Tensor<Scalar>& c,
    std::source_location where) {
  using Values = Tensor<Scalar>;
  using Slice = std::tuple<Values, Values, Values, Values>;
  const Slice slices(transpose(x, {1, 0, 2}, where), transpose(steps, {1, 0, 2}, where),
                     transpose(b, {1, 0, 2}, where), transpose(c, {1, 0, 2}, where));
  const auto [last, outputs] = scan(
      [&](const Values& state, const Slice& place) {
        const auto step = expand_dims(std::get<1>(place), 2);
        const auto input = step * expand_dims(std::get<0>(place), 2);
        const auto next = state * exp(step * rates) + input * expand_dims(std::get<2>(place), 1);
        return std::pair<Values, Values>(
            next, sum(next * expand_dims(std::get<3>(place), 1), {.axes = {2}}));
      },
      start, slices, {}, where);
  return {last, transpose(outputs, {1, 0, 2}, where)};
}

}  // namespace detail

/// Each place is mixed with those before it: channels pass a short convolution and a linear
/// recurrence whose coefficients depend on the place, and are gated.
///
/// Shapes:  x [n, time, features] -> [n, time, features]
/// Cost:    linear in time.
/// Source:  A. Gu, T. Dao, "Mamba: linear-time sequence modeling with selective state spaces",
/// 2023.
template <FloatingScalar Scalar>
struct SelectiveStateSpace {
  using Options = SelectiveStateSpaceOptions;
  using Cache = StateSpaceCache<Scalar>;

  nn::Dense<Scalar> input;      ///< To channels and gates.
  Tensor<Scalar> filter;        ///< [kernel, channels, 1]
  Tensor<Scalar> filter_bias;   ///< [channels]; without elements where there is none.
  nn::Dense<Scalar> selection;  ///< To what gives steps, and to what states take and give.
  nn::Dense<Scalar> step;
  Tensor<Scalar> fading;  ///< [channels, states]; states fade by exp(-step exp(fading)).
  Tensor<Scalar> past;    ///< [channels]; how much of a channel passes the recurrence by.
  nn::Dense<Scalar> output;
  nn::Activation activation;

  /// Throws: UsageError where an extent is below 1.
  explicit(false) SelectiveStateSpace(const Options& options)
      : input(layer(detail::checked(options), options.features, 2 * options.channels, 0)),
        filter(nn::initial_values<Scalar>(
            nn::Initializer::GlorotUniform, {options.kernel, options.channels, 1},
            {.in = options.kernel, .out = options.kernel}, options.key.fold_in(1), options.device)),
        filter_bias(zeros<Scalar>({options.kernel_bias ? options.channels : 0}, options.device)),
        selection(layer(options, options.channels, options.step_features + 2 * options.states, 2)),
        step(layer(options, options.step_features, options.channels, 3)),
        fading(numbers({options.channels, options.states}, detail::initial_fading(options),
                       options.device)),
        past(ones<Scalar>({options.channels}, options.device)),
        output(layer(options, options.channels, options.features, 4)),
        activation(options.activation) {
    step.bias = numbers({options.channels}, detail::initial_steps(options), options.device);
  }

  /// Shapes:  x [n, time, features] -> [n, time, features]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return mixed(x, beginning(x), where).first;
  }

  /// The layer on sequences whose beginnings are in a cache, which afterwards holds the new places
  /// too.
  ///
  /// Shapes:  x [n, new places, features] -> [n, new places, features]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> extend(
      const Tensor<Scalar>& x, Cache& cache,
      std::source_location where = std::source_location::current()) const {
    auto result = mixed(x, cache.states.is_symbolic_zero() ? beginning(x) : cache, where);
    cache = std::move(result.second);
    return std::move(result.first);
  }

  DDX_DIFFERENTIABLE(SelectiveStateSpace, input, filter, filter_bias, selection, step, fading, past,
                     output)
  DDX_NO_DERIVATIVE(activation)

 private:
  using Wide = WideScalar<Scalar>;

  static typename nn::Dense<Scalar>::Options layer(const Options& options, std::int64_t in,
                                                   std::int64_t out, std::uint64_t number) {
    return {.in = in,
            .out = out,
            .bias = number == 3 || (number != 2 && options.bias),
            .initializer = nn::Initializer::normal(0, 0.1),
            .key = options.key.fold_in(number),
            .device = options.device};
  }
  static Tensor<Scalar> numbers(const Shape& shape, const std::vector<double>& values,
                                Device device) {
    return cast<Scalar>(Tensor<double>(shape, values, device));
  }

  /// What is before the first place.
  Cache beginning(const Tensor<Scalar>& x) const {
    const std::int64_t count = x.shape()[0];
    const Shape kernel = filter.shape();
    const Shape memory = fading.shape();
    return {zeros<Scalar>({count, kernel[0] - 1, kernel[1]}, x.device()),
            zeros<Wide>({count, memory[0], memory[1]}, x.device())};
  }

  std::pair<Tensor<Scalar>, Cache> mixed(const Tensor<Scalar>& x, const Cache& before,
                                         std::source_location where) const {
    const auto halves = split_equally(input(x, where), 2, -1, where);
    const auto seen = concatenate(std::vector<Tensor<Scalar>>{before.places, halves[0]}, 1, where);
    auto convolved = depthwise_conv1d(seen, filter, {}, where);
    if (filter_bias.shape()[0] > 0) {
      convolved = convolved + filter_bias;
    }
    const auto channels = nn::activate(convolved, activation);
    const auto selection_of_channels = selection(channels, where);
    const auto selected =
        split(selection_of_channels,
              detail::selected_sizes(selection_of_channels.shape(), fading.shape()), -1, where);
    const auto steps = softplus(cast<Wide>(step(selected[0], where)));
    const auto [last, outputs] =
        detail::selective_scan(before.states, -exp(cast<Wide>(fading)), cast<Wide>(channels), steps,
                               cast<Wide>(selected[1]), cast<Wide>(selected[2]), where);
    const auto sums = cast<Scalar>(outputs) + channels * past;
    return {output(sums * nn::activate(halves[1], activation), where),
            Cache{slice(seen, {.start = {0, x.shape()[1], 0}}, where), last}};
  }
};

}  // namespace ddx::models
