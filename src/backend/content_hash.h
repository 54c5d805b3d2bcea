/// \file
/// A number that represents bytes.

#pragma once

#include "ddx/core/hash.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace ddx::backend {

/// The hash of what `hash` represents, with these bytes and their number behind it.
[[nodiscard]] inline std::uint64_t content_hash(std::span<const std::byte> bytes,
                                                std::uint64_t hash = 0) noexcept {
  hash = mixed(hash, bytes.size());
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min(sizeof word, bytes.size() - i));
    hash = mixed(hash, word);
  }
  return hash;
}

}  // namespace ddx::backend
