/// \file
/// Numbers that programs set between the steps of a training.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/tensor/tensor.h"

namespace ddx::nn {

/// A number among the options of an optimiser that changes between steps, such as the learning
/// rate. It converts from and to `double`. A function that is staged has it as a parameter: a
/// compiled step is recorded once for all its values.
///
/// Example:
///   optimizer.options.learning_rate = rate(optimizer.steps());
class ScheduledNumber {
 public:
  /// Implicit: each number is one.
  ScheduledNumber(double value) : element_(value) {}
  /// The same, also where it depends on elements that have not been observed.
  ScheduledNumber(const RuntimeNumber& value);

  /// The number. Implicit, as for a member of type `double`.
  ///
  /// Throws:  UsageError in a function that is being staged, where it is an argument of it.
  operator double() const { return element_.item(); }
  /// The number for arithmetic that can be recorded: known unless its element is still to be
  /// computed.
  [[nodiscard]] RuntimeNumber number() const;

  /// Multiplies by a factor, also in a function that is being staged.
  ScheduledNumber& operator*=(double factor) { return *this = number() * factor; }

  /// Whether they are known to be equal. False of elements that are still to be computed, unless
  /// they are the same ones.
  friend bool operator==(const ScheduledNumber& a, const ScheduledNumber& b);
  friend bool operator==(const ScheduledNumber& a, double b) { return a == ScheduledNumber(b); }

 private:
  Tensor<double> element_;

 public:
  DDX_NO_DERIVATIVE(element_)
};

namespace detail {

/// As for a `double`; a number that is not known is not checked.
///
/// Throws: UsageError where `value` is negative, infinite or NaN.
void require_not_negative(const char* owner, const char* option, const ScheduledNumber& value);

}  // namespace detail

}  // namespace ddx::nn
