/// \file
/// Products of dense matrices, differentiated by rule.

#pragma once

#include "ddx/eigen/blocks.h"

#include <Eigen/Core>

namespace ddx::eigen {

/// The product that Eigen computes for conjugated operands, which real ones never are: the same
/// code under another name.
template <class Scalar, int left_order, int right_order>
using PlainProduct =
    Eigen::internal::general_matrix_matrix_product<Index, Scalar, left_order, true, Scalar,
                                                   right_order, true, Eigen::ColMajor, 1>;

/// C += s A B.
///
/// Adjoint: A' += s C' Bᵀ, B' += s Aᵀ C', s' += <C', A B>.
/// Saves: A, B, s.
template <class Scalar, int left_order, int right_order>
struct ProductRule {
  using Left = Block<const Scalar, left_order>;
  using Right = Block<const Scalar, right_order>;
  using Result = Block<const Scalar, Eigen::ColMajor>;
  using Blocking = Eigen::internal::level3_blocking<Scalar, Scalar>;

  struct Operands {
    Left left;
    Right right;
    Result result;
    const Scalar* factor;
    Scalar value;
  };

  static void primal(const Scalar* left, Index left_stride, const Scalar* right, Index right_stride,
                     Scalar* result, Index result_stride, Index rows, Index columns, Index depth,
                     const Scalar* factor, Blocking* blocking) {
    PlainProduct<Scalar, left_order, right_order>::run(rows, columns, depth, left, left_stride,
                                                       right, right_stride, result, 1,
                                                       result_stride, *factor, *blocking);
  }

  static void forward(const Scalar* left, Index left_stride, const Scalar* right,
                      Index right_stride, Scalar* result, Index result_stride, Index rows,
                      Index columns, Index depth, const Scalar* factor, Blocking* blocking,
                      RuleSweep sweep) {
    const Operands operands{{left, rows, depth, left_stride},
                            {right, depth, columns, right_stride},
                            {result, rows, columns, result_stride},
                            factor,
                            *factor};
    save(sweep, operands.left);
    save(sweep, operands.right);
    *sweep.save<Operands>(1) = operands;
    primal(left, left_stride, right, right_stride, result, result_stride, rows, columns, depth,
           factor, blocking);
  }

  static void reverse(RuleSweep sweep) {
    const Operands operands = *sweep.restore<Operands>(1);
    const auto& a = operands.left;
    const auto& b = operands.right;
    const auto& c = operands.result;
    const auto right = restore<Scalar, right_order>(sweep, b.rows, b.columns);
    const auto left = restore<Scalar, left_order>(sweep, a.rows, a.columns);
    if (const auto in_place = adjacent(sweep, c); in_place.numbers != nullptr) {
      add_to_operands(sweep, operands, left, right, in_place.view());
    } else {
      add_to_operands(sweep, operands, left, right, get(sweep, c).strided_view());
    }
  }

  static void tangent(const Scalar* left, Index left_stride, const Scalar* right,
                      Index right_stride, Scalar* result, Index result_stride, Index rows,
                      Index columns, Index depth, const Scalar* factor, Blocking* blocking,
                      RuleTangents tangents) {
    const Left a{left, rows, depth, left_stride};
    const Right b{right, depth, columns, right_stride};
    const Result c{result, rows, columns, result_stride};
    const Dense<Scalar, left_order> moved =
        *factor * tangents_of(tangents, a) + tangents(factor) * a.view();
    Dense<Scalar> sum = tangents_of(tangents, c);
    sum.noalias() += moved * b.view();
    sum.noalias() += *factor * (a.view() * tangents_of(tangents, b));
    set_tangents(tangents, c, sum);
    call_by_rule<ProductRule>(left, left_stride, right, right_stride, result, result_stride, rows,
                              columns, depth, factor, blocking);
  }

 private:
  template <class LeftView, class RightView, class Cotangent>
  static void add_to_operands(RuleSweep& sweep, const Operands& operands, const LeftView& left,
                              const RightView& right, const Cotangent& cotangent) {
    const auto& [a, b, c, factor, value] = operands;
    if (const auto in_place = adjacent(sweep, b); in_place.numbers != nullptr) {
      in_place.view().noalias() += value * (left.transpose() * cotangent);
    } else {
      const Buffer<Scalar, right_order> to_right(b.rows, b.columns);
      to_right.view().noalias() = value * (left.transpose() * cotangent);
      add(sweep, b, to_right);
    }
    const Buffer<Scalar, left_order> to_left(a.rows, a.columns);
    to_left.view().noalias() = cotangent * right.transpose();
    const Scalar to_factor = to_left.view().cwiseProduct(left).sum();
    if (value != Scalar(1)) {
      to_left.view() *= value;
    }
    add(sweep, a, to_left);
    sweep.add(factor, 1, &to_factor);
  }
};

/// What Eigen calls for products of matrices: the product by rule.
template <class Scalar, int left_order, int right_order>
struct ProductByRule {
  using Traits = Eigen::internal::gebp_traits<Scalar, Scalar>;
  using ResScalar = Scalar;

  /// C += s A B. Of several threads, each has its own part of C, and blocks of its own.
  static void run(Index rows, Index columns, Index depth, const Scalar* left, Index left_stride,
                  const Scalar* right, Index right_stride, Scalar* result, Index /*increment*/,
                  Index result_stride, Scalar factor,
                  Eigen::internal::level3_blocking<Scalar, Scalar>& blocking,
                  Eigen::internal::GemmParallelInfo<Index>* threads = nullptr) {
    using Rule = ProductRule<Scalar, left_order, right_order>;
    if (threads == nullptr) {
      call_by_rule<Rule>(left, left_stride, right, right_stride, result, result_stride, rows,
                         columns, depth, static_cast<const Scalar*>(&factor), &blocking);
      return;
    }
    Eigen::internal::gemm_blocking_space<Eigen::ColMajor, Scalar, Scalar, Eigen::Dynamic,
                                         Eigen::Dynamic, Eigen::Dynamic>
        own(rows, columns, depth, 1, true);
    typename Rule::Blocking* const blocks = &own;
    call_by_rule<Rule>(left, left_stride, right, right_stride, result, result_stride, rows, columns,
                       depth, static_cast<const Scalar*>(&factor), blocks);
  }
};

}  // namespace ddx::eigen

namespace Eigen::internal {

/// What Eigen calls, by rule.
template <int left_order, int right_order>
struct general_matrix_matrix_product<Eigen::Index, double, left_order, false, double, right_order,
                                     false, ColMajor, 1>
    : ddx::eigen::ProductByRule<double, left_order, right_order> {};

/// What Eigen calls, by rule.
template <int left_order, int right_order>
struct general_matrix_matrix_product<Eigen::Index, float, left_order, false, float, right_order,
                                     false, ColMajor, 1>
    : ddx::eigen::ProductByRule<float, left_order, right_order> {};

}  // namespace Eigen::internal
