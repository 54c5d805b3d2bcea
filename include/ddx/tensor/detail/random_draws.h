/// \file
/// The random words of one element, one after another: for numbers that take an unknown count of
/// them.

#pragma once

#include "ddx/core/random_key.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ddx::detail {

/// The stream of draws of element `index` of a key. Elements have disjoint streams, so that each
/// number is a function of key and index alone; index below 2^40, at most 2^22 blocks of words.
class RandomDraws {
 public:
  RandomDraws(const RandomKey& key, std::uint64_t index) noexcept : key_(key), block_(index) {}

  /// 64 random bits.
  [[nodiscard]] std::uint64_t bits() noexcept;

  /// Uniform in (0, 1]: a multiple of 2^-53.
  [[nodiscard]] double uniform() noexcept;

  /// Normal, with mean 0 and deviation 1.
  ///
  /// Source:  G. Box, M. Muller, "A note on the generation of random normal deviates", 1958.
  [[nodiscard]] double normal() noexcept;

  /// Each integer in [0, width) with equal probability; `width` is at least 1. Draws again where
  /// the bits lie in the incomplete last run of `width` numbers.
  [[nodiscard]] std::uint64_t below(std::uint64_t width) noexcept;

 private:
  const RandomKey& key_;
  std::uint64_t block_;
  std::array<std::uint32_t, 4> words_{};
  std::size_t used_ = 4;
};

}  // namespace ddx::detail
