/// \file
/// Numbers that are equal for equal contents, in every process.

#pragma once

#include <cstdint>

namespace ddx {

/// The hash of the words that `hash` represents, followed by one more word. The order of words
/// counts.
///
/// Source:  the finaliser of MurmurHash3 (A. Appleby, 2011, public domain).
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) noexcept {
  hash ^= word;
  hash *= 0xFF51AFD7ED558CCDU;
  hash ^= hash >> 33;
  hash *= 0xC4CEB9FE1A85EC53U;
  return hash ^ (hash >> 33);
}

}  // namespace ddx
