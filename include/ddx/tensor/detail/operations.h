/// \file
/// The operations on untyped arrays: they check their operands, make the result and run the kernel.
/// The typed functions of ddx/tensor are thin shells over these. Each throws what its typed
/// function documents.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/check.h"
#include "ddx/ops/literal.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/options.h"

#include <array>
#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

namespace ddx::detail {

using ops::literal;
using Location = std::source_location;

Array full(const Shape& shape, ops::Literal value, DType dtype, Device device);
Array iota(std::int64_t count, DType dtype, Device device, const Location& where);
Array wrapping_iota(std::int64_t count, DType dtype, Device device, const Location& where);
Array random_uniform(const Shape& shape, const ops::RandomUniformAttributes& attributes,
                     DType dtype, Device device, const Location& where);
Array random_normal(const Shape& shape, const ops::RandomNormalAttributes& attributes, DType dtype,
                    Device device);
Array random_bernoulli(const Shape& shape, const ops::RandomBernoulliAttributes& attributes,
                       DType dtype, Device device, const Location& where);

/// The elements with another dtype.
Array cast(const Array& x, DType dtype);

/// A unary operation.
Array unary(ops::Op op, const Array& x);

/// A binary or comparison operation with broadcasting.
Array binary(ops::Op op, const Array& a, const Array& b, const Location& where);
/// As above; writes in place where `a` is unshared and has the result's shape and dtype.
Array binary(ops::Op op, Array&& a, const Array& b, const Location& where);

/// A binary or comparison operation whose right operand is a bare number. The check is asked of it.
Array binary_right(ops::Op op, const Array& a, ops::Literal b, const ops::Check& check = {});
/// As above, for a result of the dtype of `a`: writes in place where `a` is unshared.
Array binary_right_into(ops::Op op, Array a, ops::Literal b);
/// A binary operation whose left operand is a bare number.
Array binary_left(ops::Op op, ops::Literal a, const Array& b);

/// The operation of that name.
Array polygamma(std::int64_t order, const Array& x, const Location& where);

/// x^n of integers.
Array integer_power(const Array& x, std::int64_t n, const Location& where);
/// Throws:  UsageError where the number is not positive.
void check_root(std::int64_t n, const Location& where);

/// a + scale * b with broadcasting; writes in place where `a` is unshared and has the result's
/// shape.
Array add_scaled(Array a, double scale, const Array& b, const Location& where);

Array select(const Array& condition, const Array& a, const Array& b, const Location& where);

Array reshape(const Array& x, const Indices& extents, const Location& where);
Array broadcast_to(const Array& x, const Shape& shape, const Location& where);
/// The sum over the axes along which `shape` was stretched to the shape of `x`.
Array sum_to(const Array& x, const Shape& shape, const Location& where);
Array transpose(const Array& x, const Indices& order, const Location& where);
Array slice(const Array& x, const SliceOptions& options, const Location& where);
/// The cotangent of a slice's operand of shape `shape`.
Array slice_gradient(const Array& dy, const Shape& shape, const SliceOptions& options);
/// The box of shape `shape` that begins at `low`.
Array crop(const Array& x, const Indices& low, const Shape& shape);
/// The box of shape `shape` that begins at `start` along one axis.
Array part(const Array& x, const Shape& shape, std::int64_t axis, std::int64_t start);
Array reverse(const Array& x, const Indices& axes, const Location& where);
/// `x` with `update`, stretched to the box, in the place of the box; writes in place where `x` is
/// unshared.
Array update_slice(Array x, const Array& update, const SliceOptions& options,
                   const Location& where);
/// `x` with `update` along an axis from a place on, [] of i32; writes in place where `x` is
/// unshared.
Array update_at(Array x, const Array& update, const Array& place, std::int64_t axis,
                const Location& where);
Array pad(const Array& x, const Indices& low, const Indices& high, ops::Literal value,
          const Location& where);
/// The parts along a new axis.
Array stack(std::span<const Array* const> parts, std::int64_t axis, const Location& where);
/// Parts of these sizes along an axis.
std::vector<Array> split(const Array& x, const std::vector<std::int64_t>& sizes, std::int64_t axis,
                         const Location& where);
/// The slices along an axis, each without it.
std::vector<Array> unstack(const Array& x, std::int64_t axis, const Location& where);
Array concatenate(std::span<const Array* const> parts, std::int64_t axis, const Location& where);

/// Indices of i64 as i32. Operations that take indices take both.
Array narrowed_indices(const char* operation, const Array& indices, const Location& where);
Array gather(const Array& x, const Array& indices, std::int64_t axis, const Location& where);
Array gather_gradient(const Array& dy, const Array& indices, const Shape& shape, std::int64_t axis,
                      const Location& where);
Array take_along_axis(const Array& x, const Array& indices, std::int64_t axis,
                      const Location& where);
Array take_along_axis_gradient(const Array& dy, const Array& indices, const Shape& shape,
                               std::int64_t axis, const Location& where);
/// Zeros of shape `shape` to which the slices of `updates` are added where `indices` say.
Array scatter_sum(const char* operation, const Array& updates, const Array& indices,
                  const Shape& shape, std::int64_t axis, const Location& where);
Array one_hot(const Array& indices, std::int64_t depth, DType dtype, const Location& where);

/// A reduction (sum, product, max, all and the others of the family).
Array reduce(ops::Op op, const Array& x, const ReductionOptions& options, const Location& where);
/// The reduced array with the reduced axes back as extent 1, so that it broadcasts against the
/// operand.
Array restore_axes(const Array& reduced, const Shape& shape, const ReductionOptions& options);
/// How an array looks whose reduced axes come last, as one: the order of the axes that leads there,
/// and the shape then.
struct ReducedLast {
  Indices order;
  Shape shape;
};
ReducedLast reduced_last(const Shape& shape, const ReductionOptions& options);
/// Throws:  UsageError where the order is below 1.
void check_norm_order(double order, const Location& where);
/// argmax or argmin.
Array arg_reduce(ops::Op op, const Array& x, std::int64_t axis, const Location& where);

/// An operation of the family Cumulative with one operand; `exclusive` is not looked at.
Array cumulative(ops::Op op, const Array& x, const CumulativeOptions& options,
                 const Location& where);
Array linear_recurrence(const Array& a, const Array& b, const CumulativeOptions& options,
                        const Location& where);
/// The elements moved by one place along an axis; `value` comes first, or last where `backwards`,
/// and one element drops out.
Array shifted(const Array& x, std::int64_t axis, bool backwards, ops::Literal value);

Array argsort(const Array& x, const SortOptions& options, const Location& where);

/// Which part of a complex number.
enum class Part : std::uint8_t { Real, Imaginary };
/// That part of each element of a complex array.
Array part_of(const Array& x, Part part);
/// The complex array with these parts, of one shape; a symbolic zero goes with any.
Array complex_of(const Array& real, const Array& imaginary, const Location& where);
/// The complex conjugates.
Array conjugate(const Array& x);

/// fft: a Fourier transform along an axis, after cropping or padding to `options.n`.
Array fft(const Array& x, bool inverse, const FourierOptions& options, const Location& where);
/// rfft: of real elements, without the half of the result that the other half conjugates.
Array rfft(const Array& x, const FourierOptions& options, const Location& where);
/// irfft: the inverse of rfft.
Array irfft(const Array& x, const FourierOptions& options, const Location& where);

Array matmul(const Array& a, const Array& b, const MatmulOptions& options, const Location& where);

/// How a window moves, over any number of axes: the options of a user's operation.
struct WindowMotion {
  const char* operation;  ///< As the user knows it.
  ops::WindowAttributes window;
  Padding padding;
};

Array convolution(const Array& input, const Array& filter, const WindowMotion& motion,
                  const Location& where);
Array convolution_input_gradient(const Array& dy, const Array& filter, const Shape& input,
                                 const WindowMotion& motion, const Location& where);
Array convolution_filter_gradient(const Array& input, const Array& dy, const Shape& filter,
                                  const WindowMotion& motion);
/// The shape of the input from which the convolution with a filter of shape `k` gives shape `y`,
/// with these extents or, where one is 0, with the usual ones.
Shape transposed_shape(const Shape& y, const Shape& k, std::span<const std::int64_t> extents,
                       const WindowMotion& motion, const Location& where);
/// The shape of a filter [k_i..., c, m] for a convolution with c groups: [k_i..., 1, c m].
Shape grouped_filter(const Shape& input, const Shape& filter, const WindowMotion& motion,
                     const Location& where);

/// The window that moves so over an input of this shape, with its padding as amounts.
ops::WindowAttributes placed_window(const WindowMotion& motion, const Shape& input);
/// As above, with the size that `filter` has.
ops::WindowAttributes placed_window(const WindowMotion& motion, const Shape& input,
                                    const Shape& filter);
/// Where the elements of place `i` of each window, in row-major order, lie: in a box of the padded
/// array.
struct WindowPlaces {
  Indices low;
  Indices high;
  SliceOptions box;
};
WindowPlaces places_in_windows(const ops::WindowAttributes& window, std::int64_t i,
                               const Shape& input, const Shape& windows);
/// A pooling operation (avg_pool, max_pool).
Array pool(ops::Op op, const Array& x, const WindowMotion& motion, const Location& where);
Array avg_pool_gradient(const Array& dy, const Shape& input, const WindowMotion& motion);
Array max_pool_gradient(const Array& input, const Array& dy, const WindowMotion& motion);

Array grey_dilation(const Array& input, const Array& filter, const WindowMotion& motion,
                    const Location& where);
/// One of the gradients of grey_dilation.
Array grey_dilation_gradient(ops::Op op, const Array& input, const Array& filter, const Array& dy,
                             const WindowMotion& motion);

/// Which elements along an axis are summed with which weights: see ops/resampling.h.
struct Taps {
  using DdxHoldsNoReals = void;  // They follow from the extents alone.

  Array first;
  Array weights;
};
Array resample(const Array& x, const Taps& taps, std::int64_t axis);
Array resample_gradient(const Array& dy, const Taps& taps, const Shape& shape, std::int64_t axis);

/// The normalised array, and the mean and the variance, of wide_dtype.
std::array<Array, 3> batch_norm_training(const Array& x, const Array& scale, const Array& offset,
                                         double epsilon, const Location& where);
/// The cotangents of x, scale and offset.
std::array<Array, 3> batch_norm_training_gradient(const Array& x, const Array& scale,
                                                  const Array& mean, const Array& variance,
                                                  const Array& dy, double epsilon);
Array batch_norm_inference(const Array& x, const Array& scale, const Array& offset,
                           const Array& mean, const Array& variance, double epsilon,
                           const Location& where);

/// The normalised array, and the mean and the variance of each row, of wide_dtype.
std::array<Array, 3> layer_norm(const Array& x, const Array& scale, const Array& offset,
                                double epsilon, const Location& where);
/// The cotangents of x, scale and offset.
std::array<Array, 3> layer_norm_gradient(const Array& x, const Array& scale, const Array& mean,
                                         const Array& variance, const Array& dy, double epsilon);

/// Which keys queries see that see those up to their own place, [queries, keys].
Array causal_keys(std::int64_t queries, std::int64_t keys, Device device);
/// The weighted means of the values, and for each query the logarithm of the sum of e^score, of
/// wide_dtype: zeros and -infinity where it sees no key.
std::array<Array, 2> attention(const Array& query, const Array& key, const Array& value,
                               const DotProductAttentionOptions& options, const Location& where);
/// The weighted means of the values in a range of places, [2] of i32.
Array attention_over_range(const Array& query, const Array& key, const Array& value,
                           const Array& range, const DotProductAttentionOptions& options,
                           const Location& where);
/// The cotangents of query, key and value, from the results of attention and the cotangent of y.
std::array<Array, 3> attention_gradient(const Array& query, const Array& key, const Array& value,
                                        const Array& y, const Array& log_sum_exp, const Array& dy,
                                        const DotProductAttentionOptions& options);
/// What derivatives of attention read: y and for each query the logarithm of the sum of e^score,
/// then the tangent of y and for each query the mean of the tangents of its scores, by weights.
struct AttentionResults {
  Array y;
  Array log_sum_exp;
  Array tangent;
  Array means;
};
/// Attention along three tangents.
///
/// Shapes:  three operands, then a tangent of each.
AttentionResults attention_with_tangent(const std::array<const Array*, 6>& operands,
                                        const DotProductAttentionOptions& options,
                                        const Location& where);
/// The cotangents of the six operands, from those of y and of its tangent.
std::array<Array, 6> attention_with_tangent_gradient(const std::array<const Array*, 6>& operands,
                                                     const AttentionResults& results,
                                                     const Array& of_y, const Array& of_tangent,
                                                     const DotProductAttentionOptions& options);

/// softmax or log_softmax.
Array softmax(ops::Op op, const Array& x, std::int64_t axis, const Location& where);
/// softmax_gradient or log_softmax_gradient, from the result `y`.
Array softmax_gradient(ops::Op op, const Array& y, const Array& dy, std::int64_t axis);
/// One loss per row of logits.
Array softmax_cross_entropy(const Array& logits, const Array& labels, const Location& where);
/// The cotangent of the logits, from one cotangent per row, of wide_dtype.
Array softmax_cross_entropy_gradient(const Array& logits, const Array& labels, const Array& dy,
                                     const Location& where);

}  // namespace ddx::detail
