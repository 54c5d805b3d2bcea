// Log-likelihood of a Gaussian process: a kernel object, a packed Cholesky factor, back
// substitution.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace {

struct Kernel {
  double amplitude;
  double scale;
  double noise;

  double operator()(double a, double b) const {
    const double r = (a - b) / scale;
    return amplitude * amplitude * std::exp(-0.5 * r * r);
  }
};

class Packed {
 public:
  explicit Packed(int size)
      : size_(size), entries_(static_cast<std::size_t>(size * (size + 1) / 2)) {}
  [[nodiscard]] int size() const { return size_; }
  double& operator()(int i, int j) {
    return entries_[static_cast<std::size_t>(i * (i + 1) / 2 + j)];
  }
  double operator()(int i, int j) const {
    return entries_[static_cast<std::size_t>(i * (i + 1) / 2 + j)];
  }

 private:
  int size_;
  std::vector<double> entries_;
};

Packed covariance(const Kernel& kernel, const std::vector<double>& at) {
  Packed c(static_cast<int>(at.size()));
  for (int i = 0; i < c.size(); ++i) {
    for (int j = 0; j <= i; ++j) {
      c(i, j) = kernel(at[i], at[j]) + (i == j ? kernel.noise * kernel.noise : 0.0);
    }
  }
  return c;
}

void cholesky(Packed& c) {
  for (int j = 0; j < c.size(); ++j) {
    for (int k = 0; k < j; ++k) {
      c(j, j) -= c(j, k) * c(j, k);
    }
    c(j, j) = std::sqrt(c(j, j));
    for (int i = j + 1; i < c.size(); ++i) {
      double s = c(i, j);
      for (int k = 0; k < j; ++k) {
        s -= c(i, k) * c(j, k);
      }
      c(i, j) = s / c(j, j);
    }
  }
}

double cholesky_likelihood(double amplitude, double scale, double noise,
                           const std::vector<double>& y) {
  std::vector<double> at;
  for (std::size_t i = 0; i < y.size(); ++i) {
    at.push_back(0.4 * static_cast<double>(i) + 0.1 * y[i]);
  }
  Packed c = covariance({.amplitude = amplitude, .scale = scale, .noise = noise}, at);
  cholesky(c);
  double log_likelihood = 0;
  std::vector<double> z = y;
  for (int i = 0; i < c.size(); ++i) {
    for (int j = 0; j < i; ++j) {
      z[i] -= c(i, j) * z[j];
    }
    z[i] /= c(i, i);
    log_likelihood -= 0.5 * z[i] * z[i] + std::log(c(i, i));
  }
  return log_likelihood;
}

DDX_CHECK_GRADIENT(cholesky_likelihood, at(1.2, 0.7, 0.5, std::vector{0.3, -0.4, 1.1, 0.2}),
                   at(0.8, 1.1, 0.9, std::vector{-0.5}),
                   at(1.5, 0.5, 0.7, std::vector{0.9, 0.1, -0.6}))

}  // namespace
