/// \file
/// Equality up to rounding.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/predicate.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <source_location>

namespace ddx {

/// How far elements may differ: |a - b| <= absolute + relative |b|.
struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-8;
};

/// Whether two elements are close, element by element. A NaN is close to nothing, an infinity to
/// itself.
///
/// Shapes:  a [...], b [...], broadcast together
/// Throws:  UsageError where they do not broadcast, or lie on different devices.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<bool> is_close(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                                    const Tolerance& tolerance = {},
                                    std::source_location where = std::source_location::current()) {
  const auto same = equal(a, b, where);
  const auto margin =
      abs(b) * static_cast<Scalar>(tolerance.relative) + static_cast<Scalar>(tolerance.absolute);
  return logical_or(same, logical_and(is_finite(b), less_equal(abs(a - b), margin)));
}

/// Whether two tensors have equal shapes and close elements; devices do not matter. A NaN is close
/// to nothing, an infinity to itself.
///
/// Shapes:  a [...], b [...]
template <FloatingScalar Scalar>
[[nodiscard]] bool all_close(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                             const Tolerance& tolerance = {}) {
  if (a.shape() != b.shape()) {
    return false;
  }
  const auto in_a = a.elements();
  const auto in_b = b.elements();
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    const auto x = static_cast<double>(in_a[i]);
    const auto y = static_cast<double>(in_b[i]);
    const bool near = std::isfinite(y) &&
                      std::abs(x - y) <= tolerance.absolute + tolerance.relative * std::abs(y);
    if (!near && x != y) {
      return false;
    }
  }
  return true;
}

}  // namespace ddx
