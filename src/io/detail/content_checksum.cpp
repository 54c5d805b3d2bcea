#include "io/detail/content_checksum.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <zlib.h>

namespace ddx::io::detail {

void ContentChecksum::add_remarks(const std::map<std::string, std::string>& remarks) {
  for (const auto& [name, value] : remarks) {
    if (name != checksum_name && name != covered_name) {
      add_text(name);
      add_text(value);
    }
  }
}

void ContentChecksum::add_array(std::string_view name, std::string_view dtype,
                                std::span<const std::uint64_t> shape) {
  add_text(name);
  add_text(dtype);
  add_number(shape.size());
  for (const auto extent : shape) {
    add_number(extent);
  }
}

void ContentChecksum::add_bytes(std::span<const std::uint8_t> bytes) {
  sum_ = static_cast<std::uint32_t>(::crc32_z(sum_, bytes.data(), bytes.size()));
}

std::string ContentChecksum::text() const {
  std::string digits(8, '0');
  for (std::size_t i = 0; i < digits.size(); ++i) {
    digits[i] = "0123456789abcdef"[sum_ >> (28 - 4 * i) & 15];
  }
  return digits;
}

void ContentChecksum::add_number(std::uint64_t number) {
  std::array<std::uint8_t, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(number >> (8 * i));
  }
  add_bytes(bytes);
}

void ContentChecksum::add_text(std::string_view text) {
  add_number(text.size());
  add_bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

}  // namespace ddx::io::detail
