#include "ddx/nn/detail/orthonormal.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace ddx::nn::detail {
namespace {

/// A reflection of the rows of a row-major matrix from row k on.
struct Reflection {
  std::vector<double> normal;  // From row k on.
  double scale = 0;            // 2 / |normal|^2; 0: the identity.

  /// matrix <- (1 - scale normal normal^T) matrix, from row k and column `first` on.
  void apply(std::vector<double>& matrix, std::size_t columns, std::size_t k,
             std::size_t first) const {
    std::vector<double> products(columns, 0.0);
    for (std::size_t i = 0; i < normal.size(); ++i) {
      const double* row = matrix.data() + (k + i) * columns;
      for (std::size_t j = first; j < columns; ++j) {
        products[j] += normal[i] * row[j];
      }
    }
    for (std::size_t i = 0; i < normal.size(); ++i) {
      double* row = matrix.data() + (k + i) * columns;
      for (std::size_t j = first; j < columns; ++j) {
        row[j] -= scale * normal[i] * products[j];
      }
    }
  }
};

/// The reflection that maps column k from row k on to a multiple of the first unit vector, with the
/// sign that avoids cancellation: the opposite of the first element's.
Reflection reflection_of(const std::vector<double>& matrix, std::size_t rows, std::size_t columns,
                         std::size_t k) {
  Reflection reflection;
  double squares = 0;
  for (std::size_t i = k; i < rows; ++i) {
    reflection.normal.push_back(matrix[i * columns + k]);
    squares += reflection.normal.back() * reflection.normal.back();
  }
  const double head = reflection.normal[0];
  const double length = std::sqrt(squares);
  reflection.normal[0] += std::copysign(length, head);
  if (length > 0) {
    reflection.scale = 1 / (squares + std::fabs(head) * length);
  }
  return reflection;
}

}  // namespace

std::vector<double> orthonormal_columns(std::vector<double> matrix, std::size_t rows,
                                        std::size_t columns) {
  std::vector<Reflection> reflections;
  std::vector<double> q(rows * columns, 0.0);
  for (std::size_t k = 0; k < columns; ++k) {
    reflections.push_back(reflection_of(matrix, rows, columns, k));
    reflections.back().apply(matrix, columns, k, k);
    // A column of Q with the sign that turns the diagonal of R positive.
    q[k * columns + k] = matrix[k * columns + k] < 0 ? -1 : 1;
  }
  for (std::size_t k = columns; k-- > 0;) {
    reflections[k].apply(q, columns, k, k);
  }
  return q;
}

}  // namespace ddx::nn::detail
