#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

constexpr int n = 3;
using Vector3 = std::array<double, n>;
using Matrix3 = std::array<Vector3, n>;

double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Matrix3 multiplied(const Matrix3& a, const Matrix3& b) {
  Matrix3 c{};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        c[i][j] += a[i][k] * b[k][j];
      }
    }
  }
  return c;
}

double triple_product(const Vector3& a, const Vector3& b) {
  return dot(cross(a, b), cross(b, {1, 2, 3})) + dot(a, a);
}

double matrix_power_trace(const Matrix3& m) {
  const Matrix3 p = multiplied(multiplied(m, m), m);
  return p[0][0] + p[1][1] * p[2][2];
}

/// Gaussian elimination with row exchanges; returns the determinant.
double determinant(Matrix3 a) {
  double det = 1;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::fabs(a[i][k]) > std::fabs(a[pivot][k])) {
        pivot = i;
      }
    }
    if (pivot != k) {
      const Vector3 row = a[k];
      a[k] = a[pivot];
      a[pivot] = row;
      det = -det;
    }
    det *= a[k][k];
    for (int i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (int j = k; j < n; ++j) {
        a[i][j] -= factor * a[k][j];
      }
    }
  }
  return det;
}

/// Solves a x = b by Crout's factorisation in place.
Vector3 solved(Matrix3 a, Vector3 b) {
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; ++j) {
        a[i][j] -= a[i][k] * a[k][j];
      }
    }
  }
  for (int i = 1; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      b[i] -= a[i][j] * b[j];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) {
      b[i] -= a[i][j] * b[j];
    }
    b[i] /= a[i][i];
  }
  return b;
}

double linear_system(const Matrix3& a, const Vector3& b) {
  const Vector3 x = solved(a, b);
  return dot(x, {1, -2, 0.5}) * dot(x, x);
}

double cholesky_log_determinant(const Matrix3& m) {
  Matrix3 l{};
  double result = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double s = m[i][j] + (i == j ? 6 : 0);
      for (int k = 0; k < j; ++k) {
        s -= l[i][k] * l[j][k];
      }
      if (i == j) {
        l[i][i] = std::sqrt(s);
        result += 2 * std::log(l[i][i]);
      } else {
        l[i][j] = s / l[j][j];
      }
    }
  }
  return result;
}

double gram_schmidt(const Matrix3& m) {
  Matrix3 q = m;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      const double projection = dot(q[i], q[j]);
      for (int k = 0; k < n; ++k) {
        q[i][k] -= projection * q[j][k];
      }
    }
    const double length = std::sqrt(dot(q[i], q[i]));
    for (double& v : q[i]) {
      v /= length;
    }
  }
  return q[0][0] * q[1][1] + q[2][0] * q[2][1] + q[1][2];
}

double power_iteration(const Matrix3& m, int steps) {
  Vector3 v{1, 1, 1};
  double eigenvalue = 0;
  for (int s = 0; s < steps; ++s) {
    Vector3 w{};
    for (int i = 0; i < n; ++i) {
      w[i] = dot(m[i], v);
    }
    eigenvalue = std::sqrt(dot(w, w));
    for (int i = 0; i < n; ++i) {
      v[i] = w[i] / eigenvalue;
    }
  }
  return eigenvalue;
}

double flat_matrix_vector(const std::vector<double>& a, const std::vector<double>& x) {
  const std::size_t rows = a.size() / x.size();
  std::vector<double> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      y[i] += a[i * x.size() + j] * x[j];
    }
  }
  double s = 0;
  for (const double v : y) {
    s += v * v;
  }
  return s;
}

const Matrix3 m1{{{2, 0.5, 1}, {0.3, 3, -0.4}, {1, 0.2, 1.5}}};
const Matrix3 m2{{{1, 0.7, 0.2}, {4, 1, 0.3}, {0.1, -0.6, 2}}};
const Matrix3 m3{{{1.5, -0.2, 0.1}, {0.4, 2.2, 0.9}, {-0.3, 0.8, 2.5}}};

DDX_CHECK_GRADIENT(triple_product, at(m1[0], m1[1]), at(m2[0], m2[1]), at(m3[0], m3[1]))
DDX_CHECK_GRADIENT(matrix_power_trace, at(m1), at(m2), at(m3))
DDX_CHECK_GRADIENT(determinant, at(m1), at(m2), at(m3))
DDX_CHECK_GRADIENT(linear_system, at(m1, m1[0]), at(m2, m1[1]), at(m3, m1[2]))
DDX_CHECK_GRADIENT(cholesky_log_determinant, at(m1), at(m2), at(m3))
DDX_CHECK_GRADIENT(gram_schmidt, at(m1), at(m2), at(m3))
DDX_CHECK_GRADIENT(power_iteration, at(m1, 4), at(m2, 1), at(m3, 0))
DDX_CHECK_GRADIENT(flat_matrix_vector, at(std::vector{1.0, 2.0, 3.0, 4.0}, std::vector{0.5, -1.0}),
                   at(std::vector{1.0, 2.0, 3.0}, std::vector{0.5}),
                   at(std::vector{1.0, 0.3, 3.0, 4.0, -1.0, 0.2}, std::vector{0.5, 2.0, -0.7}))

}  // namespace
