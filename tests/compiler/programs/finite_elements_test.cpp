// A bar of finite elements: assembly into compressed rows, Jacobi iteration.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace {

class SparseMatrix {
 public:
  explicit SparseMatrix(std::size_t n) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i == 0 ? 0 : i - 1; j <= i + 1 && j < n; ++j) {
        columns_.push_back(j);
        values_.push_back(0.0);
      }
      starts_.push_back(columns_.size());
    }
  }
  void add(std::size_t i, std::size_t j, double v) {
    for (std::size_t k = starts_[i]; k < starts_[i + 1]; ++k) {
      if (columns_[k] == j) {
        values_[k] += v;
        return;
      }
    }
  }
  [[nodiscard]] std::vector<double> jacobi(const std::vector<double>& x,
                                           const std::vector<double>& b) const {
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      double s = b[i];
      double diagonal = 1;
      for (std::size_t k = starts_[i]; k < starts_[i + 1]; ++k) {
        if (columns_[k] == i) {
          diagonal = values_[k];
        } else {
          s -= values_[k] * x[columns_[k]];
        }
      }
      y[i] = s / diagonal;
    }
    return y;
  }

 private:
  std::vector<std::size_t> starts_;
  std::vector<std::size_t> columns_;
  std::vector<double> values_;
};

double finite_elements(const std::vector<double>& stiffness, double load, double spring) {
  const std::size_t nodes = stiffness.size() + 1;
  SparseMatrix k(nodes);
  std::vector<double> f(nodes);
  for (std::size_t e = 0; e < stiffness.size(); ++e) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        k.add(e + i, e + j, i == j ? stiffness[e] : -stiffness[e]);
      }
      f[e + i] += load / 2;
    }
  }
  for (std::size_t i = 0; i < nodes; ++i) {
    k.add(i, i, spring);
  }
  std::vector<double> u(nodes);
  for (int n = 0; n < 12; ++n) {
    u = k.jacobi(u, f);
  }
  double work = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    work = 0.5 * work + f[i] * u[i] * u[i];
  }
  return work;
}

DDX_CHECK_GRADIENT(finite_elements, at(std::vector{1.0, 2.0, 1.5}, 0.5, 0.8),
                   at(std::vector{0.7}, 1.2, 0.5), at(std::vector{2.0, 0.4}, -0.3, 1.1))

}  // namespace
