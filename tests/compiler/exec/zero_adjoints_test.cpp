// What the reverse sweep leaves out because the adjoints that it depends on are zero: a branch
// replaced what was computed, or control left before it was used. Each beside one where something
// else was made of it.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace {

using Vector = std::vector<double>;

const Vector four{0.7, -1.2, 0.4, 1.5};
const Vector one{0.9};
const Vector six{0.3, 1.1, -0.8, 0.6, 1.4, -0.5};

double product(const Vector& v, double s) {
  for (const double x : v) {
    s += x * s;
  }
  return s;
}

// --- replaced by a constant

double clipped_rows(const Vector& v, const Vector& x) {
  double total = 0;
  for (std::size_t o = 0; o < x.size(); ++o) {
    double sum = x[o];
    for (std::size_t i = 0; i < v.size(); ++i) {
      sum += v[i] * x[(i + o) % x.size()];
    }
    if (sum < 0) {
      sum = 0;
    }
    total += sum * sum * v[0];
  }
  return total;
}

double two_sums(const Vector& v, double limit) {
  double s = 0;
  double t = 0;
  for (const double x : v) {
    s += x * x;
    t += s * x;
  }
  if (s > limit) {
    s = 1;
  }
  return s * t;
}

double two_replaced(const Vector& v, double limit) {
  double s = 0;
  double t = 1;
  for (const double x : v) {
    s += x * t;
    t *= x;
  }
  if (s > limit) {
    s = 1;
    t = 2;
  }
  return s * t * v[0];
}

double value_from_before(const Vector& v, double limit) {
  const double q = product(v, 1.5);
  double s = product(v, v[0]);
  if (s > limit) {
    s = 0;
  }
  return s * s + q;
}

double replaced_by_another(const Vector& v, double limit) {
  double s = product(v, v[0]);
  if (s > limit) {
    s = v[0] * v[0];
  }
  return s * v[0];
}

double replaced_in_one_arm(const Vector& v, double limit) {
  double s = product(v, v[0]);
  if (s > limit) {
    s = 2;
  } else {
    s *= s;
  }
  return s * v[0];
}

double replaced_and_counted(const Vector& v, double limit) {
  double s = product(v, v[0]);
  double kept = 0;
  if (s > limit) {
    kept += s;
    s = 2;
  }
  return s * v[0] + kept;
}

/// The same object, replaced, reconstructed and replaced again.
double replaced_twice(const Vector& v, double limit) {
  double s = product(v, v[0]);
  if (s > limit) {
    s = 2;
  }
  for (const double x : v) {
    s += x * s;
  }
  if (s < 0) {
    s = 0.5;
  }
  return s * s;
}

double element_replaced(const Vector& v, double limit) {
  double s[2] = {v[0], 1};
  for (const double x : v) {
    s[0] += x * s[1];
    s[1] *= x;
  }
  if (s[0] > limit) {
    s[0] = 2;
  }
  return s[0] * s[1];
}

void scale(Vector& v, double by) {
  for (double& x : v) {
    x *= by;
  }
}

double others_written_too(const Vector& v, double limit) {
  Vector w = v;
  double s = 1;
  for (double& x : w) {
    s += x;
    x *= s;
  }
  scale(w, s);
  if (s > limit) {
    s = 3;
  }
  return s * w[0] * w[0];
}

// --- left before it was used

double left_by_return(const Vector& v, double x) {
  for (int k = 0; k < 20; ++k) {
    double p = v[0];
    double slope = 0;
    for (const double c : v) {
      slope = slope * x + p;
      p = p * x + c;
    }
    if (std::fabs(p) > 3) {
      return x * (1 + 0.1 * k);
    }
    x += 0.1 * p + 0.01 * slope;
  }
  return x;
}

double left_with_what_was_made(const Vector& v, double x) {
  for (int k = 0; k < 20; ++k) {
    double p = v[0];
    for (const double c : v) {
      p = p * x + c;
    }
    if (std::fabs(p) > 3) {
      return x * p;
    }
    x += 0.1 * p;
  }
  return x;
}

double skipped(const Vector& v, const Vector& x) {
  double total = 0;
  for (std::size_t o = 0; o < x.size(); ++o) {
    double sum = x[o];
    Vector seen;
    for (const double c : v) {
      seen.push_back(c * x[o]);
      sum += seen.back() * c;
    }
    total *= 1.5;
    if (sum < 0) {
      continue;
    }
    if (sum > 5) {
      total += x[o];
      break;
    }
    total += sum * seen[0];
  }
  return total;
}

double left_twice_in_a_row(const Vector& v, double limit) {
  double total = 0;
  for (const double x : v) {
    Vector w;
    double sum = x;
    for (const double y : v) {
      w.push_back(x * y);
      sum += w.back() * x;
    }
    if (sum < 0) {
      total -= w[0];
      continue;
    }
    w.clear();
    for (const double y : v) {
      w.push_back(sum * y);
    }
    if (sum > limit) {
      total += sum;
      continue;
    }
    total += w[0] * w.back();
  }
  return total;
}

struct Held {
  double a = 0;
  double b = 0;
  std::vector<double> w;
};

double chosen_object_in_an_inner_loop(double x) {
  double a = x, b = 0.2;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      double& r = a < b ? a : b;
      r += std::sin(x) * 0.3;
    }
    if (a > -5)
      break;
  }
  return a * b;
}

double memory_and_return(double x) {
  auto m = std::make_unique<Held>();
  m->b = x;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) m->a += std::sin(m->b * k);
    if (m->b > -0.8)
      return m->a;
  }
  return m->a * 2;
}

double memory_and_continue(double x) {
  auto m = std::make_unique<Held>();
  m->b = x;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) m->a += std::sin(m->b * k);
    if (m->b > -0.8)
      continue;
    m->a *= 2;
  }
  return m->a;
}

double vector_in_memory(double x) {
  auto m = std::make_unique<Held>();
  m->w.assign(3, x);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k)
      m->w[static_cast<std::size_t>(k)] += std::sin(x * m->w[static_cast<std::size_t>(2 - k)]);
    if (x > -0.8)
      break;
  }
  return m->w[0] * m->w[1] + m->w[2];
}

double map_and_break(double x) {
  std::map<int, double> m;
  m[1] = x;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) m[k] += std::sin(x * m[1]);
    if (x > -0.8)
      break;
  }
  return m[0] * m[1] + m[2];
}

double walking_pointer(double x) {
  double v[4] = {x, 0.1, 0.2, 0.3};
  for (int i = 0; i < 3; ++i) {
    double* p = v;
    for (int k = 0; k < 3; ++k) {
      *(p + 1) += std::sin(*p);
      ++p;
    }
    if (x > -0.8)
      break;
  }
  return v[3] * v[2];
}

double closure_with_a_loop(double x) {
  double a = 0.3;
  auto add = [&](double z) {
    for (int k = 0; k < 2; ++k) a += std::sin(z * a);
  };
  for (int i = 0; i < 3; ++i) {
    add(x);
    if (x > -0.8)
      break;
  }
  return a;
}

double stored_closure(double x) {
  double a = 0.3;
  std::function<void(double)> add = [&](double z) { a += std::sin(z * a); };
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 2; ++k) add(x);
    if (x > -0.8)
      break;
  }
  return a;
}

double chosen_vector(double x) {
  std::vector<double> u{x, 0.2}, v{0.1, x * x};
  for (int i = 0; i < 3; ++i) {
    std::vector<double>& r = x > 0.5 ? u : v;
    for (int k = 0; k < 2; ++k)
      r[static_cast<std::size_t>(k)] += std::sin(x * r[static_cast<std::size_t>(1 - k)]);
    if (x > -0.8)
      break;
  }
  return u[0] * v[0] + u[1] - v[1];
}

double pointer_in_an_inner_loop(double x) {
  Held n;
  n.a = 0.2;
  Held* p = &n;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 2; ++k) {
      Held* q = p;
      q->a += std::sin(x * q->a);
    }
    if (x > -0.8)
      break;
  }
  return n.a;
}

double deque_grown_in_an_inner_loop(double x) {
  std::deque<double> d{x, 0.2};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 2; ++k) {
      d.push_back(std::sin(d.back() * d.front()));
    }
    if (x > -0.8)
      break;
  }
  return d.back() * d[1];
}

double memory_replaced_by_what_was_found(double x) {
  auto m = std::make_shared<double>(x);
  double s = 0.1;
  for (int i = 0; i < 3; ++i) {
    double t = 0;
    for (int k = 0; k < 3; ++k) t += std::sin(*m * k);
    if (t > 0.01) {
      *m = t;
      break;
    }
    s += t;
  }
  return s + *m;
}

double memory_and_a_sum_set_to_zero(double x) {
  auto m = std::make_unique<Held>();
  m->b = x;
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    double t = 0;
    for (int k = 0; k < 3; ++k) {
      m->a += std::sin(m->b);
      t += m->a * k;
    }
    if (i == 2)
      t = 0;
    s += t;
  }
  return s;
}

double chosen_object_and_a_sum_set_to_a_constant(double x) {
  double a = x, b = 0.2, s = 0;
  for (int i = 0; i < 4; ++i) {
    double t = 0;
    for (int k = 0; k < 3; ++k) {
      double& r = k % 2 ? a : b;
      r += std::sin(r) * 0.1;
      t += r;
    }
    if (t > 1.5) {
      t = 1.5;
    }
    s += t * i;
  }
  return s + a;
}

}  // namespace

DDX_CHECK_GRADIENT(clipped_rows, at(four, four), at(one, six), at(six, four))
DDX_CHECK_GRADIENT(two_sums, at(four, 1.0), at(four, 100.0), at(six, 2.0))
DDX_CHECK_GRADIENT(two_replaced, at(four, -100.0), at(four, 100.0), at(six, -100.0))
DDX_CHECK_GRADIENT(value_from_before, at(four, -100.0), at(four, 100.0), at(six, -100.0))
DDX_CHECK_GRADIENT(replaced_by_another, at(four, -100.0), at(four, 100.0), at(six, -100.0))
DDX_CHECK_GRADIENT(replaced_in_one_arm, at(four, -100.0), at(four, 100.0), at(six, -100.0))
DDX_CHECK_GRADIENT(replaced_and_counted, at(four, -100.0), at(four, 100.0), at(six, -100.0))
DDX_CHECK_GRADIENT(replaced_twice, at(four, -100.0), at(four, 100.0), at(six, -100.0))
DDX_CHECK_GRADIENT(element_replaced, at(four, -100.0), at(four, 100.0), at(six, -100.0))
DDX_CHECK_GRADIENT(others_written_too, at(four, -100.0), at(four, 100.0), at(six, -100.0))
DDX_CHECK_GRADIENT(left_by_return, at(four, 0.3), at(six, -0.2), at(one, 0.5))
DDX_CHECK_GRADIENT(left_with_what_was_made, at(four, 0.3), at(six, -0.2), at(one, 0.5))
DDX_CHECK_GRADIENT(skipped, at(four, four), at(one, six), at(six, four))
DDX_CHECK_GRADIENT(left_twice_in_a_row, at(four, 2.0), at(six, 0.8), at(one, -100.0))
DDX_CHECK_GRADIENT(chosen_object_in_an_inner_loop, at(0.3), at(-1.3), at(2.1), at(-0.6))
DDX_CHECK_GRADIENT(memory_and_return, at(0.3), at(-1.3), at(2.1), at(-0.6))
DDX_CHECK_GRADIENT(memory_and_continue, at(0.3), at(-1.3), at(2.1), at(-0.6))
DDX_CHECK_GRADIENT(vector_in_memory, at(0.3), at(-1.3), at(2.1), at(-0.6))
DDX_CHECK_GRADIENT(map_and_break, at(0.3), at(-1.3), at(2.1), at(-0.6))
DDX_CHECK_GRADIENT(walking_pointer, at(0.3), at(-1.3), at(2.1), at(-0.6))
DDX_CHECK_GRADIENT(closure_with_a_loop, at(0.3), at(-1.3), at(2.1), at(-0.6))
DDX_CHECK_GRADIENT(stored_closure, at(0.3), at(-1.3), at(2.1), at(-0.6))
DDX_CHECK_GRADIENT(chosen_vector, at(0.3), at(-1.3), at(2.1), at(-0.6))
DDX_CHECK_GRADIENT(pointer_in_an_inner_loop, at(0.3), at(-1.3), at(2.1), at(-0.6))
DDX_CHECK_GRADIENT(deque_grown_in_an_inner_loop, at(0.3), at(-1.3), at(2.1), at(-0.6))
DDX_CHECK_GRADIENT(memory_replaced_by_what_was_found, at(0.3), at(-1.3), at(2.1), at(-0.6))
DDX_CHECK_GRADIENT(memory_and_a_sum_set_to_zero, at(0.3), at(-1.3), at(2.1), at(-0.6))
DDX_CHECK_GRADIENT(chosen_object_and_a_sum_set_to_a_constant, at(0.3), at(-1.3), at(2.1), at(-0.6))
