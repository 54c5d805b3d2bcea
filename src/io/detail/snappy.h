/// \file
/// Blocks compressed by snappy.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ddx::io::detail {

/// What a block holds; none where it is damaged, or the library was built without snappy.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> unpacked_snappy(
    std::span<const std::uint8_t> block);

}  // namespace ddx::io::detail
