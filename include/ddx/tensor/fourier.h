/// \file
/// Discrete Fourier transforms along an axis.
///
/// Source: the conventions of NumPy's numpy.fft.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/complex.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <complex>
#include <concepts>
#include <cstdint>
#include <source_location>
#include <utility>

namespace ddx {

namespace detail {

/// The norm of which the other direction has the factor that this direction has by `norm`.
[[nodiscard]] constexpr FourierNorm turned(FourierNorm norm) noexcept {
  return norm == FourierNorm::Backward  ? FourierNorm::Forward
         : norm == FourierNorm::Forward ? FourierNorm::Backward
                                        : norm;
}

/// The extent of an axis that exists.
[[nodiscard]] std::int64_t extent_along(const Shape& shape, std::int64_t axis);

/// `x` cropped or padded with zeros at the end of an axis.
Array resized(const Array& x, std::int64_t axis, std::int64_t extent);

/// The options of the transform back whose factor is that of the transform there, over all
/// elements.
[[nodiscard]] FourierOptions transposed(const FourierOptions& options, std::int64_t n);

/// `x` cropped or padded with zeros at the end of an axis.
template <DifferentiableScalar Scalar>
Tensor<Scalar> resized(const Tensor<Scalar>& x, std::int64_t axis, std::int64_t extent) {
  return Tensor<Scalar>(resized(x.array(), axis, extent));
}

// Primal:  y = x, cropped or padded
// Adjoint: adj[x] += adj[y], padded or cropped
// Saves:   nothing
template <DifferentiableScalar Scalar>
DDX_DERIVATIVE_OF(resized)
auto resized_vjp(const Tensor<Scalar>& x, std::int64_t axis, std::int64_t extent) {
  return tensor_vjp(resized(x, axis, extent),
                    [axis, from = extent_along(x.shape(), axis)](const Tensor<Scalar>& dy) {
                      return resized(dy, axis, from);
                    });
}

/// The factor of elements that also represent their conjugates.
enum class HalfWeight : std::uint8_t { Half, Twice };

/// Weights along an axis for the half of a transform: `inner` if an element also represents its
/// conjugate, 1 at the ends. `n` is the extent of the whole transform.
Array half_weights(const Shape& shape, std::int64_t axis, std::int64_t n, HalfWeight inner,
                   DType dtype, Device device);

template <std::floating_point Part>
Tensor<std::complex<Part>> weighted(const Tensor<std::complex<Part>>& x, std::int64_t axis,
                                    std::int64_t n, HalfWeight inner) {
  using Complex = std::complex<Part>;
  return x *
         Tensor<Complex>(half_weights(x.shape(), axis, n, inner, dtype_of<Complex>, x.device()));
}

// Primal:  y = w x, with real weights
// Adjoint: adj[x] += w adj[y]
// Saves:   nothing
template <std::floating_point Part>
DDX_DERIVATIVE_OF(weighted)
auto weighted_vjp(const Tensor<std::complex<Part>>& x, std::int64_t axis, std::int64_t n,
                  HalfWeight inner) {
  return tensor_vjp(weighted(x, axis, n, inner),
                    [axis, n, inner](const Tensor<std::complex<Part>>& dy) {
                      return weighted(dy, axis, n, inner);
                    });
}

}  // namespace detail

/// The discrete Fourier transform along an axis: y_k = s sum_j x_j e^(-2 pi i j k / n).
///
/// Shapes:   x [..., m, ...] -> [..., n, ...], cropped or padded to n first
/// Throws:   UsageError where the axis does not exist, or n is below 1.
/// Gradient: the transform with e^(+2 pi i j k / n) and the same factor s of dy, cropped or padded
///           to m.
/// Cost:     O(n log n) on the cpu for every n; on the naive device n times the sum of the prime
///           factors of n.
template <ComplexScalar Scalar>
[[nodiscard]] Tensor<Scalar> fft(const Tensor<Scalar>& x, const FourierOptions& options = {},
                                 std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::fft(x.array(), false, options, where));
}

/// The inverse of `fft`: y_j = s sum_k x_k e^(+2 pi i j k / n).
///
/// Shapes:   x [..., m, ...] -> [..., n, ...], cropped or padded to n first
/// Throws:   UsageError where the axis does not exist, or n is below 1.
/// Gradient: the transform with e^(-2 pi i j k / n) and the same factor s of dy, cropped or padded
///           to m.
/// Cost:     that of `fft`.
template <ComplexScalar Scalar>
[[nodiscard]] Tensor<Scalar> ifft(const Tensor<Scalar>& x, const FourierOptions& options = {},
                                  std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::fft(x.array(), true, options, where));
}

/// The elements 0 ... n / 2 of the Fourier transform of real elements: the others are their
/// conjugates.
///
/// Shapes:   x [..., m, ...] -> [..., n / 2 + 1, ...], cropped or padded to n first
/// DTypes:   f32 -> c64, f64 -> c128
/// Throws:   UsageError where the axis does not exist, or n is below 1.
/// Gradient: s Re sum_k dy_k e^(+2 pi i j k / n), cropped or padded to m.
/// Cost:     about half that of `fft` where n is even.
template <std::floating_point Part>
[[nodiscard]] Tensor<std::complex<Part>> rfft(
    const Tensor<Part>& x, const FourierOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<std::complex<Part>>(detail::rfft(x.array(), options, where));
}

/// The n real elements whose `rfft` is x. The imaginary parts of its element 0 and, where n is
/// even, of element n / 2 do not count.
///
/// Shapes:   x [..., m, ...] -> [..., n, ...], where n is 2 (m - 1) unless given; x is cropped or
///           padded to n / 2 + 1 first
/// DTypes:   c64 -> f32, c128 -> f64
/// Throws:   UsageError where the axis does not exist, or n is below 1.
/// Gradient: s c_k sum_j dy_j e^(-2 pi i j k / n), where c_k is 1 at both ends and 2 between;
///           cropped or padded to m.
/// Cost:     about half that of `ifft` where n is even.
template <std::floating_point Part>
[[nodiscard]] Tensor<Part> irfft(const Tensor<std::complex<Part>>& x,
                                 const FourierOptions& options = {},
                                 std::source_location where = std::source_location::current()) {
  return Tensor<Part>(detail::irfft(x.array(), options, where));
}

// Primal:  y = F x
// Adjoint: adj[x] += F^H adj[y]
// Saves:   nothing
template <ComplexScalar Scalar>
DDX_DERIVATIVE_OF(fft)
auto fft_vjp(const Tensor<Scalar>& x, const FourierOptions& options, std::source_location where) {
  auto y = fft(x, options, where);
  const auto back = detail::transposed(options, detail::extent_along(y.shape(), options.axis));
  return detail::tensor_vjp(std::move(y), [back, m = detail::extent_along(x.shape(), options.axis)](
                                              const Tensor<Scalar>& dy) {
    return detail::resized(ifft(dy, back), back.axis, m);
  });
}

// Primal:  y = F^H x
// Adjoint: adj[x] += F adj[y]
// Saves:   nothing
template <ComplexScalar Scalar>
DDX_DERIVATIVE_OF(ifft)
auto ifft_vjp(const Tensor<Scalar>& x, const FourierOptions& options, std::source_location where) {
  auto y = ifft(x, options, where);
  const auto back = detail::transposed(options, detail::extent_along(y.shape(), options.axis));
  return detail::tensor_vjp(std::move(y), [back, m = detail::extent_along(x.shape(), options.axis)](
                                              const Tensor<Scalar>& dy) {
    return detail::resized(fft(dy, back), back.axis, m);
  });
}

// Primal:  y_k = s sum_j x_j e^(-2 pi i j k / n), k in [0, n / 2]
// Adjoint: adj[x_j] += s Re sum_k adj[y_k] e^(+2 pi i j k / n): irfft counts the inner k twice
// Saves:   nothing
template <std::floating_point Part>
DDX_DERIVATIVE_OF(rfft)
auto rfft_vjp(const Tensor<Part>& x, const FourierOptions& options, std::source_location where) {
  const std::int64_t m = detail::extent_along(x.shape(), options.axis);
  const auto back = detail::transposed(options, options.n == 0 ? m : options.n);
  return detail::tensor_vjp(
      rfft(x, options, where), [back, m](const Tensor<std::complex<Part>>& dy) {
        const auto halves = detail::weighted(dy, back.axis, back.n, detail::HalfWeight::Half);
        return detail::resized(irfft(halves, back), back.axis, m);
      });
}

// Primal:  y_j = s Re sum_k c_k x_k e^(+2 pi i j k / n), c = 1 at the ends, 2 between
// Adjoint: adj[x_k] += s c_k sum_j adj[y_j] e^(-2 pi i j k / n)
// Saves:   nothing
template <std::floating_point Part>
DDX_DERIVATIVE_OF(irfft)
auto irfft_vjp(const Tensor<std::complex<Part>>& x, const FourierOptions& options,
               std::source_location where) {
  auto y = irfft(x, options, where);
  const auto back = detail::transposed(options, detail::extent_along(y.shape(), options.axis));
  return detail::tensor_vjp(std::move(y), [back, m = detail::extent_along(x.shape(), options.axis)](
                                              const Tensor<Part>& dy) {
    const auto twice =
        detail::weighted(rfft(dy, back), back.axis, back.n, detail::HalfWeight::Twice);
    return detail::resized(twice, back.axis, m);
  });
}

}  // namespace ddx
