#include "operand.h"

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ddx::bench {
namespace {

/// A number in [0, 1) with 24 bits; bench_torch_ops.py has the same.
/// Source: A. Appleby, MurmurHash3, the finaliser of 32 bits.
double unit_hash(std::uint32_t i, std::uint32_t k) noexcept {
  std::uint32_t h = i + k * 0x9e3779b9U;
  h = (h ^ (h >> 16)) * 0x85ebca6bU;
  h = (h ^ (h >> 13)) * 0xc2b2ae35U;
  h ^= h >> 16;
  return static_cast<double>(h >> 8) / 16777216.0;
}

/// The elements of operand k.
template <class Scalar>
Tensor<Scalar> elements_of(const Operand& operand, std::size_t k, Device device) {
  std::vector<Scalar> values;
  for (Shape::Extent i = 0; i < operand.shape.count(); ++i) {
    const double u = unit_hash(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(k));
    const double x = operand.low + (operand.high - operand.low) * u;
    values.push_back(static_cast<Scalar>(operand.index ? std::floor(x) : x));
  }
  return Tensor<Scalar>(operand.shape, values, device);
}

}  // namespace

Operands::Operands(const std::vector<Operand>& operands, Device device) {
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const bool index = operands[k].index;
    numbers_.push_back(index ? Tensor<float>() : elements_of<float>(operands[k], k, device));
    indices_.push_back(index ? elements_of<std::int32_t>(operands[k], k, device)
                             : Tensor<std::int32_t>());
  }
}

}  // namespace ddx::bench
