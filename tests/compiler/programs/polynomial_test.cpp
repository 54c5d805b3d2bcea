// Polynomials as a value class: sums, products, division with remainder, derivatives, roots.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

namespace {

class Polynomial {
 public:
  Polynomial() = default;
  Polynomial(std::initializer_list<double> coefficients) : c_(coefficients) {}
  explicit Polynomial(std::vector<double> coefficients) : c_(std::move(coefficients)) {}

  [[nodiscard]] int degree() const { return static_cast<int>(c_.size()) - 1; }
  double operator[](int i) const { return i < static_cast<int>(c_.size()) ? c_[i] : 0; }
  [[nodiscard]] double operator()(double x) const {
    double y = 0;
    for (auto c = c_.rbegin(); c != c_.rend(); ++c) {
      y = y * x + *c;
    }
    return y;
  }
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    std::vector<double> c(a.c_.size() + b.c_.size() - 1);
    for (std::size_t i = 0; i < a.c_.size(); ++i) {
      for (std::size_t j = 0; j < b.c_.size(); ++j) {
        c[i + j] += a.c_[i] * b.c_[j];
      }
    }
    return Polynomial(std::move(c));
  }
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b) {
    std::vector<double> c;
    for (int i = 0; i <= std::max(a.degree(), b.degree()); ++i) {
      c.push_back(a[i] - b[i]);
    }
    return Polynomial(c);
  }
  [[nodiscard]] Polynomial derivative() const {
    Polynomial d;
    for (std::size_t i = 1; i < c_.size(); ++i) {
      d.c_.push_back(static_cast<double>(i) * c_[i]);
    }
    return d;
  }

 private:
  std::vector<double> c_;
};

double polynomial(double a, double b, double start) {
  const Polynomial p = Polynomial{a, 1.0, b} * Polynomial{-1, b} - Polynomial{0.3, a};
  const Polynomial slope = p.derivative();
  double x = start;
  for (int n = 0; n < 12 && std::fabs(p(x)) > 1e-12; ++n) {
    x -= p(x) / slope(x);
  }
  return x * x + p[1] * slope(0.5);
}

DDX_CHECK_GRADIENT(polynomial, at(0.4, 0.7, 2.0), at(0.9, 1.1, 1.5), at(0.2, 0.5, 3.0))

}  // namespace
