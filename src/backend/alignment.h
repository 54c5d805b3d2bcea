/// \file
/// Sizes of the parts of a buffer that begin as it does.

#pragma once

#include "ddx/backend/buffer.h"

#include <cstddef>

namespace ddx::backend {

/// The bytes that a part of so many takes, where the next part is to be aligned as a buffer is.
[[nodiscard]] constexpr std::size_t aligned(std::size_t bytes) noexcept {
  return (bytes + Buffer::alignment - 1) / Buffer::alignment * Buffer::alignment;
}

}  // namespace ddx::backend
