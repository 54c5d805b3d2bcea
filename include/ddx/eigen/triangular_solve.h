/// \file
/// Triangular systems, differentiated by rule.

#pragma once

#include "ddx/eigen/blocks.h"

#include <Eigen/Core>

namespace ddx::eigen {

/// Part of a square matrix: Eigen::Lower or Eigen::Upper, without the diagonal for unit diagonals.
template <int mode, class Matrix>
void keep_triangle(Matrix& matrix) {
  if constexpr ((mode & Eigen::Lower) != 0) {
    matrix.template triangularView<Eigen::StrictlyUpper>().setZero();
  } else {
    matrix.template triangularView<Eigen::StrictlyLower>().setZero();
  }
  if constexpr ((mode & Eigen::UnitDiag) != 0) {
    matrix.diagonal().setZero();
  }
}

/// T X = B (Eigen::OnTheLeft) or X T = B, where X takes the place of B.
///
/// Adjoint: B' = T⁻ᵀ X', T' -= B' Xᵀ; or B' = X' T⁻ᵀ, T' -= Xᵀ B'. Of T' the triangle.
/// Saves: T, X.
template <class Scalar, int side, int mode, int order, class Plain>
struct TriangularSolveRule {
  using Triangle = Block<const Scalar, order>;
  using Other = Block<const Scalar, Eigen::ColMajor>;
  static constexpr bool is_left = side == Eigen::OnTheLeft;

  struct Operands {
    Triangle triangle;
    Other other;
  };

  static Operands operands(const Scalar* triangle, Index stride, const Scalar* other,
                           Index other_stride, Index size, Index other_size) {
    return {{triangle, size, size, stride},
            {other, is_left ? size : other_size, is_left ? other_size : size, other_stride}};
  }

  template <class Matrix, class Numbers>
  static void solve(const Matrix& triangle, Numbers& other) {
    triangle.template triangularView<mode>().template solveInPlace<side>(other);
  }

  static void primal(const Scalar* triangle, Index stride, Scalar* other, Index other_stride,
                     Index size, Index other_size, typename Plain::Blocking* blocking) {
    Plain::run(triangle, stride, other, other_stride, size, other_size, blocking);
  }

  static void forward(const Scalar* triangle, Index stride, Scalar* other, Index other_stride,
                      Index size, Index other_size, typename Plain::Blocking* blocking,
                      RuleSweep sweep) {
    const Operands all = operands(triangle, stride, other, other_stride, size, other_size);
    save_triangle<mode>(sweep, all.triangle);
    primal(triangle, stride, other, other_stride, size, other_size, blocking);
    save(sweep, all.other);
    *sweep.save<Operands>(1) = all;
  }

  static void reverse(RuleSweep sweep) {
    const auto [triangle, other] = *sweep.restore<Operands>(1);
    const auto x = restore<Scalar, Eigen::ColMajor>(sweep, other.rows, other.columns);
    const auto t = restore<Scalar, order>(sweep, triangle.rows, triangle.columns);
    const Buffer<Scalar, Eigen::ColMajor> cotangent = take(sweep, other);
    auto b = cotangent.view();
    t.template triangularView<mode>().transpose().template solveInPlace<side>(b);
    add(sweep, other, cotangent);
    if (is_left && other.columns == 1) {
      add_vectors(sweep, triangle, b.data(), x.data());
    } else {
      add_product(sweep, triangle, b, x);
    }
  }

  static void tangent(const Scalar* triangle, Index stride, Scalar* other, Index other_stride,
                      Index size, Index other_size, typename Plain::Blocking* blocking,
                      RuleTangents tangents) {
    const Operands all = operands(triangle, stride, other, other_stride, size, other_size);
    Dense<Scalar, order> moved = tangents_of(tangents, all.triangle);
    keep_triangle<mode>(moved);
    Dense<Scalar> sum = tangents_of(tangents, all.other);
    call_by_rule<TriangularSolveRule>(triangle, stride, other, other_stride, size, other_size,
                                      blocking);
    if constexpr (is_left) {
      sum.noalias() -= moved * all.other.view();
    } else {
      sum.noalias() -= all.other.view() * moved;
    }
    solve(all.triangle.view(), sum);
    set_tangents(tangents, all.other, sum);
  }

 private:
  /// T' -= b xᵀ.
  static void add_vectors(RuleSweep& sweep, const Triangle& triangle, const Scalar* b,
                          const Scalar* x) {
    constexpr bool is_by_column = order == Eigen::ColMajor;
    for (Index i = 0; i < triangle.rows; ++i) {
      add_scaled(sweep, triangle, i, in_triangle<mode, order>(i, triangle.rows),
                 is_by_column ? b : x, is_by_column ? -x[i] : -b[i]);
    }
  }

  /// T' -= B Xᵀ, or Xᵀ B.
  template <class Left, class Right>
  static void add_product(RuleSweep& sweep, const Triangle& triangle, const Left& b,
                          const Right& x) {
    const Buffer<Scalar, order> made(triangle.rows, triangle.rows);
    auto sum = made.view();
    constexpr int part = mode & (Eigen::Lower | Eigen::Upper);
    if constexpr (is_left) {
      sum.template triangularView<part>() = -b * x.transpose();
    } else {
      sum.template triangularView<part>() = -x.transpose() * b;
    }
    add_triangle<mode>(sweep, triangle, made);
  }
};

/// The solution that Eigen computes for a conjugated matrix, which real ones never are.
template <class Scalar, int side, int mode, int order>
struct PlainTriangularSolve {
  using Blocking = Eigen::internal::level3_blocking<Scalar, Scalar>;

  static void run(const Scalar* triangle, Index stride, Scalar* other, Index other_stride,
                  Index size, Index other_size, Blocking* blocking) {
    Eigen::internal::triangular_solve_matrix<Scalar, Index, side, mode, true, order,
                                             Eigen::ColMajor, 1>::run(size, other_size, triangle,
                                                                      stride, other, 1,
                                                                      other_stride, *blocking);
  }
};

/// The same for one right-hand side.
template <class Scalar, int mode, int order>
struct PlainTriangularVectorSolve {
  struct Blocking {};

  static void run(const Scalar* triangle, Index stride, Scalar* other, Index /*other_stride*/,
                  Index size, Index /*other_size*/, Blocking* /*blocking*/) {
    Eigen::internal::triangular_solve_vector<Scalar, Scalar, Index, Eigen::OnTheLeft, mode, true,
                                             order>::run(size, triangle, stride, other);
  }
};

/// What Eigen calls for triangular systems: the solution by rule.
template <class Scalar, int side, int mode, int order>
struct TriangularSolveByRule {
  using Plain = PlainTriangularSolve<Scalar, side, mode, order>;

  static void run(Index size, Index other_size, const Scalar* triangle, Index stride, Scalar* other,
                  Index /*step*/, Index other_stride, typename Plain::Blocking& blocking) {
    call_by_rule<TriangularSolveRule<Scalar, side, mode, order, Plain>>(
        triangle, stride, other, other_stride, size, other_size, &blocking);
  }
};

/// The same for one right-hand side.
template <class Scalar, int mode, int order>
struct TriangularVectorSolveByRule {
  using Plain = PlainTriangularVectorSolve<Scalar, mode, order>;

  static void run(Index size, const Scalar* triangle, Index stride, Scalar* other) {
    typename Plain::Blocking none;
    call_by_rule<TriangularSolveRule<Scalar, Eigen::OnTheLeft, mode, order, Plain>>(
        triangle, stride, other, size, size, Index{1}, &none);
  }
};

}  // namespace ddx::eigen

namespace Eigen::internal {

/// What Eigen calls, by rule.
template <int mode, int order>
struct triangular_solve_matrix<double, Eigen::Index, OnTheLeft, mode, false, order, ColMajor, 1>
    : ddx::eigen::TriangularSolveByRule<double, OnTheLeft, mode, order> {};

/// What Eigen calls, by rule.
template <int mode, int order>
struct triangular_solve_matrix<double, Eigen::Index, OnTheRight, mode, false, order, ColMajor, 1>
    : ddx::eigen::TriangularSolveByRule<double, OnTheRight, mode, order> {};

/// What Eigen calls, by rule.
template <int mode, int order>
struct triangular_solve_matrix<float, Eigen::Index, OnTheLeft, mode, false, order, ColMajor, 1>
    : ddx::eigen::TriangularSolveByRule<float, OnTheLeft, mode, order> {};

/// What Eigen calls, by rule.
template <int mode, int order>
struct triangular_solve_matrix<float, Eigen::Index, OnTheRight, mode, false, order, ColMajor, 1>
    : ddx::eigen::TriangularSolveByRule<float, OnTheRight, mode, order> {};

/// What Eigen calls, by rule.
template <int mode>
struct triangular_solve_vector<double, double, Eigen::Index, OnTheLeft, mode, false, ColMajor>
    : ddx::eigen::TriangularVectorSolveByRule<double, mode, ColMajor> {};

/// What Eigen calls, by rule.
template <int mode>
struct triangular_solve_vector<double, double, Eigen::Index, OnTheLeft, mode, false, RowMajor>
    : ddx::eigen::TriangularVectorSolveByRule<double, mode, RowMajor> {};

/// What Eigen calls, by rule.
template <int mode>
struct triangular_solve_vector<float, float, Eigen::Index, OnTheLeft, mode, false, ColMajor>
    : ddx::eigen::TriangularVectorSolveByRule<float, mode, ColMajor> {};

/// What Eigen calls, by rule.
template <int mode>
struct triangular_solve_vector<float, float, Eigen::Index, OnTheLeft, mode, false, RowMajor>
    : ddx::eigen::TriangularVectorSolveByRule<float, mode, RowMajor> {};

}  // namespace Eigen::internal
