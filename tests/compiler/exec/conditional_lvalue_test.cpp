#include "gradient_check.h"

namespace {

double conditional_lvalue(double x, double y, bool first) {
  double a = x;
  double b = y * y;
  (first ? a : b) *= 3 * x;
  return a * b;
}

double nested_arms(double x, double y) {
  double a = x;
  double b = y;
  a = x > 1 ? (y > 1 ? a : b) : y;
  return a * (x < 0 ? b : y < 0 ? x : a);
}

struct Vector {
  double x;
  double y;
  double z;
  double& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
  const double& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  double& at(int i) {
    if (i > 2) {
      throw i;
    }
    return i == 0 ? x : i == 1 ? y : z;
  }
};

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

double& pick(double& a, double& b, bool first) {
  return first ? a : b;
}

// Members by number, and one of two variables, through functions that return references.
double returned_references(double x, double y) {
  Vector a{x, y, 1};
  Vector b{2, x * y, y};
  for (int i = 0; i < 3; ++i) {
    a[i] *= b[(i + 1) % 3];
    b[i] += a[i] * a[i];
    a[i] = a[i] + b[2 - i] * x;
    a.at(i) -= 0.1;
  }
  double u = x;
  double v = y;
  for (int k = 0; k < 4; ++k) {
    pick(u, v, k % 2 == 0) *= 1.1 + u;
    pick(u, v, k > 1) += v;
  }
  Vector c = a;
  c[1] = 2 * y;
  const double w = c[2];
  return dot(a, b) + u * v + dot(c, a) * w;
}

DDX_CHECK_GRADIENT(returned_references, at(0.4, 0.7), at(-0.5, -1.0), at(1.1, 0.3))
DDX_CHECK_GRADIENT(conditional_lvalue, at(1.7, 2.0, true), at(-0.5, -1.0, false),
                   at(1.6, 0.3, true))
DDX_CHECK_GRADIENT(nested_arms, at(1.7, 2.0), at(-0.5, -1.0), at(1.6, 0.3), at(0.6, -0.3))

}  // namespace
