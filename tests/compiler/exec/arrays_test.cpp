#include "gradient_check.h"

#include <array>
#include <cmath>

namespace {

using Vector4 = std::array<double, 4>;

double c_array(double x, double y) {
  double a[4] = {x, y};
  for (int i = 2; i < 4; ++i) {
    a[i] = a[i - 1] * a[i - 2] + i;
  }
  return a[3] - a[2];
}

double matrix_by_hand(double x, double y) {
  double m[2][3] = {{x, y, 1}, {y * y, x, 2}};
  double s = 0;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      m[i][j] *= m[1 - i][j] + j;
      s += m[i][j] * (i + 1);
    }
  }
  return s;
}

double recurrence_in_place(const Vector4& v) {
  Vector4 a = v;
  for (int i = 1; i < 4; ++i) {
    a[i] = a[i - 1] * a[i];
  }
  return a[3] + a[1];
}

double shifted_stencil(const Vector4& v, int sweeps) {
  Vector4 a = v;
  for (int k = 0; k < sweeps; ++k) {
    for (int i = 1; i < 3; ++i) {
      a[i] = 0.25 * a[i - 1] * a[i + 1] + 0.5 * a[i];
    }
  }
  return a[1] * a[2];
}

double dot(const Vector4& a, const Vector4& b) {
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    s += a[i] * b[i];
  }
  return s;
}

double dot_with_itself(const Vector4& a) {
  return dot(a, a) * dot(a, {1, 2, 3, 4});
}

double array_by_value(Vector4 a) {
  a[0] = a[1] * a[2];
  a.back() *= a.front();
  return a[0] + a[3] * a.at(2);
}

double range_for(const Vector4& a) {
  double product = 1;
  for (const double v : a) {
    product *= v + 2;
  }
  return product;
}

double range_for_by_reference(Vector4 a) {
  for (double& v : a) {
    v = v * v + a[0];
  }
  return a[0] * a[1] + a[2] * a[3];
}

double range_for_over_c_array(double x) {
  const double weights[3] = {1, 2, 3};
  double terms[3] = {x, x * x, x * x * x};
  double s = 0;
  int i = 0;
  for (double& t : terms) {
    t *= weights[i++];
    s += t * s + t;
  }
  return s;
}

double computed_index(const Vector4& a, int seed) {
  double s = 1;
  int k = seed;
  for (int i = 0; i < 6; ++i) {
    k = (k * 5 + 3) % 4;
    s += s * a[k];
  }
  return s;
}

/// What the array held before was used: nothing of the filled values may reach it.
double filled_again(double x, double y) {
  std::array<double, 2> a = {x, x * y};
  const double before = a[0] * a[1];
  a.fill(y * y);
  return before + a[0] * a[1] * x;
}

double fill_and_copy(double x, double y) {
  std::array<double, 3> a{};
  a.fill(x);
  auto b = a;
  b[1] *= y;
  a = b;
  a[2] += b[1];
  return a[0] * a[1] * a[2];
}

void normalise(double (&a)[3]) {
  const double length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  for (double& v : a) {
    v /= length;
  }
}

double c_array_parameter(double x, double y) {
  double a[3] = {x, y, 1};
  normalise(a);
  return a[0] + 2 * a[1] * a[2];
}

double array_of_arrays(const std::array<std::array<double, 2>, 2>& m) {
  auto square = m;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      square[i][j] = m[i][0] * m[0][j] + m[i][1] * m[1][j];
    }
  }
  return square[0][0] * square[1][1] - square[0][1];
}

constexpr Vector4 v1{0.5, -1.0, 2.0, 0.25};
constexpr Vector4 v2{1.5, 0.3, -0.4, -1.25};
constexpr Vector4 v3{-0.7, 0.9, 1.1, 0.0};

DDX_CHECK_GRADIENT(c_array, at(-1.5, 1.0), at(0.5, 0.4), at(0.9, -2.0))
DDX_CHECK_GRADIENT(matrix_by_hand, at(-1.5, 1.0), at(0.5, 0.4), at(0.9, -2.0))
DDX_CHECK_GRADIENT(recurrence_in_place, at(v1), at(v2), at(v3))
DDX_CHECK_GRADIENT(shifted_stencil, at(v1, 2), at(v2, 1), at(v3, 0))
DDX_CHECK_GRADIENT(dot_with_itself, at(v1), at(v2), at(v3))
DDX_CHECK_GRADIENT(dot, at(v1, v2), at(v2, v3), at(v3, v3))
DDX_CHECK_GRADIENT(array_by_value, at(v1), at(v2), at(v3))
DDX_CHECK_GRADIENT(range_for, at(v1), at(v2), at(v3))
DDX_CHECK_GRADIENT(range_for_by_reference, at(v1), at(v2), at(v3))
DDX_CHECK_GRADIENT(range_for_over_c_array, at(-1.5), at(0.5), at(0.9))
DDX_CHECK_GRADIENT(computed_index, at(v1, 2), at(v2, 1), at(v3, 0))
DDX_CHECK_GRADIENT(filled_again, at(-1.5, 1.0), at(0.5, 0.4), at(0.9, -2.0))
DDX_CHECK_GRADIENT(fill_and_copy, at(-1.5, 1.0), at(0.5, 0.4), at(0.9, -2.0))
DDX_CHECK_GRADIENT(c_array_parameter, at(-1.5, 1.0), at(0.5, 0.4), at(0.9, -2.0))
DDX_CHECK_GRADIENT(array_of_arrays, at(std::array{std::array{1.0, 2.0}, std::array{0.5, -1.0}}),
                   at(std::array{std::array{0.3, -0.2}, std::array{1.5, 1.0}}),
                   at(std::array{std::array{2.0, 0.0}, std::array{0.1, 0.7}}))

}  // namespace
