/// \file
/// Arrays of several replicas, reduced element by element.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/distributed/reduction.h"

#include <cstddef>
#include <span>

namespace ddx::distributed {

/// One replica's elements, and their weight.
struct Contribution {
  const std::byte* elements = nullptr;
  double weight = 1;
};

/// Whether elements of this type have this reduction: bool has no sum, mean and product, complex
/// numbers no smallest and largest one, and integers no mean.
[[nodiscard]] bool is_reducible(DType dtype, Reduction reduction) noexcept;

/// Reduces `count` elements in the order of the contributions. Floating and complex numbers of 16
/// and 32 bits are summed in f64 and rounded once, integers wrap around, a NaN is the smallest and
/// the largest. A sum is weighted, a mean divided by the sum of the weights; contributions of
/// weight 0 are skipped. `result` may be one of the contributions.
void reduce(DType dtype, Reduction reduction, std::span<const Contribution> contributions,
            std::size_t count, std::byte* result) noexcept;

}  // namespace ddx::distributed
