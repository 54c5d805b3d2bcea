/// \file
/// The numbers of a step of training that may depend on elements of tensors.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/detail/is_staged.h"
#include "ddx/tensor/tensor.h"

namespace ddx::nn {

/// A number that the program knows or, if it depends on elements of a lazy device, a tensor of rank
/// 0. Computing with it observes no element, so that a step can be recorded. Known numbers are
/// computed at once, in double precision; the others have that precision too.
class RuntimeNumber {
 public:
  /// A known one. Implicit: each number is one.
  RuntimeNumber(double known) noexcept : known_(known) {}
  /// The only element of a tensor, looked at unless it lies on a lazy device.
  template <FloatingScalar Scalar>
  explicit RuntimeNumber(const Tensor<Scalar>& element) {
    if (element.device().is_lazy()) {
      computed_ = cast<double>(element);
    } else {
      known_ = static_cast<double>(element.item());
    }
  }

  [[nodiscard]] bool is_known() const noexcept { return computed_.is_symbolic_zero(); }
  /// Whether it depends on arguments of a function that is being staged: value() may be an error.
  [[nodiscard]] bool is_staged() const noexcept {
    return !is_known() && ddx::detail::is_staged(computed_.array());
  }
  /// The number; looks at the element of one that is not known.
  ///
  /// Throws:  UsageError in a function that is being staged, where it is not known.
  [[nodiscard]] double value() const { return is_known() ? known_ : computed_.item(); }
  /// One that is not known, as a tensor.
  template <FloatingScalar Scalar>
  [[nodiscard]] Tensor<Scalar> computed() const {
    return cast<Scalar>(computed_);
  }

  friend RuntimeNumber operator+(const RuntimeNumber& a, const RuntimeNumber& b);
  friend RuntimeNumber operator-(const RuntimeNumber& a, const RuntimeNumber& b);
  friend RuntimeNumber operator*(const RuntimeNumber& a, const RuntimeNumber& b);
  friend RuntimeNumber operator/(const RuntimeNumber& a, const RuntimeNumber& b);
  friend RuntimeNumber operator-(const RuntimeNumber& a) { return 0 - a; }

  friend RuntimeNumber pow(const RuntimeNumber& base, const RuntimeNumber& exponent);
  friend RuntimeNumber sqrt(const RuntimeNumber& a);
  /// The root of a^2 + b^2, which does not overflow on the way.
  friend RuntimeNumber hypot(const RuntimeNumber& a, const RuntimeNumber& b);
  /// The smaller one. A NaN wins.
  friend RuntimeNumber min(const RuntimeNumber& a, const RuntimeNumber& b);
  /// The larger one. A NaN wins.
  friend RuntimeNumber max(const RuntimeNumber& a, const RuntimeNumber& b);
  /// a where the condition is zero, else b, also where it is NaN.
  friend RuntimeNumber choose_zero(const RuntimeNumber& condition, const RuntimeNumber& a,
                                   const RuntimeNumber& b);
  /// a where the condition is above zero, else b.
  friend RuntimeNumber choose_positive(const RuntimeNumber& condition, const RuntimeNumber& a,
                                       const RuntimeNumber& b);

 private:
  template <class OfNumbers, class OfTensors>
  static RuntimeNumber combined(const RuntimeNumber& a, const RuntimeNumber& b,
                                const OfNumbers& of_numbers, const OfTensors& of_tensors);
  [[nodiscard]] Tensor<double> on(Device device) const;

  double known_ = 0;
  Tensor<double> computed_;  // A symbolic zero where the number is known.
};

}  // namespace ddx::nn
