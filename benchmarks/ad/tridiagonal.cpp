#include "programs/tridiagonal.h"

#include "ddx/ad.h"
#include "ddx/ad/sparse.h"

#include "problem.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

namespace ddx::bench {
namespace {

using Vector = std::vector<double>;

constexpr auto residual = [](const auto& u) { return boundary_residual(u); };

/// A Jacobian is verified by the combination of its rows with these factors.
double weight(std::size_t row) {
  return std::cos(static_cast<double>(row));
}

template <class T>
T combined(const std::vector<T>& result) {
  T sum = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    sum += weight(i) * result[i];
  }
  return sum;
}

}  // namespace

Problem tridiagonal_problem(int count) {
  Vector u(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = std::sin(0.01 * static_cast<double>(i));
  }
  const Colouring colouring = jacobian_colouring(jacobian_pattern(residual, u).pattern);
  const auto latest = std::make_shared<SparseMatrix<double>>();
  Problem problem;
  problem.inputs = u;
  problem.primal = [u] {
    const Vector result = residual(u);
    keep(result);
    return result[0];
  };
  problem.dual = [](const std::vector<Dual>& all) { return combined(residual(all)); };
  problem.gradient = [u, colouring, latest] {
    *latest = sparse_jacobian(residual, colouring, u).matrix;
  };
  problem.gradient_flat = [u, latest](Vector& flat) {
    flat.assign(u.size(), 0);
    for (const auto& [row, column, value] : *latest) {
      flat[column] += weight(row) * value;
    }
    return residual(u)[0];
  };
  return problem;
}

}  // namespace ddx::bench
