/// \file
/// The LU decomposition with partial pivots, differentiated by rule.

#pragma once

#include "ddx/eigen/norms.h"
#include "ddx/eigen/product.h"
#include "ddx/eigen/triangular_solve.h"

#include <Eigen/LU>
#include <algorithm>

namespace ddx::eigen {

/// As reverse_lu, column by column.
template <class Factors, class Cotangents>
void reverse_lu_panel(const Factors& lu, Cotangents cotangent) {
  for (Index k = lu.cols(); k-- > 0;) {
    const Index below = lu.rows() - k - 1;
    const auto l = lu.col(k).tail(below);
    auto to_l = cotangent.col(k).tail(below);
    for (Index j = k + 1; j < lu.cols(); ++j) {  // A(i, j) -= L(i, k) U(k, j)
      const auto rest = cotangent.col(j).tail(below);
      cotangent(k, j) -= rest.dot(l);
      to_l -= lu(k, j) * rest;
    }
    to_l /= lu(k, k);  // L(i, k) = A(i, k) / U(k, k)
    cotangent(k, k) -= to_l.dot(l);
  }
}

/// The cotangents of the factors become, block by block from the last one, those of the matrix
/// whose rows are in the order of the pivots.
template <class Factors, class Cotangents>
void reverse_lu(const Factors& lu, Cotangents cotangent) {
  const Index rows = lu.rows();
  const Index columns = lu.cols();
  const Index size = std::min(rows, columns);
  constexpr Index least = 16;
  if (columns <= least && columns <= rows) {
    return reverse_lu_panel(lu, cotangent);
  }
  const Index block = std::clamp(size / 8 / least * least, least, Index{128});
  for (Index first = (size - 1) / block * block; first >= 0; first -= block) {
    const Index width = std::min(block, size - first);
    const Index below = rows - first - width;
    const Index right = columns - first - width;
    const Factors panel = part_of(lu, first, first, rows - first, width);
    Cotangents to_panel = part_of(cotangent, first, first, rows - first, width);
    if (right > 0) {
      const auto u = lu.middleRows(first, width).rightCols(right);
      auto to_u = cotangent.middleRows(first, width).rightCols(right);
      if (below > 0) {  // A -= L U
        const auto rest = cotangent.bottomRightCorner(below, right);
        to_u.noalias() -= panel.bottomRows(below).transpose() * rest;
        to_panel.bottomRows(below).noalias() -= rest * u.transpose();
      }
      // U = L⁻¹ A
      panel.topRows(width).template triangularView<Eigen::UnitLower>().transpose().solveInPlace(
          to_u);
      to_panel.topRows(width).template triangularView<Eigen::StrictlyLower>() -=
          to_u * u.transpose();
    }
    reverse_lu(panel, to_panel);
  }
}

/// P A = L U in the place of A.
///
/// Adjoint: A' = Pᵀ L⁻ᵀ (strictly_lower(Lᵀ L') + upper(U' Uᵀ)) U⁻ᵀ, by the steps of the
///          decomposition in reverse order.
/// Saves: L, U, P.
template <class Scalar, int order>
struct LuRule {
  using Matrix = Block<const Scalar, order>;
  /// Eigen's own code under another type of pivots.
  using Plain = Eigen::internal::partial_lu_impl<Scalar, order, unsigned, Eigen::Dynamic>;

  static void primal(Scalar* matrix, Index stride, Index rows, Index columns, int* pivots,
                     int* swap_count, Index* first_zero) {
    unsigned swaps = 0;
    *first_zero = Plain::blocked_lu(rows, columns, matrix, stride,
                                    reinterpret_cast<unsigned*>(pivots), swaps);
    *swap_count = static_cast<int>(swaps);
  }

  static void forward(Scalar* matrix, Index stride, Index rows, Index columns, int* pivots,
                      int* swap_count, Index* first_zero, RuleSweep sweep) {
    primal(matrix, stride, rows, columns, pivots, swap_count, first_zero);
    const Matrix all{matrix, rows, columns, stride};
    save(sweep, all);
    const Index size = std::min(rows, columns);
    std::copy_n(pivots, size, sweep.save<int>(static_cast<std::size_t>(size)));
    *sweep.save<Matrix>(1) = all;
  }

  static void reverse(RuleSweep sweep) {
    const Matrix all = *sweep.restore<Matrix>(1);
    const Index size = std::min(all.rows, all.columns);
    const int* const pivots = sweep.restore<int>(static_cast<std::size_t>(size));
    const auto lu = restore<Scalar, order>(sweep, all.rows, all.columns);
    const Buffer<Scalar, order> taken = take(sweep, all);
    auto cotangent = taken.strided_view();
    reverse_lu(lu, cotangent);
    for (Index i = size; i-- > 0;) {
      if (pivots[i] != i) {
        cotangent.row(i).swap(cotangent.row(pivots[i]));
      }
    }
    add(sweep, all, taken);
  }

  static void tangent(Scalar* matrix, Index stride, Index rows, Index columns, int* pivots,
                      int* swap_count, Index* first_zero, RuleTangents tangents) {
    const Matrix all{matrix, rows, columns, stride};
    Dense<Scalar, order> moved = tangents_of(tangents, all);
    call_by_rule<LuRule>(matrix, stride, rows, columns, pivots, swap_count, first_zero);
    const Index size = std::min(rows, columns);
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; pivots[i] != i && j < columns; ++j) {
        const Scalar kept = moved(i, j);
        moved(i, j) = moved(pivots[i], j);
        moved(pivots[i], j) = kept;
      }
    }
    const Dense<Scalar, order> lu = all.view();
    const Dense<Scalar, order> corner = lu.topLeftCorner(size, size);
    const auto lower = corner.template triangularView<Eigen::UnitLower>();
    const auto upper = corner.template triangularView<Eigen::Upper>();
    Dense<Scalar, order> inner = moved.topLeftCorner(size, size);
    lower.solveInPlace(inner);
    upper.template solveInPlace<Eigen::OnTheRight>(inner);
    Dense<Scalar, order> to_lower = inner;
    keep_triangle<Eigen::UnitLower>(to_lower);
    Dense<Scalar, order> to_upper = inner - to_lower;
    Dense<Scalar, order> l = corner;
    keep_triangle<Eigen::UnitLower>(l);
    const Dense<Scalar, order> u = corner - l;
    to_lower += Dense<Scalar, order>(l * to_lower);
    to_upper = Dense<Scalar, order>(to_upper * u);
    if (rows > size) {  // L = A U⁻¹ below
      Dense<Scalar, order> below = moved.bottomRows(rows - size);
      below -= lu.bottomRows(rows - size) * to_upper;
      upper.template solveInPlace<Eigen::OnTheRight>(below);
      moved.bottomRows(rows - size) = below;
    }
    if (columns > size) {  // U = L⁻¹ A at the right
      Dense<Scalar, order> right = moved.rightCols(columns - size);
      right -= to_lower * lu.rightCols(columns - size);
      lower.solveInPlace(right);
      moved.rightCols(columns - size) = right;
    }
    moved.topLeftCorner(size, size) = to_lower + to_upper;
    set_tangents(tangents, all, moved);
  }
};

/// What Eigen calls for the decomposition: that by rule.
template <class Scalar, int order>
struct LuByRule {
  /// Returns the first pivot that is zero, or -1.
  static Index blocked_lu(Index rows, Index columns, Scalar* matrix, Index stride, int* pivots,
                          int& swap_count, Index /*largest_block*/ = 256) {
    Index first_zero = -1;
    call_by_rule<LuRule<Scalar, order>>(matrix, stride, rows, columns, pivots, &swap_count,
                                        &first_zero);
    return first_zero;
  }
};

/// What PartialPivLU::compute does; returns the sign of the permutation.
template <class Matrix, class Pivots>
signed char compute_lu(Matrix& matrix, typename Matrix::Scalar& norm, Pivots& pivots) {
  using Scalar = typename Matrix::Scalar;
  constexpr int order = Matrix::IsRowMajor ? Eigen::RowMajor : Eigen::ColMajor;
  eigen_assert(matrix.rows() == matrix.cols() &&
               "PartialPivLU is only for square (and moreover invertible) matrices");
  call_by_rule<ColumnNormRule<Scalar, order, 0>>(static_cast<const Scalar*>(matrix.data()),
                                                 matrix.outerStride(), matrix.rows(), matrix.cols(),
                                                 &norm);
  pivots.resize(matrix.rows());
  typename Pivots::StorageIndex swap_count = 0;
  Eigen::internal::partial_lu_inplace(matrix, pivots, swap_count);
  return swap_count % 2 == 0 ? 1 : -1;
}

}  // namespace ddx::eigen

namespace Eigen::internal {

/// What Eigen calls, by rule.
template <int order>
struct partial_lu_impl<double, order, int, Dynamic> : ddx::eigen::LuByRule<double, order> {};

/// What Eigen calls, by rule.
template <int order>
struct partial_lu_impl<float, order, int, Dynamic> : ddx::eigen::LuByRule<float, order> {};

}  // namespace Eigen::internal

namespace Eigen {

template <>
inline void PartialPivLU<MatrixXd>::compute() {
  m_det_p = ddx::eigen::compute_lu(m_lu, m_l1_norm, m_rowsTranspositions);
  m_p = m_rowsTranspositions;
  m_isInitialized = true;
}

}  // namespace Eigen
