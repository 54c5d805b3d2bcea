// Pointers that are swapped or selected at run time: which of several known targets each has
// depends on conditions and on how often a loop ran.

#include "gradient_check.h"

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace {

struct Point {
  double a, b;
};

double by_a_third_pointer(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  for (int i = 0; i < 3; ++i) {
    p[0] += q[1] * x;
    double* t = p;
    p = q;
    q = t;
  }
  return p[0] * q[0];
}

double into_vectors(double x) {
  std::vector<double> a{x, x * x}, b{3 * x, x};
  double *p = a.data(), *q = b.data();
  for (int i = 0; i < 3; ++i) {
    p[0] += q[1] * x;
    double* t = p;
    p = q;
    q = t;
  }
  return p[0] * q[0];
}

double by_swap(double x) {
  std::vector<double> a{x, x * x}, b{3 * x, x};
  double *p = a.data(), *q = b.data();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) p[j] += q[1 - j] * x;
    std::swap(p, q);
  }
  return a[0] * b[0];
}

double to_vectors(double x) {
  std::vector<double> a{x, x * x}, b{3 * x, x};
  std::vector<double>*p = &a, *q = &b;
  for (int i = 0; i < 3; ++i) {
    (*p)[0] += (*q)[1] * x;
    std::swap(p, q);
  }
  return (*p)[0] * b[0];
}

double to_numbers(double x) {
  double a = x, b = x * x;
  double* p = &a;
  double* q = &b;
  for (int i = 0; i < 3; ++i) {
    *p += *q * x;
    std::swap(p, q);
  }
  return a * b;
}

void step(const double* u, double* w, int n, double k) {
  for (int i = 0; i < n; ++i) w[i] = u[i] + k * (u[(i + 1) % n] - u[i] * u[i]);
}

double double_buffer(double x) {
  double a[3] = {x, x * x, 1}, b[3];
  double *u = a, *w = b;
  for (int t = 0; t < 5; ++t) {
    step(u, w, 3, x);
    std::swap(u, w);
  }
  double s = 0;
  for (int i = 0; i < 3; ++i) s += u[i] * (i + 1);
  return s;
}

double run(double* u, double* w, int n, int steps, double k) {
  for (int t = 0; t < steps; ++t) {
    step(u, w, n, k);
    std::swap(u, w);
  }
  return u[0] * u[1];
}

double parameters(double x) {
  double a[3] = {x, x * x, 1}, b[3] = {};
  return run(a, b, 3, 3, x) + a[2] * b[1];
}

double three_rotated(double x) {
  double p0[2] = {x, 1}, p1[2] = {x * x, x}, p2[2] = {};
  double *prev = p0, *cur = p1, *next = p2;
  for (int t = 0; t < 4; ++t) {
    for (int i = 0; i < 2; ++i) next[i] = 2 * cur[i] - prev[i] + x * cur[1 - i];
    double* t3 = prev;
    prev = cur;
    cur = next;
    next = t3;
  }
  return cur[0] * cur[1] + prev[0];
}

double three_swapped(double x) {
  double p0[2] = {x, 1}, p1[2] = {x * x, x}, p2[2] = {};
  double *prev = p0, *cur = p1, *next = p2;
  for (int t = 0; t < 4; ++t) {
    for (int i = 0; i < 2; ++i) next[i] = 2 * cur[i] - prev[i] + x * cur[1 - i];
    std::swap(prev, cur);
    std::swap(cur, next);
  }
  return cur[0] * cur[1] + prev[0];
}

double condition_names_them(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  for (int i = 0; i < 4; ++i) {
    q[0] = p[0] * x + p[1];
    q[1] = p[1] - i;
    if (q[0] > p[0])
      std::swap(p, q);
  }
  return p[0] * q[1] + p[1];
}

double in_a_row(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  std::swap(p, q);
  p[0] *= x;
  std::swap(p, q);
  return p[0] * b[0] + q[1];
}

double left_early(double x) {
  std::vector<double> a{x, x * x, 1}, b(3);
  double *u = a.data(), *w = b.data();
  int t = 0;
  while (t < 4) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      w[i] = u[i] * x + u[(i + 1) % 3];
      sum += w[i];
    }
    if (sum > 100)
      break;
    double inv = 1 / sum;
    for (int i = 0; i < 3; ++i) w[i] *= inv;
    std::swap(u, w);
    ++t;
  }
  return u[0] * w[1];
}

double two_pairs(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x}, c[2] = {1, x}, d[2] = {x, 2};
  double *p = a, *q = b, *r = c, *s = d;
  for (int i = 0; i < 3; ++i) {
    q[0] = p[0] * x;
    s[1] = r[0] + q[0];
    std::swap(p, q);
    std::swap(r, s);
  }
  return p[0] * q[1] * r[0] * s[1];
}

double value_from_before(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    double old = p[0];
    std::swap(p, q);
    s += old * p[0] * i;
  }
  return s;
}

double continued_and_returned(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    if (i == 1) {
      std::swap(p, q);
      continue;
    }
    if (i == 2)
      return p[0] * s;
    s += p[0];
  }
  return s;
}

double copy_that_stays(double x) {
  double a[3] = {x, x * x, 1}, b[3] = {};
  double *u = a, *w = b;
  const double* r = u;
  for (int t = 0; t < 3; ++t) {
    step(u, w, 3, x);
    std::swap(u, w);
  }
  return r[0] * u[0];
}

double third_is_used(double x) {
  double a[3] = {x, x * x, 1}, b[3] = {};
  double *u = a, *w = b;
  for (int t = 0; t < 3; ++t) {
    for (int i = 0; i < 3; ++i) w[i] = u[i] * x;
    double* k = u;
    u = w;
    w = k;
    k[0] += x;
  }
  return u[0] * w[0];
}

double to_objects(double x) {
  Point a{x, 1}, b{x * x, x};
  Point *p = &a, *q = &b;
  for (int t = 0; t < 3; ++t) {
    p->a += q->b * x;
    std::swap(p, q);
  }
  return p->a * q->a;
}

double in_some_branches(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    double e = 0;
    for (int j = 0; j < 2; ++j) {
      q[j] = p[1 - j] * x + 0.1 * i * p[j];
      e += q[j] * q[j];
    }
    if (e > p[0]) {
      std::swap(p, q);
      best += e;
    } else if (q[0] < 0.1) {
      p[0] *= 2;
      std::swap(p, q);
    } else
      best -= q[1];
  }
  return best * p[0];
}

double reference_from_before(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  for (int i = 0; i < 3; ++i) {
    const double old = p[0];
    const double& r = q[1];
    std::swap(p, q);
    p[0] += old * r;
    if (i == 1) {
      double z = p[1];
      std::swap(p, q);
      p[1] += z;
    }
  }
  return p[0] * q[0] * a[1];
}

double do_loop(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  do {
    p[0] *= 1.5;
    std::swap(p, q);
  } while (a[0] < 3);
  return p[0] * q[0] * a[1];
}

double in_an_inner_scope(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double s = 0;
  for (int k = 0; k < 3; ++k) {
    double *p = a, *q = b;
    for (int i = 0; i < k; ++i) {
      p[0] += q[1] * x;
      std::swap(p, q);
    }
    s += p[0] * (k + 1) + q[1];
  }
  return s;
}

double in_the_inner_loop(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) {
      p[j] += q[1 - j] * x;
      std::swap(p, q);
    }
    q[0] -= p[1];
  }
  return p[0] * q[0];
}

double beside_other_pointers(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  int n = 0;
  int* c = &n;
  for (int i = 0; i < 3; ++i) {
    p[n % 2] += q[1] * x;
    std::swap(p, q);
    ++*c;
  }
  return p[0] * q[0];
}

double captured_before(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  auto g = [p] { return p[0] * 2; };
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    std::swap(p, q);
    s += g() * i * p[1];
    a[0] *= x;
  }
  return s;
}

double captured_in_the_loop(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    std::swap(p, q);
    auto g = [p](double y) { return p[0] * y; };
    s += g(x) * i * p[1];
    a[0] *= x;
  }
  return s;
}

double handed_over(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    std::swap(p, q);
    s += run(p, q, 2, i, x);
  }
  return s;
}

double in_a_lambda(double x) {
  auto sim = [&](double* u, double* w, int n) {
    for (int t = 0; t < n; ++t) {
      for (int i = 0; i < 2; ++i) w[i] = u[1 - i] * x + u[i];
      std::swap(u, w);
    }
    return u[0];
  };
  double a[2] = {x, x * x}, b[2] = {};
  return sim(a, b, 3) * a[1];
}

double compared(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    if (p == a)
      s += p[0];
    std::swap(p, q);
    if (p != a)
      s += q[1] * x;
  }
  return s;
}

double walked_along(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  double *p = a, *q = b;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    for (double* e = p; e != p + 2; ++e) s += *e * (i + 1);
    std::swap(p, q);
  }
  return s;
}

double into_one_array(double x) {
  double a[4] = {x, x * x, 2 * x, 1};
  double *p = a, *q = a + 2;
  for (int i = 0; i < 3; ++i) {
    q[0] = p[0] * x + p[1];
    q[1] = p[1];
    std::swap(p, q);
  }
  return p[0] * q[1] + a[0];
}

double in_a_member(double x) {
  struct S {
    std::vector<double> u, w;
    double step(int n, double k) {
      double* p = u.data();
      double* q = w.data();
      for (int t = 0; t < n; ++t) {
        for (std::size_t i = 0; i < u.size(); ++i) q[i] = p[i] * k + p[(i + 1) % u.size()];
        std::swap(p, q);
      }
      return p[0];
    }
  };
  S s{{x, x * x}, {0, 0}};
  return s.step(3, x) * s.w[0];
}

double to_rows(double x) {
  double g[2][3] = {{x, x * x, 1}, {0, 0, 0}};
  double(*u)[3] = &g[0], (*w)[3] = &g[1];
  for (int t = 0; t < 3; ++t) {
    for (int i = 0; i < 3; ++i) (*w)[i] = (*u)[i] * x;
    std::swap(u, w);
  }
  return (*u)[0];
}

double to_constants(double x) {
  double a[2] = {x, x * x}, b[2] = {3 * x, x};
  const double *p = a, *q = b;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s = s * x + p[0] * q[1];
    std::swap(p, q);
    a[0] += s;
  }
  return s;
}

double to_rows_of_a_vector(double x) {
  std::vector<std::vector<double>> h(2, std::vector<double>(3, x));
  h[1][0] = x * x;
  auto* c = &h[0];
  auto* n = &h[1];
  for (int t = 0; t < 3; ++t) {
    for (int i = 0; i < 3; ++i) (*n)[i] = (*c)[i] * x + (*n)[i];
    std::swap(c, n);
  }
  return (*c)[0] * (*n)[1];
}

double ordered(double x) {
  double a = x, b = x * x;
  double *lo = &a, *hi = &b;
  if (*lo > *hi)
    std::swap(lo, hi);
  return *lo + 2 * *hi * *hi;
}

double again_in_each_iteration(double x) {
  double a[3] = {x, x * x, 1}, b[3] = {};
  double s = 0;
  for (int r = 0; r < 2; ++r) {
    double *u = a, *w = b;
    for (int t = 0; t < r + 2; ++t) {
      step(u, w, 3, x);
      std::swap(u, w);
      s += u[0];
    }
    if (u == b)
      s += w[2];
  }
  return s;
}

}  // namespace

DDX_CHECK_GRADIENT(by_a_third_pointer, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(into_vectors, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(by_swap, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(to_vectors, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(to_numbers, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(double_buffer, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(parameters, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(three_rotated, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(three_swapped, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(condition_names_them, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(in_a_row, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(left_early, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(two_pairs, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(value_from_before, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(continued_and_returned, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(copy_that_stays, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(third_is_used, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(to_objects, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(in_some_branches, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(reference_from_before, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(do_loop, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(in_an_inner_scope, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(in_the_inner_loop, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(beside_other_pointers, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(captured_before, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(captured_in_the_loop, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(handed_over, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(in_a_lambda, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(compared, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(walked_along, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(into_one_array, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(in_a_member, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(to_rows, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(to_constants, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(to_rows_of_a_vector, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(ordered, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(again_in_each_iteration, at(0.83), at(1.1), at(0.37))

// --- Chosen where they are declared.

namespace {

double vector_chosen(double x) {
  std::vector<double> a{x, 3 * x}, b{2 * x, x * x};
  const auto& m = x > 0.5 ? a : b;
  return m[0] * m[1];
}

double vector_chosen_in_a_loop(double x) {
  std::vector<double> a{x, 3 * x}, b{2 * x, x * x};
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    auto& m = i % 2 ? a : b;
    m[0] *= x;
    m.push_back(s + x);
    s += m.back() * m[0];
  }
  return s * a[0] * b[0] + static_cast<double>(a.size());
}

double array_chosen(double x) {
  double a[2] = {x, 3 * x}, b[2] = {2 * x, x * x};
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    double* m = a[0] > b[1] ? a : b;
    m[1] *= x;
    if (i == 1)
      continue;
    s += m[1];
  }
  return s * a[1] * b[1];
}

double one_of_three(double x) {
  double a[2] = {x, 3 * x}, b[2] = {2 * x, x * x}, c[2] = {x, 1};
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    double* const m = i == 0 ? a : i < 3 ? b : c;
    m[0] += m[1] * x;
    if (m[0] > 3)
      return s + m[0];
    s += m[0] * i;
  }
  return s;
}

double map_chosen(double x) {
  std::map<int, double> a{{1, x}}, b{{1, x * x}};
  auto& m = x > 0 ? a : b;
  m[1] *= x;
  m[2] = x;
  return a[1] + b[1] * m[2];
}

double chosen_among_exchanged(double x) {
  double a[2] = {x, 3 * x}, b[2] = {2 * x, x * x};
  double *p = a, *q = b;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    double* m = p[0] > q[0] ? p : q;
    s += m[1] * i;
    std::swap(p, q);
    m[0] *= x;
  }
  return s + a[0] * b[0];
}

double sum(const std::vector<double>& v) {
  double s = 0;
  for (double d : v) s += d * d;
  return s;
}

double best_and_worst(double x) {
  std::vector<std::vector<double>> h{{x, 1}, {x * x, 2}};
  const std::vector<double>& best = h[0][0] > h[1][0] ? h[0] : h[1];
  std::vector<double>& worst = h[0][0] > h[1][0] ? h[1] : h[0];
  worst[0] += best[0] * x;
  return sum(best) * sum(worst) + h[0][0];
}

double chosen_in_a_lambda(double x) {
  auto g = [&](bool first) {
    std::array<double, 2> a{x, 3 * x}, b{2 * x, x * x};
    const auto& m = first ? a : b;
    return m[0] * m[1];
  };
  return g(true) * g(false);
}

double chosen_or_made(double x) {
  std::vector<double> a{x, 3 * x}, b{2 * x, x * x};
  const std::vector<double>& m = x > 0 ? a : std::vector<double>{x};
  return m[0] * m[0];
}

double chosen_and_captured(double x) {
  std::vector<double> a{x, 3 * x}, b{2 * x, x * x};
  auto& m = x > 0.5 ? a : b;
  auto l = [&] { return m[0] * m[1]; };
  m[0] *= 3;
  return l() + a[0];
}

double chosen_and_walked(double x) {
  std::vector<double> a{x, 3 * x}, b{2 * x, x * x};
  const double* p = x > 0.5 ? a.data() : b.data();
  double s = 0;
  for (std::size_t i = 0; i < 2; ++i) s += p[i] * p[i];
  for (const double* e = p; e != p + 2; ++e) s *= *e;
  return s;
}

double two_scopes(double x) {
  double a[2] = {x, 3 * x}, b[2] = {2 * x, x * x};
  double *p = a, *q = b;
  double s = 0;
  {
    double c[2] = {x, 1}, d[2] = {x * x, 2};
    double *r = c, *t = d;
    for (int i = 0; i < 3; ++i) {
      std::swap(r, t);
      double old = r[0];
      if (i != 1)
        std::swap(p, q);
      s += old * p[1] * i;
      t[0] += q[0];
    }
    std::swap(r, t);
    std::swap(p, q);
    s += r[0] * p[0] * x;
  }
  return s * q[1];
}

double chosen_then_exchanged(double x) {
  double a[2] = {x, 3 * x}, b[2] = {2 * x, x * x};
  double *p = a, *q = b;
  double s = 0;
  double* m = x > 0.5 ? p : q;
  s += m[1];
  std::swap(p, q);
  m[0] *= x;
  s += p[0];
  if (x > 0.6) {
    std::swap(p, q);
    s *= p[1];
  }
  s += m[0];
  return s + p[0] * b[0];
}

double exchanged_by_what_was_chosen(double x) {
  double a[2] = {x, 3 * x}, b[2] = {2 * x, x * x};
  double *p = a, *q = b;
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    const double* m = p[0] > q[0] ? p : q;
    if (m[1] > 2 * x)
      std::swap(p, q);
    else
      s -= m[0];
    p[1] *= 1.1;
    s += m[1] * p[0];
  }
  return s;
}

}  // namespace

DDX_CHECK_GRADIENT(vector_chosen, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(vector_chosen_in_a_loop, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(array_chosen, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(one_of_three, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(map_chosen, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(chosen_among_exchanged, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(best_and_worst, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(chosen_in_a_lambda, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(chosen_or_made, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(chosen_and_captured, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(chosen_and_walked, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(two_scopes, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(chosen_then_exchanged, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(exchanged_by_what_was_chosen, at(0.83), at(1.1), at(0.37))
