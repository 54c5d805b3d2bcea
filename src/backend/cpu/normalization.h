/// \file
/// Normalisation of batches for callers that continue with the elements while they are in the
/// caches.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <cstdint>

namespace ddx::backend::cpu {

/// batch_norm_training and batch_norm_inference in two steps, by the instructions of an instruction
/// set: first the moments, then the elements, in as many runs as there are calls. They are those of
/// the kernels to the bit.
struct BatchNormalization {
  /// A run begins at a multiple of so many elements.
  std::int64_t (*step)(std::int64_t channels) noexcept = nullptr;
  /// How much memory is prepared.
  std::size_t (*bytes)(std::int64_t channels) noexcept = nullptr;
  /// Prepares memory for a call of one of the operations, of which all results but the first are
  /// written. Says no where it needs more memory than there is.
  ///
  /// Requires: there are elements.
  bool (*prepare)(ops::Op op, const ops::Call& call, std::byte* memory) noexcept = nullptr;
  /// Normalises a run of elements.
  void (*run)(std::int64_t channels, std::byte* memory, const std::byte* x, std::int64_t count,
              std::byte* y) noexcept = nullptr;
};

/// That of this processor, for floating elements.
[[nodiscard]] BatchNormalization best_batch_normalization(DType dtype) noexcept;

}  // namespace ddx::backend::cpu
