/// \file
/// Discrete Fourier transforms over several axes.

#pragma once

#include "ddx/core/indices.h"
#include "ddx/tensor/fourier.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <source_location>

namespace ddx {

/// The Fourier transform over several axes, one after another.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where an axis does not exist, or has no element.
/// Gradient: that of each `fft`.
template <ComplexScalar Scalar>
[[nodiscard]] Tensor<Scalar> fftn(const Tensor<Scalar>& x, const Indices& axes = {-2, -1},
                                  FourierNorm norm = FourierNorm::Backward,
                                  std::source_location where = std::source_location::current()) {
  Tensor<Scalar> y = x;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    y = fft(y, {.n = 0, .axis = axes[i], .norm = norm}, where);
  }
  return y;
}

/// The inverse of `fftn`.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where an axis does not exist, or has no element.
/// Gradient: that of each `ifft`.
template <ComplexScalar Scalar>
[[nodiscard]] Tensor<Scalar> ifftn(const Tensor<Scalar>& x, const Indices& axes = {-2, -1},
                                   FourierNorm norm = FourierNorm::Backward,
                                   std::source_location where = std::source_location::current()) {
  Tensor<Scalar> y = x;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    y = ifft(y, {.n = 0, .axis = axes[i], .norm = norm}, where);
  }
  return y;
}

/// The Fourier transform over the last two axes.
///
/// Shapes:   x [..., h, w] -> [..., h, w]
/// Throws:   UsageError where the rank is below 2, or an axis has no element.
/// Gradient: that of each `fft`.
template <ComplexScalar Scalar>
[[nodiscard]] Tensor<Scalar> fft2(const Tensor<Scalar>& x, FourierNorm norm = FourierNorm::Backward,
                                  std::source_location where = std::source_location::current()) {
  return fftn(x, {-2, -1}, norm, where);
}

/// The inverse of `fft2`.
///
/// Shapes:   x [..., h, w] -> [..., h, w]
/// Throws:   UsageError where the rank is below 2, or an axis has no element.
/// Gradient: that of each `ifft`.
template <ComplexScalar Scalar>
[[nodiscard]] Tensor<Scalar> ifft2(const Tensor<Scalar>& x,
                                   FourierNorm norm = FourierNorm::Backward,
                                   std::source_location where = std::source_location::current()) {
  return ifftn(x, {-2, -1}, norm, where);
}

}  // namespace ddx
