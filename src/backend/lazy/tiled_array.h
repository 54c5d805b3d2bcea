/// \file
/// Arrays of which one tile is in memory at a time.

#pragma once

#include <cstddef>
#include <cstdint>

namespace ddx::backend::lazy {

/// Where an array would begin if its element `first` were where a tile begins: compiled loops count
/// elements from the beginning.
[[nodiscard]] inline std::byte* beginning_of_array(const std::byte* piece, std::int64_t first,
                                                   std::size_t element_bytes) noexcept {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(piece) -
                                      static_cast<std::size_t>(first) * element_bytes);
}

}  // namespace ddx::backend::lazy
