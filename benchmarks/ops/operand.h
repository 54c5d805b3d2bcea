/// \file
/// The operands of timed operations: numbers that another program can generate too.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/tensor.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ddx::bench {

/// The numbers of an operand: element i of operand k is low + (high - low) u, where u in [0, 1) is
/// a hash of i and k; rounded down for an index.
struct Operand {
  Shape shape;
  double low = 0.5;
  double high = 1.5;
  bool index = false;
};

/// Numbers of both signs.
[[nodiscard]] inline Operand signed_numbers(const Shape& shape) {
  return {shape, -2, 2, false};
}

/// Indices below `extent`.
[[nodiscard]] inline Operand indices(const Shape& shape, std::int64_t extent) {
  return {shape, 0, static_cast<double>(extent), true};
}

/// The operands of one operation on a device.
class Operands {
 public:
  Operands(const std::vector<Operand>& operands, Device device);

  /// Operand k, which must not be an index.
  [[nodiscard]] Tensor<float>& operator[](std::size_t k) noexcept { return numbers_[k]; }
  /// Operand k, which must be an index.
  [[nodiscard]] const Tensor<std::int32_t>& index(std::size_t k) const noexcept {
    return indices_[k];
  }

 private:
  std::vector<Tensor<float>> numbers_;
  std::vector<Tensor<std::int32_t>> indices_;
};

}  // namespace ddx::bench
