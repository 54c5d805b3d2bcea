/// \file
/// The frequencies of the elements of a Fourier transform, and their order.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/fourier.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>

namespace ddx {

namespace detail {

/// Throws:  UsageError where n is below 1.
void check_frequencies(const char* operation, std::int64_t n, const std::source_location& where);

/// The places along an axis from `start` on, then those before it.
///
/// Throws:  UsageError where places are not numbers of 32 bits.
[[nodiscard]] Tensor<std::int32_t> turned_places(const Shape& shape, std::int64_t extent,
                                                 std::int64_t start, Device device,
                                                 const std::source_location& where);

/// The elements from `start` on, then those before it.
template <TensorScalar Scalar>
Tensor<Scalar> turned(const Tensor<Scalar>& x, std::int64_t axis, std::int64_t start) {
  const std::int64_t extent = extent_along(x.shape(), axis);
  return gather(x, turned_places(x.shape(), extent, start, x.device(), {}), axis);
}

}  // namespace detail

/// The frequencies of the elements of `fft`, in cycles per unit of `spacing`: 0, 1, ..., and from
/// the middle on the negative ones, divided by n `spacing`.
///
/// Throws:  UsageError where n is below 1.
/// Source:  numpy.fft.fftfreq.
template <std::floating_point Scalar>
[[nodiscard]] Tensor<Scalar> fftfreq(std::int64_t n, double spacing = 1, Device device = {},
                                     std::source_location where = std::source_location::current()) {
  detail::check_frequencies("fftfreq", n, where);
  auto result = zeros<Scalar>(Shape({n}, where), device);
  const auto values = result.mutable_elements();
  for (std::int64_t k = 0; k < n; ++k) {
    values[static_cast<std::size_t>(k)] = static_cast<Scalar>(
        static_cast<double>(k < n - k ? k : k - n) / (static_cast<double>(n) * spacing));
  }
  return result;
}

/// The frequencies of the elements of `rfft`, in cycles per unit of `spacing`.
///
/// Throws:  UsageError where n is below 1.
/// Source:  numpy.fft.rfftfreq.
template <std::floating_point Scalar>
[[nodiscard]] Tensor<Scalar> rfftfreq(
    std::int64_t n, double spacing = 1, Device device = {},
    std::source_location where = std::source_location::current()) {
  detail::check_frequencies("rfftfreq", n, where);
  auto result = zeros<Scalar>(Shape({n / 2 + 1}, where), device);
  const auto values = result.mutable_elements();
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = static_cast<Scalar>(static_cast<double>(k) / (static_cast<double>(n) * spacing));
  }
  return result;
}

/// The elements along an axis in the order of their frequencies: that of frequency 0 moves from the
/// front to the middle.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the axis does not exist.
/// Gradient: `ifftshift` of dy.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> fftshift(const Tensor<Scalar>& x, std::int64_t axis = -1) {
  return detail::turned(x, axis, (detail::extent_along(x.shape(), axis) + 1) / 2);
}

/// The inverse of `fftshift`.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the axis does not exist.
/// Gradient: `fftshift` of dy.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> ifftshift(const Tensor<Scalar>& x, std::int64_t axis = -1) {
  return detail::turned(x, axis, detail::extent_along(x.shape(), axis) / 2);
}

}  // namespace ddx
