/// \file
/// Arrays whose numbers follow from their names, so that a script in Python makes the same ones.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/io/stored_tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::testing {

/// The hash of a text by FNV-1a, of 64 bits.
inline std::uint64_t hashed(std::string_view text) {
  std::uint64_t value = 0xCBF29CE484222325;
  for (const char c : text) {
    value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  }
  return value;
}

/// The first results of splitmix64 from the hash of a name on, as numbers in [-1, 1).
///
/// Source:  G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA
///          2014.
inline std::vector<double> named_numbers(std::string_view name, std::size_t count) {
  std::vector<double> result;
  result.reserve(count);
  std::uint64_t state = hashed(name);
  for (std::size_t i = 0; i < count; ++i) {
    state += 0x9E3779B97F4A7C15;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    z ^= z >> 31;
    result.push_back(std::ldexp(static_cast<double>(z >> 11), -52) - 1);
  }
  return result;
}

/// Gives arrays, with the names and shapes of PyTorch, the numbers u of their names: of two and
/// more axes u sqrt(6 / (elements / first extent)); of one 0.1 u, and 1 more where the name ends
/// in "weight". Of running averages the mean is 0.1 u and the variance 1 + 0.5 u. They become f64.
inline void fill_by_names(io::StoredTensors& arrays) {
  for (auto& [name, array] : arrays) {
    const auto count = static_cast<std::size_t>(array.shape.count());
    std::vector<double> values = named_numbers(name, count);
    double scale = 0.1;
    double centre = 0;
    if (name.ends_with("running_var")) {
      scale = 0.5;
      centre = 1;
    } else if (array.shape.rank() >= 2) {
      scale = std::sqrt(6.0 * static_cast<double>(array.shape[0]) / static_cast<double>(count));
    } else if (name.ends_with("weight")) {
      centre = 1;
    }
    for (double& value : values) {
      value = centre + scale * value;
    }
    array.dtype = DType::f64;
    array.bytes.resize(count * sizeof(double));
    std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  }
}

}  // namespace ddx::testing
