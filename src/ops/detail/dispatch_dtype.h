/// \file
/// From a dtype to the instance of a kernel template.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include <array>
#include <cstdint>

namespace ddx::ops::detail {

/// `kernel_for(T{})` for the C++ type T of `dtype`.
template <class F>
Kernel dispatch_any(DType dtype, F kernel_for) {
  return visit(dtype, [&](auto element) -> Kernel { return kernel_for(element); });
}

/// As above for numbers that have an order; null for others.
template <class F>
Kernel dispatch_numeric(DType dtype, F kernel_for) {
  return visit(dtype, [&](auto element) -> Kernel {
    if constexpr (contains(DTypeClass::Numeric, dtype_of<decltype(element)>)) {
      return kernel_for(element);
    } else {
      return nullptr;
    }
  });
}

/// As above for all types but complex ones; null for these.
template <class F>
Kernel dispatch_ordered(DType dtype, F kernel_for) {
  return visit(dtype, [&](auto element) -> Kernel {
    if constexpr (contains(DTypeClass::Ordered, dtype_of<decltype(element)>)) {
      return kernel_for(element);
    } else {
      return nullptr;
    }
  });
}

/// As above for floating types; null for others.
template <class F>
Kernel dispatch_floating(DType dtype, F kernel_for) {
  return visit(dtype, [&](auto element) -> Kernel {
    if constexpr (FloatingScalar<decltype(element)>) {
      return kernel_for(element);
    } else {
      return nullptr;
    }
  });
}

/// An element of which only the size matters: what elements are only moved by.
template <class Bits>
struct [[gnu::may_alias]] Word {
  Bits bits;
};

/// `kernel_for(Word{})` for the word as large as an element of `dtype`.
template <class F>
Kernel dispatch_size(DType dtype, F kernel_for) {
  switch (info(dtype).bytes) {
    case 1:
      return kernel_for(Word<std::uint8_t>());
    case 2:
      return kernel_for(Word<std::uint16_t>());
    case 4:
      return kernel_for(Word<std::uint32_t>());
    case 8:
      return kernel_for(Word<std::uint64_t>());
    default:
      return kernel_for(Word<std::array<std::uint64_t, 2>>());
  }
}

/// As above for f32 and f64; null for others.
template <class F>
Kernel dispatch_full_precision(DType dtype, F kernel_for) {
  if (dtype == DType::f32) {
    return kernel_for(float{});
  }
  return dtype == DType::f64 ? kernel_for(double{}) : nullptr;
}

}  // namespace ddx::ops::detail
