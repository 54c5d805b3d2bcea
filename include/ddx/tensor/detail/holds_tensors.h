/// \file
/// Whether a type has tensors in it.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/detail/holds_type.h"
#include "ddx/tensor/tensor.h"

namespace ddx::detail {

template <class T>
inline constexpr bool is_tensor = false;
template <TensorScalar Scalar>
inline constexpr bool is_tensor<Tensor<Scalar>> = true;

/// The kind of all tensors.
struct AnyTensor {
  template <class T>
  static constexpr bool has = is_tensor<T>;
};

/// Whether a type is a tensor, a template of one, or a class with such a member, private ones and
/// those of bases included.
template <class T>
inline constexpr bool holds_tensors = holds_kind<AnyTensor, T>;

}  // namespace ddx::detail
