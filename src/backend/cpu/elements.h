/// \file
/// Elements as what they take of memory, for kernels that only move them.

#pragma once

#include <cstddef>
#include <cstdint>

namespace ddx::backend::cpu {

/// Bytes that are copied as one; it may alias elements of any type of its size.
template <std::size_t bytes>
struct alignas(bytes) Word {
  std::byte content[bytes];
};

/// Calls f(Word<bytes>()) for the size of an element: 1, 2, 4, 8 or 16 bytes.
template <class F>
inline void visit_word(std::size_t bytes, F f) noexcept {
  switch (bytes) {
    case 1:
      return f(Word<1>{});
    case 2:
      return f(Word<2>{});
    case 4:
      return f(Word<4>{});
    case 8:
      return f(Word<8>{});
    default:
      return f(Word<16>{});
  }
}

/// Work on fewer elements than this stays on one thread: moving them takes some 10 us.
inline constexpr std::int64_t movement_grain = 32768;

}  // namespace ddx::backend::cpu
