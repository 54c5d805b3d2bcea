#include "ddx/tensor/detail/random_draws.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace ddx::detail {

std::uint64_t RandomDraws::bits() noexcept {
  if (used_ == 4) {
    words_ = key_.words(block_);
    block_ += std::uint64_t{1} << 40;
    used_ = 0;
  }
  const std::uint64_t high = words_[used_];
  const std::uint64_t low = words_[used_ + 1];
  used_ += 2;
  return (high << 32) | low;
}

double RandomDraws::uniform() noexcept {
  return static_cast<double>((bits() >> 11) + 1) * 0x1p-53;
}

double RandomDraws::normal() noexcept {
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::uint64_t RandomDraws::below(std::uint64_t width) noexcept {
  const std::uint64_t incomplete = (0 - width) % width;  // 2^64 modulo width.
  std::uint64_t drawn = bits();
  while (drawn < incomplete) {
    drawn = bits();
  }
  return drawn % width;
}

}  // namespace ddx::detail
