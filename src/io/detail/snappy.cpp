#include "io/detail/snappy.h"

#include "ddx/io/tensor_bundle.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <snappy-c.h>
#include <span>
#include <vector>

namespace ddx::io {

bool has_snappy() noexcept {
  return true;
}

namespace detail {

std::optional<std::vector<std::uint8_t>> unpacked_snappy(std::span<const std::uint8_t> block) {
  // Three bytes copy 64 at most.
  constexpr std::size_t most_bytes_per_byte = 22;
  const auto* const bytes = reinterpret_cast<const char*>(block.data());
  std::size_t size = 0;
  if (snappy_uncompressed_length(bytes, block.size(), &size) != SNAPPY_OK ||
      size > block.size() * most_bytes_per_byte) {
    return std::nullopt;
  }
  std::vector<std::uint8_t> content(size);
  if (snappy_uncompress(bytes, block.size(), reinterpret_cast<char*>(content.data()), &size) !=
      SNAPPY_OK) {
    return std::nullopt;
  }
  return content;
}

}  // namespace detail
}  // namespace ddx::io
