/// \file
/// Products of a dense matrix and a vector, differentiated by rule.

#pragma once

#include "ddx/eigen/blocks.h"

#include <Eigen/Core>

namespace ddx::eigen {

/// Eigen::RowMajor for Eigen::ColMajor, and the other way round.
constexpr int other_order(int order) {
  return order == Eigen::ColMajor ? Eigen::RowMajor : Eigen::ColMajor;
}

/// What Eigen calls, by rule.
/// How Eigen passes the matrix.
template <class Scalar, class I, int order>
using MatrixMapper = Eigen::internal::const_blas_data_mapper<Scalar, I, order>;
/// How Eigen passes the vector.
template <class Scalar, class I, int order>
using VectorMapper = Eigen::internal::const_blas_data_mapper<Scalar, I, other_order(order)>;

/// The product that Eigen computes for conjugated operands.
template <class Scalar, int order>
using PlainVectorProduct = Eigen::internal::general_matrix_vector_product<
    Index, Scalar, MatrixMapper<Scalar, Index, order>, order, true, Scalar,
    VectorMapper<Scalar, Index, order>, true>;

/// y += s A x.
///
/// Adjoint: A' += s y' xᵀ, x' += s Aᵀ y', s' += <y', A x>.
/// Saves: A, x, s.
template <class Scalar, int order>
struct VectorProductRule {
  using Matrix = Block<const Scalar, order>;
  using Vector = Block<const Scalar, Eigen::ColMajor>;
  using Numbers = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  struct Operands {
    Matrix matrix;
    Vector vector;
    Vector result;
    const Scalar* factor;
    Scalar value;
  };

  static Operands operands(const Scalar* matrix, Index stride, const Scalar* vector, Index step,
                           Scalar* result, Index result_step, Index rows, Index columns,
                           const Scalar* factor) {
    return {{matrix, rows, columns, stride},
            strided(vector, columns, step),
            strided(result, rows, result_step),
            factor,
            *factor};
  }

  static void primal(const Scalar* matrix, Index stride, const Scalar* vector, Index step,
                     Scalar* result, Index result_step, Index rows, Index columns,
                     const Scalar* factor) {
    PlainVectorProduct<Scalar, order>::run(
        rows, columns, MatrixMapper<Scalar, Index, order>(matrix, stride),
        VectorMapper<Scalar, Index, order>(vector, step), result, result_step, *factor);
  }

  static void forward(const Scalar* matrix, Index stride, const Scalar* vector, Index step,
                      Scalar* result, Index result_step, Index rows, Index columns,
                      const Scalar* factor, RuleSweep sweep) {
    const Operands all =
        operands(matrix, stride, vector, step, result, result_step, rows, columns, factor);
    save(sweep, all.matrix);
    save(sweep, all.vector);
    *sweep.save<Operands>(1) = all;
    primal(matrix, stride, vector, step, result, result_step, rows, columns, factor);
  }

  static void reverse(RuleSweep sweep) {
    const Operands all = *sweep.restore<Operands>(1);
    const Index rows = all.matrix.rows;
    const Index columns = all.matrix.columns;
    const Eigen::Map<const Numbers> x(sweep.restore<Scalar>(static_cast<std::size_t>(columns)),
                                      columns);
    const auto a = restore<Scalar, order>(sweep, rows, columns);
    const Buffer<Scalar, Eigen::ColMajor> cotangent = get(sweep, all.result);
    const Eigen::Map<const Numbers> y(cotangent.data(), rows);
    const Buffer<Scalar, Eigen::ColMajor> to_vector(all.vector.rows, all.vector.columns);
    Eigen::Map<Numbers> to_x(to_vector.data(), columns);
    to_x.noalias() = a.transpose() * y;
    const Scalar to_factor = to_x.dot(x);
    to_x *= all.value;
    add(sweep, all.vector, to_vector);
    const Scalar* const along = order == Eigen::ColMajor ? y.data() : x.data();
    const Scalar* const across = order == Eigen::ColMajor ? x.data() : y.data();
    for (Index i = 0; i < all.matrix.count(); ++i) {
      add_scaled(sweep, all.matrix, i, {0, all.matrix.length()}, along, all.value * across[i]);
    }
    sweep.add(all.factor, 1, &to_factor);
  }

  static void tangent(const Scalar* matrix, Index stride, const Scalar* vector, Index step,
                      Scalar* result, Index result_step, Index rows, Index columns,
                      const Scalar* factor, RuleTangents tangents) {
    const Operands all =
        operands(matrix, stride, vector, step, result, result_step, rows, columns, factor);
    Numbers x(columns);
    Numbers moved(columns);
    for (Index i = 0; i < columns; ++i) {
      x(i) = *factor * vector[i * step];
      moved(i) = *factor * tangents(vector + i * step) + tangents(factor) * vector[i * step];
    }
    Numbers sum = Numbers::Zero(rows);
    sum.noalias() += tangents_of(tangents, all.matrix) * x;
    sum.noalias() += all.matrix.view() * moved;
    for (Index i = 0; i < rows; ++i) {
      tangents(result + i * result_step) += sum(i);
    }
    call_by_rule<VectorProductRule>(matrix, stride, vector, step, result, result_step, rows,
                                    columns, factor);
  }

 private:
  static Vector strided(const Scalar* numbers, Index count, Index step) {
    return step == 1 ? Vector{numbers, count, 1, count} : Vector{numbers, 1, count, step};
  }
};

/// What Eigen calls for products of a matrix and a vector: the product by rule.
template <class Scalar, int order>
struct VectorProductByRule {
  /// y += s A x.
  static void run(Index rows, Index columns, const MatrixMapper<Scalar, Index, order>& matrix,
                  const VectorMapper<Scalar, Index, order>& vector, Scalar* result,
                  Index result_step, Scalar factor) {
    call_by_rule<VectorProductRule<Scalar, order>>(matrix.data(), matrix.stride(), vector.data(),
                                                   vector.stride(), result, result_step, rows,
                                                   columns, static_cast<const Scalar*>(&factor));
  }
};

}  // namespace ddx::eigen

namespace Eigen::internal {

template <>
struct general_matrix_vector_product<
    Eigen::Index, double, const_blas_data_mapper<double, Eigen::Index, ColMajor>, ColMajor, false,
    double, const_blas_data_mapper<double, Eigen::Index, RowMajor>, false, Specialized>
    : ddx::eigen::VectorProductByRule<double, ColMajor> {};

template <>
struct general_matrix_vector_product<
    Eigen::Index, double, const_blas_data_mapper<double, Eigen::Index, RowMajor>, RowMajor, false,
    double, const_blas_data_mapper<double, Eigen::Index, ColMajor>, false, Specialized>
    : ddx::eigen::VectorProductByRule<double, RowMajor> {};

template <>
struct general_matrix_vector_product<
    Eigen::Index, float, const_blas_data_mapper<float, Eigen::Index, ColMajor>, ColMajor, false,
    float, const_blas_data_mapper<float, Eigen::Index, RowMajor>, false, Specialized>
    : ddx::eigen::VectorProductByRule<float, ColMajor> {};

template <>
struct general_matrix_vector_product<
    Eigen::Index, float, const_blas_data_mapper<float, Eigen::Index, RowMajor>, RowMajor, false,
    float, const_blas_data_mapper<float, Eigen::Index, ColMajor>, false, Specialized>
    : ddx::eigen::VectorProductByRule<float, RowMajor> {};

}  // namespace Eigen::internal
