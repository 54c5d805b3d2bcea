/// \file
/// What metrics have in common.

#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

namespace ddx::train {

/// A number over batches, which are accumulated until a reset. A value.
template <class T>
concept Metric = std::copyable<T> && requires(T metric, const T& measured) {
  metric.reset();
  { measured.measure() } -> std::convertible_to<double>;
};

/// A metric of the loss: `accumulate(mean loss of the batch, its samples)`.
template <class T>
concept LossMetric = Metric<T> && requires(T metric, double loss, std::int64_t samples) {
  metric.accumulate(loss, samples);
};

/// A metric of answers: `accumulate(output, target)`.
template <class T, class Output, class Target>
concept AnswerMetric = Metric<T> && requires(T metric, const Output& output, const Target& target) {
  metric.accumulate(output, target);
};

/// A metric that is a function of totals, so that those of several replicas can be added up.
template <class T>
concept AddableMetric =
    Metric<T> && requires(T metric, const T& measured, const std::vector<double>& totals) {
      { measured.totals() } -> std::same_as<std::vector<double>>;
      metric.set_totals(totals);
    };

}  // namespace ddx::train
