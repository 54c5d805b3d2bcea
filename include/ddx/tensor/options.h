/// \file
/// The named options of tensor operations.

#pragma once

#include "ddx/core/indices.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ddx {

/// One number per axis that a window moves over, e.g. its extents or its steps.
template <std::size_t axes>
using Extents = std::array<std::int64_t, axes>;

using Extent1D = Extents<1>;  ///< Of a window over signals.
using Extent2D = Extents<2>;  ///< Rows and columns.
using Extent3D = Extents<3>;  ///< Of a window over volumes.

/// How much padding a window sees around its input, along each axis it moves over.
struct Padding {
  enum class Kind : std::uint8_t { Valid, Same, Amounts };

  Kind kind = Kind::Valid;
  std::size_t axes = 0;  ///< Of Amounts: how many axes they are for.
  Extent3D low = {0, 0, 0};
  Extent3D high = {0, 0, 0};

  static const Padding Valid;  ///< None.
  static const Padding Same;   ///< So much that the output extent is ceil(input extent / stride);
                               ///< the odd one comes last.

  /// These amounts along one axis; none may be negative.
  [[nodiscard]] static constexpr Padding amounts(std::int64_t before, std::int64_t after) noexcept {
    return {Kind::Amounts, 1, {before, 0, 0}, {after, 0, 0}};
  }
  /// These amounts along two axes; none may be negative.
  [[nodiscard]] static constexpr Padding amounts(std::int64_t top, std::int64_t bottom,
                                                 std::int64_t left, std::int64_t right) noexcept {
    return {Kind::Amounts, 2, {top, left, 0}, {bottom, right, 0}};
  }
  /// These amounts along three axes; none may be negative.
  [[nodiscard]] static constexpr Padding amounts(std::int64_t front, std::int64_t back,
                                                 std::int64_t top, std::int64_t bottom,
                                                 std::int64_t left, std::int64_t right) noexcept {
    return {Kind::Amounts, 3, {front, top, left}, {back, bottom, right}};
  }

  friend constexpr bool operator==(const Padding&, const Padding&) = default;
};

inline constexpr Padding Padding::Valid{};
inline constexpr Padding Padding::Same{Padding::Kind::Same, 0, {0, 0, 0}, {0, 0, 0}};

namespace detail {

/// The same number for each axis.
template <std::size_t axes>
constexpr Extents<axes> on_each_axis(std::int64_t value) noexcept {
  Extents<axes> extents{};
  extents.fill(value);
  return extents;
}

}  // namespace detail

/// How a filter moves over signals, images or volumes.
template <std::size_t axes>
struct ConvolutionOptions {
  Extents<axes> strides = detail::on_each_axis<axes>(1);
  Padding padding = Padding::Valid;
  Extents<axes> dilations = detail::on_each_axis<axes>(1);  ///< Steps between a filter's elements.
  std::int64_t groups = 1;  ///< Into how many parts the channels fall, each with its own filters.

  friend bool operator==(const ConvolutionOptions&, const ConvolutionOptions&) = default;
};

/// Of conv1d, conv2d and conv3d.
using Conv1DOptions = ConvolutionOptions<1>;
using Conv2DOptions = ConvolutionOptions<2>;
using Conv3DOptions = ConvolutionOptions<3>;

/// Which convolution a transposed one is the transpose of.
template <std::size_t axes>
struct TransposedConvolutionOptions {
  Extents<axes> strides = detail::on_each_axis<axes>(1);
  Padding padding = Padding::Valid;
  Extents<axes> dilations = detail::on_each_axis<axes>(1);  ///< Steps between a filter's elements.
  std::int64_t groups = 1;  ///< Into how many parts the channels fall, each with its own filters.
  Extents<axes> extents = {};  ///< Of the result; 0: the least ones from which the convolution
                               ///< gives the input's, and with Same padding input extent * stride.

  friend bool operator==(const TransposedConvolutionOptions&,
                         const TransposedConvolutionOptions&) = default;
};

/// Of transposed_conv1d, transposed_conv2d and transposed_conv3d.
using TransposedConv1DOptions = TransposedConvolutionOptions<1>;
using TransposedConv2DOptions = TransposedConvolutionOptions<2>;
using TransposedConv3DOptions = TransposedConvolutionOptions<3>;

/// How the filters of each channel move over images.
template <std::size_t axes>
struct DepthwiseOptions {
  Extents<axes> strides = detail::on_each_axis<axes>(1);
  Padding padding = Padding::Valid;
  Extents<axes> dilations = detail::on_each_axis<axes>(1);  ///< Steps between a filter's elements.

  friend bool operator==(const DepthwiseOptions&, const DepthwiseOptions&) = default;
};

/// Of depthwise and separable convolutions.
using Depthwise1DOptions = DepthwiseOptions<1>;
using Depthwise2DOptions = DepthwiseOptions<2>;

/// The window of a pooling and how it moves.
template <std::size_t axes>
struct PoolOptions {
  Extents<axes> size = detail::on_each_axis<axes>(2);
  Extents<axes> strides = {};  ///< All 0: as `size`, so that windows touch and do not overlap.
  Padding padding = Padding::Valid;

  friend bool operator==(const PoolOptions&, const PoolOptions&) = default;
};

/// Of poolings over one, two and three axes.
using Pool1DOptions = PoolOptions<1>;
using Pool2DOptions = PoolOptions<2>;
using Pool3DOptions = PoolOptions<3>;

/// How the regions of a fractional pooling are chosen.
struct FractionalPoolOptions {
  std::array<double, 2> ratios = {1.5, 1.5};  ///< Input extent per output extent, each at least 1.
  bool pseudo_random = false;  ///< Regions by one random number per axis, not by random order.
  bool overlapping = false;    ///< Whether a region has the first row and column of the next, too.

  friend bool operator==(const FractionalPoolOptions&, const FractionalPoolOptions&) = default;
};

/// How a filter of heights moves over images.
struct MorphologyOptions {
  Extent2D strides = {1, 1};
  Padding padding = Padding::Valid;
  Extent2D dilations = {1, 1};  ///< Steps between a filter's elements.

  friend bool operator==(const MorphologyOptions&, const MorphologyOptions&) = default;
};

/// How a point between points is computed.
enum class Interpolation : std::uint8_t {
  Nearest,        ///< The nearest point.
  Bilinear,       ///< The four around it, by distance.
  Bicubic,        ///< The sixteen around it, by cubic convolution.
  Area,           ///< The average over the area that becomes the point.
  Lanczos3,       ///< By sinc(x) sinc(x / 3).
  Lanczos5,       ///< By sinc(x) sinc(x / 5).
  Gaussian,       ///< By a bell of deviation 1/2, cut off at 3/2.
  MitchellCubic,  ///< The sixteen around it, by the cubic of Mitchell and Netravali.
};

/// What a resizing makes.
struct ResizeOptions {
  std::int64_t height = 0;
  std::int64_t width = 0;
  Interpolation interpolation = Interpolation::Bilinear;
  /// Widens the kernel where the picture becomes smaller, so that every point counts. Not for
  /// Nearest and Area.
  bool antialias = false;
  /// Puts the first and last points of both pictures at the same places, not their borders. For
  /// Nearest, Bilinear, Bicubic and Area, without antialiasing.
  bool align_corners = false;
};

/// Which operands of a product are given transposed.
struct MatmulOptions {
  bool transpose_left = false;   ///< Exchanges the last two axes of the left operand first.
  bool transpose_right = false;  ///< Exchanges the last two axes of the right operand first.
};

/// Which triangle of a matrix a system of equations is about.
struct TriangularOptions {
  bool lower = true;           ///< The lower one or the upper one; the other is not read.
  bool adjoint = false;        ///< Whether the system is that of the transposed triangle.
  bool unit_diagonal = false;  ///< Whether the diagonal is taken as ones, and not read.
};

/// How much of its orthogonal factors a decomposition gives.
struct DecompositionOptions {
  bool full = false;  ///< Square ones: a basis of the whole space. Else as many columns as matter.
};

/// Which singular values count as zero.
struct RankOptions {
  double tolerance = -1;  ///< Those up to this multiple of the largest. Negative: the larger extent
                          ///< of the matrix times the machine epsilon of its elements.
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

/// Which of the two directions of a Fourier transform divides by the number n of its terms.
enum class FourierNorm : std::uint8_t {
  Backward,  ///< The inverse, by n.
  Ortho,     ///< Both, by sqrt(n).
  Forward,   ///< The forward one, by n.
};

/// A Fourier transform along one axis.
struct FourierOptions {
  std::int64_t n = 0;  ///< The operand is cropped to so many elements or padded with zeros; of
                       ///< irfft, the extent of the result. 0: as it is; of irfft, 2 (extent - 1).
  std::int64_t axis = -1;
  FourierNorm norm = FourierNorm::Backward;
};

/// What keeps a normalisation from dividing by zero.
struct BatchNormOptions {
  double epsilon = 1e-3;  ///< Added to the variance.

  friend bool operator==(const BatchNormOptions&, const BatchNormOptions&) = default;
};

/// What keeps a normalisation of rows from dividing by zero.
struct LayerNormOptions {
  double epsilon = 1e-3;  ///< Added to the variance.
};

/// How queries weigh keys.
struct DotProductAttentionOptions {
  std::optional<double> scale = {};  ///< What scores are multiplied by; without: 1 / sqrt(depth).
  /// Whether a query sees only the keys up to its own place. The last query stands at the last key,
  /// so that queries may continue keys that were computed before.
  bool causal = false;
};

}  // namespace ddx
