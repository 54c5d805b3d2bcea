/// \file
/// Norms, condition and rank of matrices, by singular values. (The norm of the elements: `norm`.)

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/svd.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

/// The largest singular value of each matrix: how much longer it can make a vector.
///
/// Shapes:   x [a..., n, m] -> [a...]
/// Throws:   UsageError where the rank is below 2, an extent is 0 or an element is not finite.
/// Gradient: u v^T dy, with the vectors of the largest value; one of several where it is there more
///           than once.
/// Cost:     that of `svdvals`.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> spectral_norm(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  return max(svdvals(x, where), {.axes = {-1}}, where);
}

/// The sum of the singular values of each matrix.
///
/// Shapes:   x [a..., n, m] -> [a...]
/// Throws:   UsageError where the rank is below 2 or an element is not finite.
/// Gradient: u v^T dy; one of several for a matrix that has not full rank.
/// Cost:     that of `svdvals`.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> nuclear_norm(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  return sum(svdvals(x, where), {.axes = {-1}}, where);
}

/// The condition of each matrix: its largest singular value over its smallest.
///
/// Shapes:   x [a..., n, m] -> [a...]
/// Returns:  infinity for a matrix without full rank; with rounding, a large number.
/// Throws:   UsageError where the rank is below 2, an extent is 0 or an element is not finite.
/// Gradient: through both singular values.
/// Cost:     that of `svdvals`.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<Scalar> cond(const Tensor<Scalar>& x,
                                  std::source_location where = std::source_location::current()) {
  const auto s = svdvals(x, where);
  return max(s, {.axes = {-1}}, where) / min(s, {.axes = {-1}}, where);
}

/// The number of singular values of each matrix that do not count as zero.
///
/// Shapes:   x [a..., n, m] -> [a...]
/// Throws:   UsageError where the rank is below 2 or an element is not finite.
/// Cost:     that of `svdvals`.
template <MatrixScalar Scalar>
[[nodiscard]] Tensor<std::int32_t> matrix_rank(
    const Tensor<Scalar>& x, const RankOptions& options = {},
    std::source_location where = std::source_location::current()) {
  const auto s = svdvals(x, where);
  const auto tolerance =
      static_cast<Scalar>(detail::rank_tolerance(x.shape(), dtype_of<Scalar>, options));
  const auto cutoff =
      s.count() == 0 ? s : max(s, {.axes = {-1}, .keep_dims = true}, where) * tolerance;
  return cast<std::int32_t>(sum(greater(s, cutoff), {.axes = {-1}}, where));
}

}  // namespace ddx
