/// \file
/// The checksum that a safetensors file may have among its remarks.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::io::detail {

/// The remarks of a file that has a checksum: the sum, and what it covers. Each of the two demands
/// the other, so that damage to a name is noticed too.
inline constexpr std::string_view checksum_name = "ddx.crc32";
inline constexpr std::string_view covered_name = "ddx.crc32_of";
inline constexpr std::string_view covered =
    "the other remarks, then name, dtype, shape and bytes of each array, in the order of names";

/// Sums up the content of a file, independently of how its header is written. Of the remarks all
/// are given first, then the arrays; both in the order of their names.
///
/// Source:  CRC-32 of ISO 3309, as zlib computes it; 1.4 GB/s on one core of a server of 2023.
class ContentChecksum {
 public:
  /// The remarks; those of the checksum itself are left out.
  void add_remarks(const std::map<std::string, std::string>& remarks);
  /// An array without its bytes; `dtype` is the file's name of it. The bytes follow, in any number
  /// of pieces.
  void add_array(std::string_view name, std::string_view dtype,
                 std::span<const std::uint64_t> shape);
  void add_bytes(std::span<const std::uint8_t> bytes);

  /// Eight digits in base 16.
  [[nodiscard]] std::string text() const;

 private:
  void add_number(std::uint64_t number);
  void add_text(std::string_view text);

  std::uint32_t sum_ = 0;
};

}  // namespace ddx::io::detail
