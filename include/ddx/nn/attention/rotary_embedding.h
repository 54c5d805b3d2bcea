/// \file
/// Positions as rotations.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/splitting.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx::nn {

/// Which numbers of a vector are rotated together.
enum class RotaryPairs : std::uint8_t {
  Halves,      ///< Number i of the first half with number i of the second, as in LLaMA.
  Neighbours,  ///< Number 2 i with number 2 i + 1, as in the paper.
};

/// How pairs turn more slowly, in models that were trained with shorter sequences before.
struct RotaryScaling {
  enum class Kind : std::uint8_t {
    None,
    Linear,  ///< All pairs, by `factor`.
    /// Pairs of low frequency by `factor`, those of high frequency not, and those between partly.
    /// A pair's frequency is how often it turns in `original_places` places.
    Llama3,
    /// Pairs that turn less than `slow_turns` times in `original_places` places by `factor`, those
    /// that turn more than `fast_turns` times not, and those between partly, by their numbers.
    /// Rotated vectors are multiplied by `magnitude`.
    Yarn,
    Listed,  ///< Each pair by a factor of its own.
  };

  Kind kind = Kind::None;
  double factor = 1;
  double low_frequency = 1;   ///< Llama3: below it, pairs turn `factor` times as slowly.
  double high_frequency = 4;  ///< Llama3: above it, as without scaling.
  std::int64_t original_places = 8192;
  double fast_turns = 32;  ///< Yarn.
  double slow_turns = 1;   ///< Yarn.
  double magnitude = 0;    ///< Yarn; 0: 1 + 0.1 ln factor, or 1 where the factor is below 1.
  /// Yarn: whether the pairs between begin and end with whole numbers.
  bool whole_pairs = true;
  std::vector<double> factors = {};  ///< Listed: of all pairs, in order.

  friend bool operator==(const RotaryScaling&, const RotaryScaling&) = default;
};

/// The settings of rotary_embedding.
struct RotaryOptions {
  double base = 10000;  ///< Pair i of d / 2 turns by base^(-2 i / d) per place.
  RotaryPairs pairs = RotaryPairs::Halves;
  RotaryScaling scaling = {};
  std::int64_t first = 0;  ///< The place of the first vector.
  std::int64_t depth = 0;  ///< How many numbers of each vector are rotated, the first; 0: all.

  friend bool operator==(const RotaryOptions&, const RotaryOptions&) = default;
};

namespace detail {

/// The cosines of the angles of all places and pairs, [time, depth / 2].
///
/// Throws: UsageError where `x` has fewer than two axes, its depth is odd, the base or a number of
///         the scaling is not a finite number above 0, or it does not list a factor for each pair.
ddx::detail::Array rotary_cosines(const Shape& x, const RotaryOptions& options, DType dtype,
                                  Device device, const std::source_location& where);

/// The sines of these angles.
///
/// Throws: as rotary_cosines.
ddx::detail::Array rotary_sines(const Shape& x, const RotaryOptions& options, DType dtype,
                                Device device, const std::source_location& where);

/// As above, as tensors.
template <FloatingScalar Scalar>
Tensor<Scalar> rotary_cosines(const Shape& x, const RotaryOptions& options, Device device,
                              const std::source_location& where) {
  return Tensor<Scalar>(rotary_cosines(x, options, dtype_of<Scalar>, device, where));
}
template <FloatingScalar Scalar>
Tensor<Scalar> rotary_sines(const Shape& x, const RotaryOptions& options, Device device,
                            const std::source_location& where) {
  return Tensor<Scalar>(rotary_sines(x, options, dtype_of<Scalar>, device, where));
}

/// The extents with the last one split into pairs.
Indices paired_extents(const Shape& x);

/// How many numbers of each vector are rotated, and how many are not; none where all are.
///
/// Throws: UsageError where the depth is negative or above that of `x`.
std::vector<std::int64_t> rotated_sizes(const Shape& x, const RotaryOptions& options,
                                        const std::source_location& where);

/// rotary_embedding of all numbers of each vector.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> wholly_rotated(const Tensor<Scalar>& x, const RotaryOptions& options,
                                            std::source_location where) {
  const auto cosines = rotary_cosines<Scalar>(x.shape(), options, x.device(), where);
  const auto sines = rotary_sines<Scalar>(x.shape(), options, x.device(), where);
  if (options.pairs == RotaryPairs::Halves) {
    const auto parts = split_equally(x, 2, -1, where);
    return concatenate(std::vector<Tensor<Scalar>>{parts[0] * cosines - parts[1] * sines,
                                                   parts[0] * sines + parts[1] * cosines},
                       -1, where);
  }
  const auto parts = unstack(reshape(x, paired_extents(x.shape()), where), -1, where);
  return reshape(stack(std::vector<Tensor<Scalar>>{parts[0] * cosines - parts[1] * sines,
                                                   parts[0] * sines + parts[1] * cosines},
                       -1, where),
                 x.shape(), where);
}

}  // namespace detail

/// Rotates pairs of numbers of each vector by angles proportional to the vector's place, so that a
/// product of two rotated vectors depends on the distance of their places alone.
///
/// Shapes:  x [..., time, depth] -> [..., time, depth]
/// Throws:  UsageError where `x` has fewer than two axes, the depth that is rotated is odd,
///          negative or above that of `x`, the base or a number of the scaling is not a finite
///          number above 0, the high frequency is not above the low, or there is not a listed
///          factor for each pair.
/// Source:  J. Su et al., "RoFormer: enhanced transformer with rotary position embedding", 2021.
///          Yarn: B. Peng et al., "YaRN: efficient context window extension of large language
///          models", 2023; it and Llama3 as in `modeling_rope_utils.py` of transformers.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> rotary_embedding(
    const Tensor<Scalar>& x, const RotaryOptions& options = {},
    std::source_location where = std::source_location::current()) {
  const std::vector<std::int64_t> sizes = detail::rotated_sizes(x.shape(), options, where);
  if (sizes.empty()) {
    return detail::wholly_rotated(x, options, where);
  }
  const auto parts = split(x, sizes, -1, where);
  return concatenate(
      std::vector<Tensor<Scalar>>{detail::wholly_rotated(parts[0], options, where), parts[1]}, -1,
      where);
}

/// rotary_embedding as a layer without parameters.
///
/// Shapes:  x [..., time, depth] -> [..., time, depth]
template <FloatingScalar Scalar>
struct RotaryEmbedding {
  RotaryOptions options;

  explicit(false) RotaryEmbedding(const RotaryOptions& given = {}) : options(given) {}

  /// Shapes:  x [..., time, depth] -> [..., time, depth]
  /// Throws:  UsageError where the shape or the base does not allow it.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return rotary_embedding(x, options, where);
  }

  DDX_DIFFERENTIABLE(RotaryEmbedding)
  DDX_NO_DERIVATIVE(options)
};

}  // namespace ddx::nn
