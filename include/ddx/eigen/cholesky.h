/// \file
/// The Cholesky decomposition, differentiated by rule.

#pragma once

#include "ddx/eigen/norms.h"
#include "ddx/eigen/product.h"
#include "ddx/eigen/triangular_solve.h"
#include "ddx/eigen/vector_product.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace ddx::eigen {

/// The size of blocks for a matrix of this size.
[[nodiscard]] inline Index cholesky_block(Index size) {
  constexpr Index least = 16;
  return std::clamp(size / 8 / least * least, least, Index{128});
}

/// Row by row; returns the row whose pivot is not positive, or -1.
template <class Matrix>
Index factor_cholesky_corner(Matrix&& a) {
  for (Index k = 0; k < a.rows(); ++k) {
    const Index rest = a.rows() - k - 1;
    const auto before = a.row(k).head(k);
    const auto pivot = a(k, k) - before.squaredNorm();
    if (!(pivot > 0)) {
      return k;
    }
    a(k, k) = std::sqrt(pivot);
    a.col(k).tail(rest).noalias() -= a.bottomLeftCorner(rest, k) * before.transpose();
    a.col(k).tail(rest) /= a(k, k);
  }
  return -1;
}

/// L of A = L Lᵀ in the place of the lower triangle; returns as factor_cholesky_corner.
template <class Matrix>
Index factor_cholesky(Matrix&& a) {
  const Index size = a.rows();
  const Index block = cholesky_block(size);
  for (Index first = 0; first < size; first += block) {
    const Index width = std::min(block, size - first);
    const Index rest = size - first - width;
    auto corner = a.block(first, first, width, width);
    if (const Index failed = factor_cholesky_corner(corner); failed >= 0) {
      return first + failed;
    }
    if (rest > 0) {
      auto below = a.block(first + width, first, rest, width);
      corner.template triangularView<Eigen::Lower>()
          .transpose()
          .template solveInPlace<Eigen::OnTheRight>(below);
      a.bottomRightCorner(rest, rest)
          .template selfadjointView<Eigen::Lower>()
          .rankUpdate(below, typename std::remove_cvref_t<Matrix>::Scalar(-1));
    }
  }
  return -1;
}

/// As reverse_cholesky, column by column.
template <class Factor, class Cotangents>
void reverse_cholesky_corner(const Factor& l, Cotangents cotangent) {
  for (Index k = l.rows(); k-- > 0;) {
    const Index below = l.rows() - k - 1;
    auto to_l = cotangent.col(k).tail(below);
    to_l /= l(k, k);
    cotangent(k, k) -= to_l.dot(l.col(k).tail(below));
    cotangent(k, k) /= 2 * l(k, k);
    for (Index j = 0; j < k; ++j) {  // A(i, k) -= L(i, j) L(k, j)
      const auto other = l.col(j).tail(below);
      cotangent(k, j) -= to_l.dot(other) + 2 * cotangent(k, k) * l(k, j);
      cotangent.col(j).tail(below) -= l(k, j) * to_l;
    }
  }
}

/// The cotangents of L become, block by block from the last one, those of the lower triangle of A.
///
/// Source: I. Murray, Differentiation of the Cholesky decomposition, arXiv:1602.07527, section 4.
template <class Factor, class Cotangents>
void reverse_cholesky(const Factor& l, Cotangents cotangent) {
  using Scalar = typename Factor::Scalar;
  const Index size = l.rows();
  const Index block = cholesky_block(size);
  if (size <= block) {
    return reverse_cholesky_corner(l, cotangent);
  }
  for (Index first = (size - 1) / block * block; first >= 0; first -= block) {
    const Index width = std::min(block, size - first);
    const Index rest = size - first - width;
    const Factor corner = part_of(l, first, first, width, width);
    Cotangents to_corner = part_of(cotangent, first, first, width, width);
    if (rest > 0) {
      const auto below = l.block(first + width, first, rest, width);
      auto to_below = cotangent.block(first + width, first, rest, width);
      // Of A -= L Lᵀ: the diagonal counts twice.
      Dense<Scalar> whole =
          cotangent.bottomRightCorner(rest, rest).template selfadjointView<Eigen::Lower>();
      whole.diagonal() *= Scalar(2);
      to_below.noalias() -= whole * below;
      // L = A C⁻ᵀ, with the corner C
      corner.template triangularView<Eigen::Lower>().template solveInPlace<Eigen::OnTheRight>(
          to_below);
      to_corner.template triangularView<Eigen::Lower>() -= to_below.transpose() * below;
    }
    reverse_cholesky(corner, to_corner);
  }
}

/// A = L Lᵀ, where L takes the place of the lower triangle of A.
///
/// Adjoint: A' = S + Sᵀ with S = L⁻ᵀ half(Lᵀ L') L⁻¹, by the steps of the decomposition in reverse
///          order.
/// Saves: L.
template <class Scalar, int order>
struct CholeskyRule {
  using Matrix = Block<const Scalar, order>;

  struct Result {
    Matrix matrix;
    bool has_failed;
  };

  static void primal(Scalar* matrix, Index stride, Index size, Index* failed) {
    *failed = factor_cholesky(Block<Scalar, order>{matrix, size, size, stride}.view());
  }

  static void forward(Scalar* matrix, Index stride, Index size, Index* failed, RuleSweep sweep) {
    primal(matrix, stride, size, failed);
    const Matrix all{matrix, size, size, stride};
    save_triangle<Eigen::Lower>(sweep, all);
    *sweep.save<Result>(1) = {all, *failed >= 0};
  }

  static void reverse(RuleSweep sweep) {
    const auto [all, has_failed] = *sweep.restore<Result>(1);
    const auto l = restore<Scalar, order>(sweep, all.rows, all.rows);
    // The other triangle stays what it was, and so do its cotangents.
    const Buffer<Scalar, order> taken = take_triangle<Eigen::Lower>(sweep, all);
    auto cotangent = taken.strided_view();
    if (!has_failed) {
      reverse_cholesky(l, cotangent);
    } else if (!cotangent.isZero(0)) {
      cotangent.setConstant(std::numeric_limits<Scalar>::quiet_NaN());
    }
    add_triangle<Eigen::Lower>(sweep, all, taken);
  }

  static void tangent(Scalar* matrix, Index stride, Index size, Index* failed,
                      RuleTangents tangents) {
    const Matrix all{matrix, size, size, stride};
    Dense<Scalar, order> moved = tangents_of(tangents, all);
    call_by_rule<CholeskyRule>(matrix, stride, size, failed);
    const Dense<Scalar, order> l = all.view().template triangularView<Eigen::Lower>();
    const auto lower = l.template triangularView<Eigen::Lower>();
    Dense<Scalar, order> inner = moved;
    for (Index j = 0; j < size; ++j) {
      for (Index i = 0; i < j; ++i) {
        inner(i, j) = moved(j, i);
      }
    }
    lower.solveInPlace(inner);
    lower.transpose().template solveInPlace<Eigen::OnTheRight>(inner);
    for (Index j = 0; j < size; ++j) {
      inner(j, j) *= Scalar(0.5);
      for (Index i = 0; i < j; ++i) {
        inner(i, j) = 0;
      }
    }
    const Dense<Scalar, order> product = l * inner;
    for (Index j = 0; j < size; ++j) {
      for (Index i = j; i < size; ++i) {
        moved(i, j) = product(i, j);
      }
    }
    set_tangents(tangents, all, moved);
  }
};

/// What Eigen calls for the decomposition: that by rule.
template <class Scalar>
struct CholeskyByRule {
  /// Returns the row whose pivot is not positive, or -1.
  template <class Matrix>
  static Index blocked(Matrix& matrix) {
    constexpr int order = Matrix::IsRowMajor ? Eigen::RowMajor : Eigen::ColMajor;
    Index failed = -1;
    call_by_rule<CholeskyRule<Scalar, order>>(&matrix.coeffRef(0, 0), matrix.outerStride(),
                                              matrix.rows(), &failed);
    return failed;
  }

  /// As blocked.
  template <class Matrix>
  static Index unblocked(Matrix& matrix) {
    return blocked(matrix);
  }

  /// L Lᵀ += s v vᵀ.
  template <class Matrix, class Vector>
  static Index rankUpdate(Matrix& matrix, const Vector& vector, const Scalar& factor) {
    return Eigen::internal::llt_rank_update_lower(matrix, vector, factor);
  }
};

/// What LLT::compute does with a matrix that it has copied; returns whether that is positive.
template <int part, class Matrix>
bool compute_cholesky(Matrix& matrix, typename Matrix::Scalar& norm) {
  using Scalar = typename Matrix::Scalar;
  eigen_assert(matrix.rows() == matrix.cols());
  call_by_rule<ColumnNormRule<Scalar, Eigen::ColMajor, part>>(
      static_cast<const Scalar*>(matrix.data()), matrix.outerStride(), matrix.rows(), matrix.cols(),
      &norm);
  return Eigen::internal::LLT_Traits<Matrix, part>::inplace_decomposition(matrix);
}

}  // namespace ddx::eigen

namespace Eigen::internal {

template <>
struct llt_inplace<double, Lower> : ddx::eigen::CholeskyByRule<double> {};

template <>
struct llt_inplace<float, Lower> : ddx::eigen::CholeskyByRule<float> {};

}  // namespace Eigen::internal

namespace Eigen {

template <>
template <class Input>
LLT<MatrixXd, Lower>& LLT<MatrixXd, Lower>::compute(const EigenBase<Input>& matrix) {
  m_matrix = matrix.derived();
  m_info = ddx::eigen::compute_cholesky<Lower>(m_matrix, m_l1_norm) ? Success : NumericalIssue;
  m_isInitialized = true;
  return *this;
}

template <>
template <class Input>
LLT<MatrixXd, Upper>& LLT<MatrixXd, Upper>::compute(const EigenBase<Input>& matrix) {
  m_matrix = matrix.derived();
  m_info = ddx::eigen::compute_cholesky<Upper>(m_matrix, m_l1_norm) ? Success : NumericalIssue;
  m_isInitialized = true;
  return *this;
}

template <>
template <class Input>
LLT<MatrixXf, Lower>& LLT<MatrixXf, Lower>::compute(const EigenBase<Input>& matrix) {
  m_matrix = matrix.derived();
  m_info = ddx::eigen::compute_cholesky<Lower>(m_matrix, m_l1_norm) ? Success : NumericalIssue;
  m_isInitialized = true;
  return *this;
}

template <>
template <class Input>
LLT<MatrixXf, Upper>& LLT<MatrixXf, Upper>::compute(const EigenBase<Input>& matrix) {
  m_matrix = matrix.derived();
  m_info = ddx::eigen::compute_cholesky<Upper>(m_matrix, m_l1_norm) ? Success : NumericalIssue;
  m_isInitialized = true;
  return *this;
}

}  // namespace Eigen
