/// \file
/// The checksum CRC-32C.

#pragma once

#include <cstdint>
#include <span>

namespace ddx::io {

/// The cyclic redundancy check with Castagnoli's polynomial, reflected, from all ones to all ones.
///
/// Source:  "iSCSI", RFC 3720 (2004), section 12.1 and appendix B.4.
[[nodiscard]] std::uint32_t crc32c(std::span<const std::uint8_t> bytes) noexcept;

/// The same as stored in TensorFlow's files, since a checksum of bytes that contain their own
/// checksum detects little: (c rotated right by 15) + 0xA282EAD8.
[[nodiscard]] std::uint32_t masked_crc32c(std::span<const std::uint8_t> bytes) noexcept;

}  // namespace ddx::io
