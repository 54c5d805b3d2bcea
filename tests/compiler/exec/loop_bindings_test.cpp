// Structured bindings in the header of a loop over a range.

#include "gradient_check.h"

#include <array>
#include <cstddef>
#include <vector>

namespace {

struct Hit {
  double t = 0;
  int id = -1;
};

double indices(double x) {
  const std::vector<std::array<int, 2>> edges{{0, 1}, {1, 0}};
  const double y[] = {x, x * x};
  double s = 0;
  for (const auto& [i, j] : edges) {
    s = s * y[i] + y[j];
  }
  return s;
}

double arrays_by_reference(double x) {
  std::array<std::array<double, 2>, 2> v{{{x, 1}, {2, x}}};
  double s = 0;
  for (auto& [a, b] : v) {
    a *= b;
    s = s * x + a * b;
  }
  return s * v[1][0];
}

double arrays_by_value(double x) {
  const std::vector<std::array<double, 2>> v{{{x, 1}, {2, x}}};
  double s = 0;
  for (auto [a, b] : v) {
    a *= b;
    s = s * x + a * b;
  }
  return s * v[1][0];
}

double plain_arrays(double x) {
  double a[2][2] = {{x, 1}, {2, x * x}};
  double s = 0;
  for (auto& [p, q] : a) {
    p *= q;
    s = s * x + p;
  }
  return s * a[1][0];
}

double members(double x) {
  std::array<Hit, 2> v{{{x, 1}, {x * x, 2}}};
  double s = 0;
  for (auto [t, id] : v) {
    t *= x;
    s = s * x + t * id;
  }
  for (auto& [t, id] : v) {
    t += s;
  }
  return v[0].t * v[1].t;
}

DDX_CHECK_GRADIENT(indices, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(arrays_by_reference, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(arrays_by_value, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(plain_arrays, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(members, at(0.7), at(1.3), at(0.4))

}  // namespace
