/// \file
/// Indices and labels of 64 bits as those of 32, which operations work with.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <cstdint>
#include <source_location>

namespace ddx::detail {

/// The indices with 32 bits, for `operation`.
///
/// Throws:  UsageError where one does not fit, on a lazy device where the result is observed.
template <IndexScalar Index>
Tensor<std::int32_t> as_int32(const char* operation, const Tensor<Index>& indices,
                              const std::source_location& where) {
  if constexpr (std::same_as<Index, std::int32_t>) {
    return indices;
  } else {
    return Tensor<std::int32_t>(narrowed_indices(operation, indices.array(), where));
  }
}

}  // namespace ddx::detail
