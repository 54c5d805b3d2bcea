/// \file
/// From a checked operation to its kernel.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
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

namespace ddx::detail {

/// The site of an operation by its own name.
inline ops::Site site_of(ops::Op op, const std::source_location& where) {
  return {ops::info(op).name.data(), where};
}

/// The device that the arrays share; symbolic zeros go along with any.
///
/// Throws:  UsageError where two differ.
[[nodiscard]] Device common_device(const ops::Site& site, std::span<const Array* const> arrays);
[[nodiscard]] inline Device common_device(const ops::Site& site,
                                          std::initializer_list<const Array*> arrays) {
  return common_device(site, std::span<const Array* const>(arrays.begin(), arrays.size()));
}

/// Runs the kernel of `op` for the dtype of its key operand on `device`.
///
/// Throws:  UsageError where the back end does not support it.
void run(ops::Op op, DType key, Device device, std::span<const ops::View> inputs,
         std::span<const ops::View> outputs, const void* attributes);

/// As above, for one result of a new array.
template <class Attributes, std::size_t n>
[[nodiscard]] Array compute(ops::Op op, DType key, Device device, const Shape& shape, DType dtype,
                            const std::array<ops::View, n>& inputs, const Attributes& attributes) {
  Array result(shape, dtype, device);
  const ops::View output(result.fresh_data(), result.shape(), dtype);
  run(op, key, device, inputs, {&output, 1}, &attributes);
  return result;
}

}  // namespace ddx::detail
