/// \file
/// Tangents of Eigen's matrices and arrays: gradients with respect to them, and derivatives of
/// functions that return them.

#pragma once

#include "ddx/ad/detail/tangent_kinds.h"
#include "ddx/ad/detail/tangent_trait.h"

#include <Eigen/Core>
#include <concepts>

namespace ddx::detail {

/// Whether the size of a matrix is known at run time only. Of others a default-constructed object,
/// which represents zero in tangents, is not initialised.
template <class T>
inline constexpr bool has_size_at_run_time = T::SizeAtCompileTime == Eigen::Dynamic;

}  // namespace ddx::detail

/// A matrix or array of real numbers, of a size that is known at run time, is its own tangent: of
/// the same size, or without elements, which is a zero of any size.
///
/// Shapes:  as the matrix
template <std::floating_point Scalar, int rows, int cols, int options, int most_rows, int most_cols>
  requires(ddx::detail::has_size_at_run_time<
           Eigen::Matrix<Scalar, rows, cols, options, most_rows, most_cols>>)
struct ddx::detail::TangentTrait<Eigen::Matrix<Scalar, rows, cols, options, most_rows, most_cols>> {
  using type = Eigen::Matrix<Scalar, rows, cols, options, most_rows, most_cols>;
};
template <std::floating_point Scalar, int rows, int cols, int options, int most_rows, int most_cols>
  requires(ddx::detail::has_size_at_run_time<
           Eigen::Array<Scalar, rows, cols, options, most_rows, most_cols>>)
struct ddx::detail::TangentTrait<Eigen::Array<Scalar, rows, cols, options, most_rows, most_cols>> {
  using type = Eigen::Array<Scalar, rows, cols, options, most_rows, most_cols>;
};

namespace ddx::detail {

template <std::floating_point Scalar, int rows, int cols, int options, int most_rows, int most_cols>
inline constexpr bool
    is_number_array<Eigen::Matrix<Scalar, rows, cols, options, most_rows, most_cols>> =
        has_size_at_run_time<Eigen::Matrix<Scalar, rows, cols, options, most_rows, most_cols>>;
template <std::floating_point Scalar, int rows, int cols, int options, int most_rows, int most_cols>
inline constexpr bool
    is_number_array<Eigen::Array<Scalar, rows, cols, options, most_rows, most_cols>> =
        has_size_at_run_time<Eigen::Array<Scalar, rows, cols, options, most_rows, most_cols>>;

}  // namespace ddx::detail
