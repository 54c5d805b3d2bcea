/// \file
/// The named options of tensor operations.

#pragma once

#include "ddx/core/indices.h"

#include <array>
#include <cstdint>

namespace ddx {

/// How many rows and columns of padding a window sees around its input.
struct Padding {
  enum class Kind : std::uint8_t { Valid, Same, Amounts };

  Kind kind = Kind::Valid;
  std::int64_t top = 0;
  std::int64_t bottom = 0;
  std::int64_t left = 0;
  std::int64_t right = 0;

  static const Padding Valid;  ///< None.
  static const Padding Same;   ///< So much that the output extent is ceil(input extent / stride);
                               ///< the odd one comes last.

  /// These amounts; none may be negative.
  [[nodiscard]] static constexpr Padding amounts(std::int64_t top, std::int64_t bottom,
                                                 std::int64_t left, std::int64_t right) noexcept {
    return {Kind::Amounts, top, bottom, left, right};
  }

  friend constexpr bool operator==(const Padding&, const Padding&) = default;
};

inline constexpr Padding Padding::Valid{};
inline constexpr Padding Padding::Same{Padding::Kind::Same, 0, 0, 0, 0};

/// Rows and columns of a window, or of its steps.
using Extent2D = std::array<std::int64_t, 2>;

/// How a filter moves over images.
struct Conv2DOptions {
  Extent2D strides = {1, 1};
  Padding padding = Padding::Valid;
};

/// The window of a pooling and how it moves.
struct Pool2DOptions {
  Extent2D size = {2, 2};
  Extent2D strides = {0, 0};  ///< {0, 0}: as `size`, so that windows touch and do not overlap.
  Padding padding = Padding::Valid;
};

/// Which operands of a product are given transposed.
struct MatmulOptions {
  bool transpose_left = false;   ///< Exchanges the last two axes of the left operand first.
  bool transpose_right = false;  ///< Exchanges the last two axes of the right operand first.
};

/// What a reduction reduces and what stays.
struct ReductionOptions {
  Indices axes = {};       ///< Which axes to reduce, negative ones from the end. None: all.
  bool keep_dims = false;  ///< Whether reduced axes stay, with extent 1.
};

/// What a sort orders by.
struct SortOptions {
  std::int64_t axis = -1;   ///< Along which axis; negative ones count from the end.
  bool descending = false;  ///< Largest first.
};

/// How a cumulative operation goes along an axis.
struct CumulativeOptions {
  std::int64_t axis = -1;  ///< Which axis; negative ones count from the end.
  bool exclusive = false;  ///< Whether each result leaves out the element at its own place.
  bool reverse = false;    ///< Whether it goes from the end to the beginning.
};

/// What a variance is taken of, and what its sum of squares is divided by.
struct VarianceOptions {
  Indices axes = {};       ///< Which axes to reduce, negative ones from the end. None: all.
  bool keep_dims = false;  ///< Whether reduced axes stay, with extent 1.
  bool unbiased = false;   ///< Whether to divide by n - 1 (for a sample) instead of by n.
};

/// Which norm, of what.
struct NormOptions {
  double order = 2;        ///< At least 1; infinity for the largest absolute value.
  Indices axes = {};       ///< Which axes to reduce, negative ones from the end. None: all.
  bool keep_dims = false;  ///< Whether reduced axes stay, with extent 1.
};

/// Along which axes the vectors lie whose angle is asked for.
struct CosineOptions {
  Indices axes = {-1};    ///< Negative ones count from the end. None: all.
  double epsilon = 1e-8;  ///< The least length a vector is taken to have.
};

/// The box that a slice takes.
struct SliceOptions {
  Indices start =
      {};  ///< First index per axis; negative ones count from the end. Empty: 0 everywhere.
  Indices stop = {};  ///< Index past the last per axis; negative ones count from the end. Empty: to
                      ///< the end everywhere.
  Indices step = {};  ///< Positive distances. Empty: 1 everywhere.
};

/// What keeps a normalisation from dividing by zero.
struct BatchNormOptions {
  double epsilon = 1e-3;  ///< Added to the variance.
};

/// What keeps a normalisation of rows from dividing by zero.
struct LayerNormOptions {
  double epsilon = 1e-3;  ///< Added to the variance.
};

}  // namespace ddx
