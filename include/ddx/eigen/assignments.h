/// \file
/// Copies of whole matrices and constant ones: their cotangents move by the page.

#pragma once

#include "ddx/ad/memory_rule.h"

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

namespace ddx::eigen {

/// A matrix whose numbers follow each other: an object with memory of its own, or a map of one.
template <class T>
inline constexpr bool is_whole = false;
template <class Scalar, int rows, int columns, int options, int most_rows, int most_columns>
inline constexpr bool
    is_whole<Eigen::Matrix<Scalar, rows, columns, options, most_rows, most_columns>> = true;
template <class Plain, int options>
inline constexpr bool is_whole<Eigen::Map<Plain, options, Eigen::Stride<0, 0>>> =
    is_whole<std::remove_const_t<Plain>>;

/// Whether `To = From` copies bytes, of numbers whose count is known at run time.
template <class To, class From>
concept CopiesBytes =
    is_whole<From> && int(To::SizeAtCompileTime) == Eigen::Dynamic &&
    std::is_same_v<typename To::Scalar, typename From::Scalar> &&
    std::is_floating_point_v<typename To::Scalar> &&
    (bool(To::IsRowMajor) == bool(From::IsRowMajor) || bool(To::IsVectorAtCompileTime));

/// Sets numbers that follow each other to one value.
///
/// Adjoint: value' += the sum of theirs, which become zero.
template <class Scalar>
struct FillRule {
  struct Numbers {
    const Scalar* value;
    const Scalar* numbers;
    std::size_t count;
  };

  static void primal(const Scalar* value, Scalar* numbers, Eigen::Index count) {
    std::fill_n(numbers, count, *value);
  }

  static void forward(const Scalar* value, Scalar* numbers, Eigen::Index count, RuleSweep sweep) {
    *sweep.save<Numbers>(1) = {value, numbers, static_cast<std::size_t>(count)};
    primal(value, numbers, count);
  }

  static void reverse(RuleSweep sweep) {
    const Numbers filled = *sweep.restore<Numbers>(1);
    using Cotangents = Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>;
    Scalar sum = 0;
    if (Scalar* const in_place = sweep.adjacent(filled.numbers, filled.count)) {
      Cotangents taken(in_place, static_cast<Eigen::Index>(filled.count));
      sum = taken.sum();
      std::fill_n(in_place, filled.count, Scalar(0));
    } else {
      const auto taken = std::make_unique_for_overwrite<Scalar[]>(filled.count);
      sweep.take(filled.numbers, filled.count, taken.get());
      sum = Cotangents(taken.get(), static_cast<Eigen::Index>(filled.count)).sum();
    }
    sweep.add(filled.value, 1, &sum);
  }

  static void tangent(const Scalar* value, Scalar* numbers, Eigen::Index count,
                      RuleTangents tangents) {
    for (Eigen::Index i = 0; i < count; ++i) {
      tangents(numbers + i) = tangents(value);
    }
    call_by_rule<FillRule>(value, numbers, count);
  }
};

}  // namespace ddx::eigen

namespace Eigen::internal {

/// A copy of a matrix.
template <class Scalar, int rows, int columns, int options, int most_rows, int most_columns,
          class From>
  requires ddx::eigen::CopiesBytes<Matrix<Scalar, rows, columns, options, most_rows, most_columns>,
                                   From>
struct Assignment<Matrix<Scalar, rows, columns, options, most_rows, most_columns>, From,
                  assign_op<Scalar, Scalar>, Dense2Dense, void> {
  static void run(Matrix<Scalar, rows, columns, options, most_rows, most_columns>& to,
                  const From& from, const assign_op<Scalar, Scalar>& operation) {
    resize_if_allowed(to, from, operation);
    if (to.size() > 0) {
      std::memmove(to.data(), from.data(), static_cast<std::size_t>(to.size()) * sizeof(Scalar));
    }
  }
};

/// A constant matrix.
template <class Scalar, int rows, int columns, int options, int most_rows, int most_columns>
  requires(std::is_floating_point_v<Scalar> && (rows == Dynamic || columns == Dynamic))
struct Assignment<Matrix<Scalar, rows, columns, options, most_rows, most_columns>,
                  CwiseNullaryOp<scalar_constant_op<Scalar>,
                                 Matrix<Scalar, rows, columns, options, most_rows, most_columns>>,
                  assign_op<Scalar, Scalar>, Dense2Dense, void> {
  using To = Matrix<Scalar, rows, columns, options, most_rows, most_columns>;
  using From = CwiseNullaryOp<scalar_constant_op<Scalar>, To>;

  static void run(To& to, const From& from, const assign_op<Scalar, Scalar>& operation) {
    resize_if_allowed(to, from, operation);
    const Scalar value = from.functor()();
    ddx::call_by_rule<ddx::eigen::FillRule<Scalar>>(&value, to.data(), to.size());
  }
};

}  // namespace Eigen::internal
