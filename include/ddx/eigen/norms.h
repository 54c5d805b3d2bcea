/// \file
/// The norm that decompositions keep for their condition numbers, differentiated by rule.

#pragma once

#include "ddx/eigen/blocks.h"

#include <Eigen/Core>
#include <cmath>

namespace ddx::eigen {

/// The greatest sum of a column's absolute values. `part` is 0 for the whole matrix, Eigen::Lower
/// or Eigen::Upper for a symmetric one of which that triangle is read.
///
/// Adjoint: a' += sign(a) result' in that column. Nothing where the result is not used.
/// Saves: that column.
template <class Scalar, int order, int part>
struct ColumnNormRule {
  struct Column {
    const Scalar* matrix;
    Index stride;
    Index size;
    Index number;
    const Scalar* result;
  };

  /// Where the number of row i and column j lies.
  static Index place(Index i, Index j, Index stride) {
    const bool is_mirrored = (part == Eigen::Lower && i < j) || (part == Eigen::Upper && i > j);
    const Index row = is_mirrored ? j : i;
    const Index column = is_mirrored ? i : j;
    return order == Eigen::ColMajor ? column * stride + row : row * stride + column;
  }

  static Index find(const Scalar* matrix, Index stride, Index rows, Index columns, Scalar* result) {
    const auto a = Block<const Scalar, order>{matrix, rows, columns, stride}.view();
    Index found = 0;
    *result = 0;
    for (Index j = 0; j < columns; ++j) {
      Scalar sum = 0;
      if constexpr (part == 0) {
        sum = a.col(j).cwiseAbs().sum();
      } else if constexpr (part == Eigen::Lower) {
        sum = a.col(j).tail(rows - j).cwiseAbs().sum() + a.row(j).head(j).cwiseAbs().sum();
      } else {
        sum = a.col(j).head(j).cwiseAbs().sum() + a.row(j).tail(rows - j).cwiseAbs().sum();
      }
      if (sum > *result) {
        *result = sum;
        found = j;
      }
    }
    return found;
  }

  static void primal(const Scalar* matrix, Index stride, Index rows, Index columns,
                     Scalar* result) {
    find(matrix, stride, rows, columns, result);
  }

  static void forward(const Scalar* matrix, Index stride, Index rows, Index columns, Scalar* result,
                      RuleSweep sweep) {
    const Index found = find(matrix, stride, rows, columns, result);
    Scalar* const column = sweep.save<Scalar>(static_cast<std::size_t>(rows));
    for (Index i = 0; i < rows; ++i) {
      column[i] = matrix[place(i, found, stride)];
    }
    *sweep.save<Column>(1) = {matrix, stride, rows, found, result};
  }

  static void reverse(RuleSweep sweep) {
    const Column all = *sweep.restore<Column>(1);
    const Scalar* const column = sweep.restore<Scalar>(static_cast<std::size_t>(all.size));
    Scalar cotangent = 0;
    sweep.take(all.result, 1, &cotangent);
    for (Index i = 0; cotangent != 0 && i < all.size; ++i) {
      const Scalar amount = column[i] > 0 ? cotangent : column[i] < 0 ? -cotangent : Scalar(0);
      sweep.add(all.matrix + place(i, all.number, all.stride), 1, &amount);
    }
  }

  static void tangent(const Scalar* matrix, Index stride, Index rows, Index columns, Scalar* result,
                      RuleTangents tangents) {
    call_by_rule<ColumnNormRule>(matrix, stride, rows, columns, result);
    Scalar unused = 0;
    const Index found = find(matrix, stride, rows, columns, &unused);
    Scalar sum = 0;
    for (Index i = 0; i < rows; ++i) {
      const Index at = place(i, found, stride);
      sum += matrix[at] > 0   ? tangents(matrix + at)
             : matrix[at] < 0 ? -tangents(matrix + at)
                              : Scalar(0);
    }
    tangents(static_cast<const Scalar*>(result)) = sum;
  }
};

}  // namespace ddx::eigen
