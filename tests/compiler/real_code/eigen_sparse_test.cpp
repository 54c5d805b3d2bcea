// Sparse matrices of Eigen: a direct and an iterative solver.

#include "gradient_check.h"

#include <Eigen/Sparse>
#include <vector>

namespace {

Eigen::SparseMatrix<double> laplacian(double a, double b, int size) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < size; ++i) {
    entries.emplace_back(i, i, 3 + a * a + 0.1 * i * b);
    if (i + 1 < size) {
      entries.emplace_back(i, i + 1, -1 - 0.1 * a);
      entries.emplace_back(i + 1, i, -1 - 0.1 * a);
    }
  }
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

double direct(double a, double b) {
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> solver(laplacian(a, b, 8));
  const Eigen::VectorXd y = solver.solve(Eigen::VectorXd::LinSpaced(8, a, 2 + b));
  return y.sum() + y(3) * y(5);
}
DDX_CHECK_GRADIENT(direct, at(0.5, 0.7), at(1.1, 0.4), at(0.3, 1.2))

double iterative(double a, double b) {
  Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper> solver;
  solver.setTolerance(1e-15);
  const Eigen::SparseMatrix<double> matrix = laplacian(a, b, 6);
  solver.compute(matrix);
  const Eigen::VectorXd y = solver.solve(Eigen::VectorXd::LinSpaced(6, a, 2 + b));
  return y.sum() + y(1) * y(4);
}
DDX_CHECK_GRADIENT(iterative, at(0.5, 0.7), at(1.1, 0.4), at(0.3, 1.2))

}  // namespace
