/// \file
/// Random numbers that all floating types have.

#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace ddx::testing {

/// Multiples of 1 / 64 in [-2, 2), which f16 and bf16 have too.
template <class T>
std::vector<T> exact_numbers(std::int64_t count, std::uint32_t seed) {
  std::mt19937 draw(seed);
  std::vector<T> x(static_cast<std::size_t>(count));
  for (T& one : x) {
    one = static_cast<T>(static_cast<float>(draw() % 255) / 64.0F - 2.0F);
  }
  return x;
}

}  // namespace ddx::testing
