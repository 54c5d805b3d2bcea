/// \file
/// A value of any dtype as an attribute.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/attributes.h"

#include <cstdint>

namespace ddx::ops {

/// The value as an attribute.
template <TensorScalar Scalar>
[[nodiscard]] Literal literal(Scalar value) {
  return {.real = static_cast<double>(value), .integer = static_cast<std::int64_t>(value)};
}

/// As above; a floating value needs no integer form, and a large one has none.
template <FloatingScalar Scalar>
[[nodiscard]] Literal literal(Scalar value) {
  return {.real = static_cast<double>(value), .integer = 0};
}

/// As above, for a number of two parts.
template <ComplexScalar Scalar>
[[nodiscard]] Literal literal(Scalar value) {
  return {.real = static_cast<double>(value.real()),
          .integer = 0,
          .imaginary = static_cast<double>(value.imag())};
}

}  // namespace ddx::ops
