// RUN-FLAGS: -fplugin-arg-ddx-promote=none
// One function behind a pointer variable, whose gradient and tangent are made before its second
// derivative, and nothing else in the unit that waits for derivatives: products with its Hessian
// found no derivative at run time.

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <ddx/ad.h>
#include <utility>
#include <vector>

using Numbers = std::vector<double>;

struct Matrix {
  double a[2][2]{};
};

Matrix operator*(const Matrix& x, const Matrix& y) {
  Matrix r;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 2; ++k) {
        r.a[i][j] += x.a[i][k] * y.a[k][j];
      }
    }
  }
  return r;
}

// The likelihood of observations p[1], p[2], ... of a moving point, by a Kalman filter.
double likelihood(const Numbers& p) {
  double x[2] = {0, 1};
  Matrix covariance{{{1, 0}, {0, 1}}};
  const Matrix step{{{1, p[0]}, {0, 1}}};
  const Matrix transposed{{{1, 0}, {p[0], 1}}};
  double sum = 0;
  for (std::size_t t = 1; t < p.size(); ++t) {
    const double moved[2] = {x[0] + p[0] * x[1], x[1]};
    covariance = step * covariance * transposed;
    covariance.a[0][0] += 0.1;
    covariance.a[1][1] += 0.05;
    const double s = covariance.a[0][0] + 0.5;
    const double r = p[t] - moved[0];
    Matrix updated = covariance;
    for (int i = 0; i < 2; ++i) {
      const double gain = covariance.a[i][0] / s;
      x[i] = moved[i] + gain * r;
      for (int j = 0; j < 2; ++j) {
        updated.a[i][j] -= gain * covariance.a[0][j];
      }
    }
    std::swap(covariance, updated);
    sum += 0.5 * (std::log(s) + r * r / s);
  }
  return sum;
}

bool close(double a, double b) {
  return std::abs(a - b) < 1e-6 * (1 + std::abs(a));
}

// All three against differences: of the function, and of its gradient.
template <class F>
bool is_right(F f) {
  const Numbers at{0.4, 0.1, 0.5, 0.9};
  const Numbers along{1, -1, 0.5, 2};
  constexpr double h = 1e-5;
  Numbers ahead = at;
  Numbers behind = at;
  for (std::size_t i = 0; i < at.size(); ++i) {
    ahead[i] += h * along[i];
    behind[i] -= h * along[i];
  }
  const Numbers gradient = ddx::gradient(f, at);
  const Numbers product = ddx::hvp(f, at, along);
  const Numbers up = ddx::gradient(f, ahead);
  const Numbers down = ddx::gradient(f, behind);
  double slope = 0;
  bool right = true;
  for (std::size_t i = 0; i < at.size(); ++i) {
    slope += gradient[i] * along[i];
    right = right && close(product[i], (up[i] - down[i]) / (2 * h));
  }
  return right && close(slope, (likelihood(ahead) - likelihood(behind)) / (2 * h)) &&
         close(slope, ddx::jvp(f, ddx::along(along), at).tangent);
}

int main() {
  if (!is_right(likelihood)) {
    std::puts("a derivative is wrong");
    return 1;
  }
  return 0;
}
