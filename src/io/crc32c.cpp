#include "ddx/io/crc32c.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ddx::io {
namespace {

/// 0x1EDC6F41 with its bits in reverse order.
constexpr std::uint32_t polynomial = 0x82F63B78;

constexpr std::array<std::uint32_t, 256> remainders = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) {
      rest = (rest >> 1) ^ ((rest & 1U) != 0 ? polynomial : 0);
    }
    table[byte] = rest;
  }
  return table;
}();

}  // namespace

std::uint32_t crc32c(std::span<const std::uint8_t> bytes) noexcept {
  std::uint32_t rest = ~std::uint32_t{0};
  for (const auto byte : bytes) {
    rest = (rest >> 8) ^ remainders[(rest ^ byte) & 0xFFU];
  }
  return ~rest;
}

std::uint32_t masked_crc32c(std::span<const std::uint8_t> bytes) noexcept {
  return std::rotr(crc32c(bytes), 15) + 0xA282EAD8U;
}

}  // namespace ddx::io
