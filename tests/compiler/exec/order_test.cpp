#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <vector>

namespace {

double index_with_effect(double x) {
  double a[3] = {x, x * x, 2};
  int i = 0;
  double s = a[i++];
  s *= a[i++];
  s += a[i];
  a[i--] = s;
  return a[2] * a[i];
}

double index_changed_in_body(double x) {
  double s = x;
  for (int i = 0; i < 6; ++i) {
    if (i == 2)
      i += 2;
    s = s * 1.1 + x * i;
  }
  return s;
}

double bound_changed_in_body(double x) {
  int n = 3;
  double s = x;
  for (int i = 0; i < n; ++i) {
    if (i == 1)
      n = 5;
    s *= x;
  }
  return s;
}

double several_loop_variables(double x) {
  double s = x;
  int i, j;
  for (i = 0, j = 5; i < j; i++, j--) s += i * x * s;
  return s;
}

double assigned_to_itself(double x) {
  double a = x;
  a = 2 * a;
  a += a;
  a -= a * a;
  return a;
}

double elements_scaled_by_the_first(double x) {
  std::vector<double> v{x, x * x, 3};
  for (auto& e : v) e *= v[0];
  return v[0] + v[1] * v[2];
}

double return_from_range_for(double x) {
  std::vector<double> v{x, x * x};
  for (double e : v)
    if (e > 2)
      return e * v[0];
  return v[1];
}

double partly_initialised_array(double x) {
  double a[4] = {x};
  a[2] += a[0];
  return a[2] * a[0] + a[3];
}

double array_from_lambda(double x) {
  std::array<double, 3> a = [&] {
    std::array<double, 3> r{};
    for (int i = 0; i < 3; ++i) r[i] = x * i;
    return r;
  }();
  return a[1] * a[2];
}

double lambda_calls_itself(double x) {
  auto g = [](auto self, double v, int n) -> double {
    return n == 0 ? v : v * self(self, v, n - 1);
  };
  return g(g, x, 3);
}

double captures_copied_by_default(double x) {
  double a = x;
  auto f = [=]() mutable {
    a *= x;
    return a;
  };
  double r = f();
  return r * a + f();
}

double condition_of_a_number(double x) {
  double s = x;
  if (x != 0)
    s *= x;
  return x == 0 ? 0 : s;
}

double doubled(double& v) {
  v *= 2;
  return v * v * 0.2;
}

// The references are bound before, and read after the other argument has changed their object.
double argument_changed_by_another(double x) {
  double y = x;
  const double larger = std::max(y, doubled(y));
  return std::clamp(y, doubled(y) - 7, 30.0) * larger + y;
}

double least_of_changing_elements(double x) {
  std::vector<double> v{x, x * x, 3};
  for (int i = 0; i < 3; ++i) {
    v[i] = 0.5 * x + std::min(std::min(v[0], v[1]), v[2]);
  }
  return v[0] * v[1] + v[2];
}

DDX_CHECK_GRADIENT(argument_changed_by_another, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(least_of_changing_elements, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(index_with_effect, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(index_changed_in_body, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(bound_changed_in_body, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(several_loop_variables, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(assigned_to_itself, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(elements_scaled_by_the_first, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(return_from_range_for, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(partly_initialised_array, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(array_from_lambda, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(lambda_calls_itself, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(captures_copied_by_default, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(condition_of_a_number, at(1.3), at(2.2), at(0.7))

}  // namespace
