/// \file
/// What a schedule is: a function of the number of the step.

#pragma once

#include "ddx/nn/detail/options.h"

#include <concepts>
#include <cstdint>

namespace ddx::nn {

/// A stateless value that returns a number, such as a learning rate, for each step; the first step
/// is 0. Any callable of this form is a schedule, also a lambda.
///
/// Example:
///   const CosineDecay rate({.initial = 0.1, .steps = 10'000});
///   optimizer.options.learning_rate = rate(optimizer.steps());
template <class S>
concept Schedule = std::copy_constructible<S> && requires(const S& schedule, std::int64_t step) {
  { schedule(step) } -> std::convertible_to<double>;
};

namespace detail {

/// The step, as what schedules compute with.
///
/// Throws: UsageError where it is negative: "StepDecay: step is -1, at least 0 is required".
double checked_step(const char* schedule, std::int64_t step);

/// What part of `count` steps lies before `step`; 1 after them.
///
/// Throws: UsageError where the step is negative.
double elapsed_share(const char* schedule, std::int64_t step, std::int64_t count);

/// `first` at 0, `last` at 1, and half a period of a cosine between.
double cosine_between(double first, double last, double share);

}  // namespace detail

}  // namespace ddx::nn
