/// \file
/// From a checked operation to its kernel.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>

namespace ddx::detail {

/// The site of an operation by its own name.
inline ops::Site site_of(ops::Op op, const std::source_location& where) {
  return {ops::info(op).name.data(), where};
}

/// The device that the arrays share; symbolic zeros go along with any. While a function is staged,
/// its device, where one of them lies there: the others are captured from where they lie.
///
/// Throws:  UsageError where two differ otherwise.
[[nodiscard]] Device common_device(const ops::Site& site, std::span<const Array* const> arrays);
[[nodiscard]] inline Device common_device(const ops::Site& site,
                                          std::initializer_list<const Array*> arrays) {
  return common_device(site, std::span<const Array* const>(arrays.begin(), arrays.size()));
}
[[nodiscard]] inline Device common_device(const ops::Site& site, const Array& a, const Array& b) {
  return a.device() == b.device() ? a.device() : common_device(site, {&a, &b});
}

/// The attributes of a call, and how many bytes they are.
struct AnyAttributes {
  template <class Attributes>
  AnyAttributes(const Attributes& attributes) noexcept
      : data(&attributes), bytes(sizeof attributes) {
    static_assert(std::is_trivially_copyable_v<Attributes>);
  }

  const void* data;
  std::size_t bytes;
};

/// Runs the kernel of `op` for the dtype of its key operand on `device`, now or, where the device
/// is asynchronous, in its turn: views are those of arrays, or of one element. (Spans by reference:
/// so many arguments would go by way of the stack, which takes longer than the call.)
///
/// Throws:  UsageError where the back end does not support it; what the check throws, unless it is
///          kept for the observation of the results.
void run(ops::Op op, DType key, Device device, const std::span<const ops::View>& inputs,
         const std::span<const ops::View>& outputs, const AnyAttributes& attributes,
         const ops::Check& check = {});

/// As above, for one result of a new array on a lazy device.
[[nodiscard]] Array recorded(ops::Op op, DType key, Device device, const Shape& shape, DType dtype,
                             const std::span<const ops::View>& inputs,
                             const AnyAttributes& attributes, const ops::Check& check);

/// As above, on any device.
[[nodiscard]] inline Array compute(ops::Op op, DType key, Device device, const Shape& shape,
                                   DType dtype, const std::span<const ops::View>& inputs,
                                   const AnyAttributes& attributes, const ops::Check& check = {}) {
  if (device.is_lazy()) {
    return recorded(op, key, device, shape, dtype, inputs, attributes, check);
  }
  Array result = Array::for_kernels(shape, dtype, device);
  const ops::View output = result.view();
  run(op, key, device, inputs, {&output, 1}, attributes, check);
  return result;
}

}  // namespace ddx::detail
