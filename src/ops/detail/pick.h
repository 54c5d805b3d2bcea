/// \file
/// From a dtype to the instance of a kernel template.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"

#include <type_traits>

namespace ddx::ops::detail {

/// `kernel_for(T{})` for the C++ type T of `dtype`.
template <class F>
Kernel pick_any(DType dtype, F kernel_for) {
  return visit(dtype, [&](auto element) -> Kernel { return kernel_for(element); });
}

/// As above for numbers; null for bool.
template <class F>
Kernel pick_numeric(DType dtype, F kernel_for) {
  return visit(dtype, [&](auto element) -> Kernel {
    if constexpr (!std::is_same_v<decltype(element), bool>) {
      return kernel_for(element);
    } else {
      return nullptr;
    }
  });
}

/// As above for floating types; null for others.
template <class F>
Kernel pick_floating(DType dtype, F kernel_for) {
  return visit(dtype, [&](auto element) -> Kernel {
    if constexpr (std::is_floating_point_v<decltype(element)>) {
      return kernel_for(element);
    } else {
      return nullptr;
    }
  });
}

/// As above for f32 and f64; null for others.
template <class F>
Kernel pick_full_precision(DType dtype, F kernel_for) {
  if (dtype == DType::f32) {
    return kernel_for(float{});
  }
  return dtype == DType::f64 ? kernel_for(double{}) : nullptr;
}

}  // namespace ddx::ops::detail
