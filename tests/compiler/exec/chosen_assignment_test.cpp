// Objects assigned from one of two, by a condition.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

struct Hit {
  double t = 0;
  int id = -1;
};
struct Track {
  double t = 0;
  std::vector<double> v;
  Track() = default;
  explicit Track(double a) : t(a), v{a, a * a} {}
};

double best_so_far(double x) {
  Hit best;
  for (int i = 0; i < 4; ++i) {
    const Hit h{std::sin(i * x), i};
    best = h.t > best.t ? h : best;
  }
  return best.t * best.t + best.id;
}

double vectors(double x) {
  std::vector<double> a{x, 2};
  const std::vector<double> b{1, x};
  std::vector<double> c;
  c = x < 1 ? a : b;
  a[0] = 5;
  return c[0] * c[1];
}

double arrays_in_a_loop(double x) {
  std::array<double, 2> a{x, 2};
  const std::array<double, 2> b{1, x * x};
  std::array<double, 2> c{};
  for (int i = 0; i < 4; ++i) {
    c = i % 2 ? a : b;
    a[0] += c[1];
  }
  return c[0] * c[1] + a[0];
}

double pairs(double x) {
  std::pair<double, int> best{0, 0};
  for (int i = 1; i < 4; ++i) {
    const std::pair<double, int> c{std::sin(x * i * 2), i};
    best = c.first > best.first ? c : best;
  }
  return best.first * best.second;
}

double classes(double x) {
  Track a(x);
  const Track b(x * x);
  Track c;
  c = a.t > b.t ? a : b;
  c.v[1] *= x;
  a = c;
  return a.v[1] + a.v[0] * b.t;
}

double elements(double x) {
  const Hit h[3] = {{x, 1}, {x * x, 2}, {0.6, 3}};
  Hit b = h[0];
  for (int i = 1; i < 3; ++i) {
    b = h[i].t < b.t ? h[i] : b;
  }
  return b.t * b.id * x;
}

double chained(double x) {
  const std::vector<double> a{x, 2};
  const std::vector<double> b{1, x};
  std::vector<double> c;
  std::vector<double> d;
  d = c = x < 1 ? a : b;
  return c[0] * d[1];
}

DDX_CHECK_GRADIENT(best_so_far, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(vectors, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(arrays_in_a_loop, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(pairs, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(classes, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(elements, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(chained, at(0.7), at(1.3), at(0.4))

}  // namespace
