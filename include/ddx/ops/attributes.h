/// \file
/// What an operation needs to know besides its operands. Kernels receive these structs with
/// everything resolved: axes counted from the front, padding as amounts.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ddx::ops {

/// Of operations that need none.
struct NoAttributes {};

/// One element of any dtype: integers and bool in `integer`, the others in `real`, with their
/// imaginary part beside it.
struct Literal {
  double real = 0;
  std::int64_t integer = 0;
  double imaginary = 0;
};

/// What every element becomes.
struct FullAttributes {
  Literal value;
};

/// Uniform in [low, high).
struct RandomUniformAttributes {
  RandomKey key{0};
  double low = 0;
  double high = 1;
};

/// Normal, with these moments.
struct RandomNormalAttributes {
  RandomKey key{0};
  double mean = 0;
  double deviation = 1;
};

/// One with this probability, else zero.
struct RandomBernoulliAttributes {
  RandomKey key{0};
  double probability = 0.5;
};

/// The factor of the second operand.
struct ScaleAttributes {
  double scale = 1;
};

/// Output axis i is input axis order[i].
struct PermutationAttributes {
  std::array<std::size_t, Shape::max_rank> order{};
};

/// Output element i along an axis is input element start + i * step. Steps are positive; the
/// output's shape says how many.
struct SliceAttributes {
  std::array<std::int64_t, Shape::max_rank> start{};
  std::array<std::int64_t, Shape::max_rank> step{};
};

/// Input element i along an axis becomes output element low + i * step, all others are `value`.
/// Input elements that fall outside the output are dropped: `low` may be negative. Steps are
/// positive.
struct PadAttributes {
  std::array<std::int64_t, Shape::max_rank> low{};
  std::array<std::int64_t, Shape::max_rank> step{};
  Literal value;
};

/// The axis the operation works along.
struct AxisAttributes {
  std::size_t axis = 0;
};

/// Bit i of `axes` says that the operation works along axis i.
struct AxesAttributes {
  std::uint32_t axes = 0;

  [[nodiscard]] bool contains(std::size_t axis) const noexcept {
    return ((axes >> axis) & 1U) != 0;
  }
};

/// The last axis is sorted, descending or ascending.
struct SortAttributes {
  bool descending = false;
};

/// Bit i of `axes` says that axis i is reduced. Kept axes stay with extent 1.
struct ReductionAttributes {
  std::uint32_t axes = 0;
  bool keep_dims = false;

  [[nodiscard]] bool reduces(std::size_t axis) const noexcept { return ((axes >> axis) & 1U) != 0; }
};

/// The axis to go along, and whether from its end.
struct CumulativeAttributes {
  std::size_t axis = 0;
  bool reverse = false;
};

/// The axis of a Fourier transform, whether the exponent is positive, and what the sums are
/// multiplied by.
struct FourierAttributes {
  std::size_t axis = 0;
  bool inverse = false;
  double scale = 1;
};

/// Transposed: the last two axes of that operand are exchanged before multiplying.
struct MatmulAttributes {
  bool transpose_left = false;
  bool transpose_right = false;
};

/// Which triangle of a matrix counts, whether that triangle is transposed, and whether its diagonal
/// is taken as ones.
struct TriangleAttributes {
  bool lower = true;
  bool transposed = false;
  bool unit_diagonal = false;
};

/// A window that moves over the axes between the first and the last of an array [n, x_i..., c], one
/// to three of them. Along each, output element p covers the input elements
/// p * stride - low + i * dilation, i in [0, size); what lies outside the input is padding. The
/// padding behind the input follows from the output's shape. With `groups`, the channels fall into
/// that many equal parts, each with filters of its own. Places past `axes` stay as they are here.
struct WindowAttributes {
  static constexpr std::size_t max_axes = 3;
  using PerAxis = std::array<std::int64_t, max_axes>;

  std::size_t axes = 2;
  PerAxis size{1, 1, 1};
  PerAxis strides{1, 1, 1};
  PerAxis dilations{1, 1, 1};
  PerAxis low{};
  PerAxis high{};
  std::int64_t groups = 1;
};

/// How many bits a number of a quantised matrix has: 8 or 4.
struct QuantizedAttributes {
  std::int64_t bits = 8;
};

/// Added to the variance before its square root.
struct EpsilonAttributes {
  double epsilon = 1e-3;
};

/// What the products of queries and keys are multiplied by, and whether a query sees only the keys
/// up to its own place, where the last query stands at the last key.
struct AttentionAttributes {
  double scale = 1;
  bool causal = false;
};

}  // namespace ddx::ops
