/// Algorithms that take elements out, part them and merge them; whole sequences that are exchanged.

#include "gradient_check.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace {

using Vector = std::vector<double>;

double folded(const Vector& v, double x) {
  double s = 1;
  for (double e : v) s = s * x + e * e;
  return s;
}

double unique_elements(double x) {
  Vector v{x, x, x * x, 3 * x, 3 * x, x};
  v.erase(std::unique(v.begin(), v.end()), v.end());
  return folded(v, x) * static_cast<double>(v.size());
}

double unique_within(double x) {
  const Vector v{x, x + 0.01, x * x + 4, 3 * x + 9, 3 * x + 9.02, x};
  Vector w(v.size());
  const auto end = std::unique_copy(v.begin(), v.end(), w.begin(),
                                    [](double a, double b) { return b - a < 0.1 && a - b < 0.1; });
  w.erase(end, w.end());
  return folded(w, x);
}

double erased(double x) {
  Vector v{x, -1, x * x, -3 * x * x, 2 * x};
  const auto gone = std::erase_if(v, [](double e) { return e < 0; });
  std::erase_if(v, [&](double e) { return e > 100; });
  return folded(v, x) * static_cast<double>(gone);
}

double parted(double x) {
  Vector v{x, -1, x * x, -3 * x * x, 2 * x, -x * x};
  const auto middle = std::partition(v.begin(), v.end(), [](double e) { return e > 0; });
  return folded(v, x) * *middle;
}

double parted_in_order(double x) {
  Vector v{-1, x, x * x, -3 * x * x, 2 * x, -x * x};
  std::stable_partition(v.begin(), v.end(), [](double e) { return e < 0; });
  return folded(v, x);
}

double merged(double x) {
  const Vector a{x, 2 * x, 9 * x}, b{0.1 * x, 3 * x};
  Vector c(5);
  std::merge(a.begin(), a.end(), b.begin(), b.end(), c.begin());
  Vector d(5);
  std::merge(a.rbegin(), a.rend(), b.rbegin(), b.rend(), d.begin(),
             [](double l, double r) { return l > r; });
  return folded(c, x) * folded(d, x);
}

double first_elements(double x) {
  const Vector v{x, 2 * x, x * x};
  double s = 0;
  std::for_each_n(v.begin(), 2, [&](double e) { s = s * x + e * e; });
  return s;
}

double emptied_by_braces(double x) {
  Vector v{x, x * x};
  double s = v[1];
  v = {};
  s += static_cast<double>(v.size());
  v.push_back(x * s);
  return s * v[0];
}

// --- Exchanged as a whole: in time that does not depend on their lengths.

double exchanged_in_a_loop(double x) {
  Vector u{x, x * x, 1}, w(3);
  for (int t = 0; t < 4; ++t) {
    for (std::size_t i = 0; i < 3; ++i) w[i] = u[i] * x + u[(i + 1) % 3];
    std::swap(u, w);
  }
  return folded(u, x) + w[2];
}

double of_different_lengths(double x) {
  Vector u{x, x * x, 1}, w{3 * x};
  for (int t = 0; t < 3; ++t) {
    u.swap(w);
    u.push_back(w[0] * x);
    if (t == 1)
      std::swap(u, w);
  }
  return folded(u, x) - folded(w, x) * static_cast<double>(u.size());
}

double with_itself(double x) {
  Vector u{x, x * x};
  std::swap(u, u);
  return folded(u, x);
}

double rows(double x) {
  std::vector<Vector> m{{x, 1}, {x * x}, {2, 3 * x, x}};
  std::swap(m[0], m[2]);
  std::swap(m[1], m[0]);
  std::vector<Vector> n{{x}};
  std::swap(m, n);
  return folded(n[0], x) + folded(n[1], x) * n[2][0] * m[0][0];
}

double deques(double x) {
  std::deque<double> a{x, x * x}, b{3 * x};
  std::swap(a, b);
  a.push_front(b[1]);
  return a[0] * a[1] + b[0];
}

double one_depends_on_nothing(double x) {
  Vector u{x, x * x}, w{2, 3, 4};
  std::swap(u, w);
  u[0] *= x;
  return folded(u, 2) * folded(w, x);
}

}  // namespace

DDX_CHECK_GRADIENT(unique_elements, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(unique_within, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(erased, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(parted, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(parted_in_order, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(merged, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(first_elements, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(emptied_by_braces, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(exchanged_in_a_loop, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(of_different_lengths, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(with_itself, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(rows, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(deques, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(one_depends_on_nothing, at(0.83), at(1.1), at(0.37))
