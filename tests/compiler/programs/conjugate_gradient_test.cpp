// Conjugate gradients on a tridiagonal system, with the algorithms of the standard library.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void axpy(double s, const Vector& x, Vector& y) {
  std::transform(x.begin(), x.end(), y.begin(), y.begin(),
                 [s](double a, double b) { return s * a + b; });
}

Vector multiply(const Vector& diagonal, double off, const Vector& x) {
  Vector y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = diagonal[i] * x[i];
    if (i > 0) {
      y[i] += off * x[i - 1];
    }
    if (i + 1 < x.size()) {
      y[i] += off * x[i + 1];
    }
  }
  return y;
}

double conjugate_gradient(const Vector& diagonal, double off, const Vector& b) {
  Vector x(b.size());
  Vector r = b;
  Vector p = r;
  double rr = dot(r, r);
  for (std::size_t n = 0; n < b.size() && rr > 1e-20; ++n) {
    const Vector ap = multiply(diagonal, off, p);
    const double alpha = rr / dot(p, ap);
    axpy(alpha, p, x);
    axpy(-alpha, ap, r);
    const double next = dot(r, r);
    const double beta = next / rr;
    for (std::size_t i = 0; i < p.size(); ++i) {
      p[i] = r[i] + beta * p[i];
    }
    rr = next;
  }
  return dot(x, b) + std::accumulate(x.begin(), x.end(), 1.0,
                                     [](double s, double v) { return s * (1 + 0.1 * v); });
}

DDX_CHECK_GRADIENT(conjugate_gradient, at(Vector{2.0, 3.0, 2.5}, 0.5, Vector{1.0, -0.4, 0.7}),
                   at(Vector{1.5}, 0.3, Vector{0.8}),
                   at(Vector{2.2, 1.9, 3.1, 2.7}, -0.6, Vector{0.5, 0.2, 0.9, -0.3}))

}  // namespace
