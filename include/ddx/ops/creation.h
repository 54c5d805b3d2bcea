/// \file
/// The families Creation and Random.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include <cstdint>

namespace ddx::ops {

/// Number `index` of the uniform sequence of a key, in [0, 1): a multiple of 2^-24.
///
/// The numbers of a key are the same on every back end, so these functions define them.
[[nodiscard]] float uniform_f32(const RandomKey& key, std::uint64_t index) noexcept;

/// Number `index` of the uniform sequence of a key, in [0, 1): a multiple of 2^-53.
[[nodiscard]] double uniform_f64(const RandomKey& key, std::uint64_t index) noexcept;

/// Number `index` of the normal sequence of a key, with mean 0 and deviation 1.
///
/// Source:  G. Box, M. Muller, "A note on the generation of random normal deviates", 1958.
[[nodiscard]] double normal_f64(const RandomKey& key, std::uint64_t index) noexcept;

/// Whether trial `index` of a key succeeds.
[[nodiscard]] bool bernoulli(const RandomKey& key, std::uint64_t index,
                             double probability) noexcept;

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel creation_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
