#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

namespace {

double sum_of_squares(const double* p, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += p[i] * p[i];
  }
  return s;
}

double pointer_to_local(double x) {
  double a = x;
  double* p = &a;
  *p *= x;
  return a * *p;
}

double pointer_arithmetic(double x) {
  double a[3] = {x, x * x, 1};
  double* p = a + 1;
  p[1] = *p * *(p - 1);
  return a[2];
}

void scale(double* p, int n, double by) {
  for (int i = 0; i < n; ++i) {
    p[i] *= by;
  }
}

double pointer_to_slice(double x) {
  double a[3] = {x, 2 * x, 1};
  scale(a + 1, 2, x);
  return a[0] * a[1] * a[2];
}

double pointers_to_const(double x) {
  double a[3] = {x, 2 * x, 1};
  return sum_of_squares(a, 3) * sum_of_squares(&a[1], 2);
}

double pointer_into_vector(double x) {
  std::vector<double> v{x, x * x, 3};
  return sum_of_squares(&v[1], 2);
}

double reference_to_row(double x) {
  double m[2][2] = {{x, 1}, {2, x * x}};
  double(&r)[2] = m[1];
  r[0] *= x;
  return m[1][0] * r[1];
}

double trace(const double m[][2]) {
  return m[0][0] * m[1][1];
}

double parameter_of_rows(double x) {
  double m[2][2] = {{x, 1}, {2, x * x}};
  return trace(m);
}

double data_of_vector(double x) {
  std::vector<double> v{x, x * x};
  double* p = v.data();
  p[0] *= 2;
  return p[0] * v[1];
}

double data_of_array(double x) {
  std::array<double, 2> a{x, 1};
  double* p = a.data();
  p[1] = x * x;
  return a[0] * a[1];
}

double const_removed(double x) {
  const double c = 3;
  double a = x;
  const double& r = a;
  const_cast<double&>(r) *= x;
  return a + c;
}

const double& same(const double& v) {
  return v;
}

double identity_by_reference(double x) {
  double a = x;
  const double& r = same(a);
  a *= 2;
  return r * r;
}

double& element(double (&a)[3], int i) {
  return a[i];
}

double reference_to_element(double x) {
  double a[3] = {x, x * x, 1};
  element(a, 1) *= x;
  return a[1];
}

double& pick(double (&a)[3], double x) {
  const int i = x > 1.5 ? 1 : 0;
  return a[i];
}

double reference_to_chosen_element(double x) {
  double a[3] = {x, x * x, 1};
  pick(a, x) *= x;
  return a[0] * a[1];
}

void adjust(double& y, const double* factor, double* slope = nullptr) {
  y *= 3;
  if (factor) {
    y *= *factor;
  }
  if (slope != nullptr) {
    *slope = y * y;
    y += *slope;
  }
}

struct Adjusted {
  double v;
  Adjusted(double a, const double* factor) : v(a) {
    v *= a;
    if (factor) {
      v *= *factor;
    }
  }
};

// Optional arguments: nothing is behind those that are null, and the calls are made all the same.
double null_pointers(double x) {
  double y = x;
  adjust(y, nullptr);
  adjust(y, &x, static_cast<double*>(0));
  double slope = 2;
  adjust(y, nullptr, &slope);
  const Adjusted without(y, nullptr);
  const Adjusted with(y, &slope);
  return without.v * x + with.v;
}

// What a pointer points to, bound to references.
double pair_of_what_is_pointed_to(double x) {
  const double a[] = {x * x, 3.0 * x};
  double product = 1.0;
  for (const double* p = a; p != a + 2; ++p) {
    const std::pair<double, double> both{*p, x};
    const auto [first, second] = std::make_tuple(*p, both.second);
    product *= first * second;
  }
  return product;
}

DDX_CHECK_GRADIENT(null_pointers, at(1.3), at(-0.6), at(0.7))
DDX_CHECK_GRADIENT(pair_of_what_is_pointed_to, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(pointer_to_local, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(pointer_arithmetic, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(pointer_to_slice, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(pointers_to_const, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(pointer_into_vector, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(reference_to_row, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(parameter_of_rows, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(data_of_vector, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(data_of_array, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(const_removed, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(identity_by_reference, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(reference_to_element, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(reference_to_chosen_element, at(1.3), at(2.2), at(0.7))

}  // namespace
