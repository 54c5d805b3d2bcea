/// \file
/// Mean, variance and standard deviation.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx {

namespace detail {

/// The axes of a variance as those of a reduction.
inline ReductionOptions reduced_axes(const VarianceOptions& options) {
  return {.axes = options.axes, .keep_dims = options.keep_dims};
}

/// How far each element is from its mean.
template <FloatingScalar Scalar>
Tensor<Scalar> centered(const Tensor<Scalar>& x, const VarianceOptions& options,
                        std::source_location where) {
  return x - mean(x, {.axes = options.axes, .keep_dims = true}, where);
}

/// What the sums of squares are divided by, where a reduction of `x` is `reduced`.
template <FloatingScalar Wide, FloatingScalar Scalar>
Wide variance_divisor(const Tensor<Scalar>& x, const Tensor<Wide>& reduced,
                      const VarianceOptions& options) {
  const auto elements = static_cast<Wide>(x.count()) / static_cast<Wide>(reduced.count());
  return options.unbiased ? elements - Wide{1} : elements;
}

/// The variance of elements that are wide enough for their squares.
template <FloatingScalar Wide>
Tensor<Wide> wide_variance(const Tensor<Wide>& x, const VarianceOptions& options,
                           std::source_location where) {
  const auto squares = sum(square(centered(x, options, where)), reduced_axes(options), where);
  return squares / variance_divisor(x, squares, options);
}

}  // namespace detail

/// The variance over all axes, or over some: the mean of (x - mean)^2, or for a sample
/// (`.unbiased = true`) their sum over n - 1.
///
/// DTypes:   floating; f16 and bf16 are computed in f32 and rounded once, also in the gradient.
/// Shapes:   x [...] -> without the reduced axes, or with extent 1 there
/// Returns:  NaN over nothing, and the unbiased one of one element.
/// Throws:   UsageError where an axis does not exist or is named twice.
/// Gradient: 2 (x - mean) dy / n, or / (n - 1).
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> variance(
    const Tensor<Scalar>& x, const VarianceOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return cast<Scalar>(detail::wide_variance(cast<WideScalar<Scalar>>(x), options, where));
}

// Primal:  y = sum_i (x_i - m)^2 / n
// Adjoint: adj[x_i] += 2 (x_i - m) / n adj[y]; the way through the mean m adds up to 0
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(variance)
auto variance_vjp(const Tensor<Scalar>& x, const VarianceOptions& options,
                  std::source_location where) {
  using Wide = WideScalar<Scalar>;
  const auto y = detail::wide_variance(cast<Wide>(x), options, where);
  const Wide factor = Wide{2} / detail::variance_divisor(x, y, options);
  return detail::tensor_vjp(cast<Scalar>(y), [x, options, where, factor](const Tensor<Scalar>& dy) {
    const auto share =
        detail::repeated(cast<Wide>(dy) * factor, x.shape(), detail::reduced_axes(options));
    return cast<Scalar>(
        detail::cotangent_product(share, detail::centered(cast<Wide>(x), options, where)));
  });
}

/// The square root of the variance.
///
/// DTypes:   floating; f16 and bf16 are computed in f32 and rounded once, also in the gradient.
/// Shapes:   x [...] -> without the reduced axes, or with extent 1 there
/// Returns:  NaN over nothing, and the unbiased one of one element.
/// Throws:   UsageError where an axis does not exist or is named twice.
/// Gradient: (x - mean) dy / (n y), or / ((n - 1) y); 0 where y is 0.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> standard_deviation(
    const Tensor<Scalar>& x, const VarianceOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return cast<Scalar>(sqrt(detail::wide_variance(cast<WideScalar<Scalar>>(x), options, where)));
}

// Primal:  y = sqrt(sum_i (x_i - m)^2 / n)
// Adjoint: adj[x_i] += (x_i - m) / (n y) adj[y]
// Saves:   x, y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(standard_deviation)
auto standard_deviation_vjp(const Tensor<Scalar>& x, const VarianceOptions& options,
                            std::source_location where) {
  using Wide = WideScalar<Scalar>;
  const auto y = sqrt(detail::wide_variance(cast<Wide>(x), options, where));
  const Wide divisor = detail::variance_divisor(x, y, options);
  return detail::tensor_vjp(cast<Scalar>(y), [x, y, options, where,
                                              divisor](const Tensor<Scalar>& dy) {
    // Where y is 0, so are all distances from the mean.
    const auto share =
        detail::cotangent_quotient(cast<Wide>(dy), select(equal(y, Wide{0}), Wide{1}, y) * divisor);
    return cast<Scalar>(
        detail::cotangent_product(detail::repeated(share, x.shape(), detail::reduced_axes(options)),
                                  detail::centered(cast<Wide>(x), options, where)));
  });
}

/// A mean and a variance.
template <FloatingScalar Scalar>
struct Moments {
  Tensor<Scalar> mean;
  Tensor<Scalar> variance;

  DDX_DIFFERENTIABLE(Moments, mean, variance)
};

/// Mean and variance over all axes, or over some.
///
/// Shapes:   x [...] -> both without the reduced axes, or with extent 1 there
/// Returns:  NaN over nothing.
/// Throws:   UsageError where an axis does not exist or is named twice.
template <FloatingScalar Scalar>
[[nodiscard]] Moments<Scalar> moments(
    const Tensor<Scalar>& x, const VarianceOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return {mean(x, detail::reduced_axes(options), where), variance(x, options, where)};
}

}  // namespace ddx
