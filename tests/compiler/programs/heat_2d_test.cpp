// The heat equation on a plate kept as nested vectors, with two buffers.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

using Grid = std::vector<std::vector<double>>;

Grid make_grid(int rows, int columns, double value) {
  Grid g;
  for (int i = 0; i < rows; ++i) {
    g.push_back(std::vector<double>(columns, value));
  }
  return g;
}

double laplacian(const Grid& u, int i, int j) {
  return u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j];
}

double heat_2d(double conductivity, double left, double source, int steps) {
  const int rows = 5;
  const int columns = 6;
  Grid u = make_grid(rows, columns, 0.2);
  for (auto& row : u) {
    row.front() = left;
  }
  Grid next = u;
  for (int n = 0; n < steps; ++n) {
    for (int i = 1; i + 1 < rows; ++i) {
      for (int j = 1; j + 1 < columns; ++j) {
        const double k = conductivity * (1 + 0.1 * u[i][j]);
        next[i][j] = u[i][j] + k * laplacian(u, i, j);
      }
    }
    next[2][3] += source * std::exp(-0.3 * n);
    u.swap(next);
  }
  double total = 0;
  for (const auto& row : u) {
    double sum = 0;
    for (const double t : row) {
      sum += t * t;
    }
    total = 0.8 * total + sum;
  }
  return total;
}

DDX_CHECK_GRADIENT(heat_2d, at(0.1, 1.0, 0.5, 4), at(0.2, 0.3, 1.1, 3), at(0.15, -0.4, 0.2, 0))

}  // namespace
