/// \file
/// Values overwritten, named twice or reached through references and pointers.

#include "gradient_check.h"

#include <cmath>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {
namespace program_effects_in_conditions {
double effects_in_conditions(double x) {
  double y = x;
  int n = 0;
  if (((n++, y *= 2, y > 0) && (y *= x) > 1) || (y += 3) > 0)
    y *= x;
  return y + n;
}
}  // namespace program_effects_in_conditions
using program_effects_in_conditions::effects_in_conditions;
}  // namespace

namespace {
namespace program_newton_until_converged {
double newton_until_converged(double a) {
  double x = 1;
  int it = 0;
  do {
    const double n = 0.5 * (x + std::abs(a) / x);
    if (std::abs(n - x) < 1e-13)
      break;
    x = n;
  } while (++it < 100);
  return x;
}
}  // namespace program_newton_until_converged
using program_newton_until_converged::newton_until_converged;
}  // namespace

namespace {
namespace program_overwritten_in_place {
double overwritten_in_place(double x) {
  double y = x;
  y = y * y;
  y += y * x;
  y /= x * x + 1;
  ++y;
  y--;
  return y;
}
}  // namespace program_overwritten_in_place
using program_overwritten_in_place::overwritten_in_place;
}  // namespace

namespace {
namespace program_temporaries_bound_to_references {
double temporaries_bound_to_references(double x) {
  const double& r = x * x;
  const std::vector<double>& v = std::vector<double>{x, r};
  return v[0] * v[1];
}
}  // namespace program_temporaries_bound_to_references
using program_temporaries_bound_to_references::temporaries_bound_to_references;
}  // namespace

namespace {
namespace program_moves_written_by_hand {
struct M {
  std::vector<double> d;
  M(std::vector<double> v) : d(std::move(v)) {}
  M(M&& o) noexcept : d(std::move(o.d)) {}
  M& operator=(M&& o) noexcept {
    d = std::move(o.d);
    return *this;
  }
};
double moves_written_by_hand(double x) {
  M a(std::vector<double>{x, 2 * x});
  M b(std::move(a));
  M c(std::vector<double>{1.0});
  c = std::move(b);
  return c.d[0] * c.d[1];
}
}  // namespace program_moves_written_by_hand
using program_moves_written_by_hand::moves_written_by_hand;
}  // namespace

namespace {
namespace program_globals_only_read {
double g_k = 2.5;
thread_local double g_t = 1.5;
const double g_c[2] = {1, 2};
struct G {
  static inline double s = 3;
};
double globals_only_read(double x) {
  static const double k = 4;
  return g_k * x * g_t + g_c[1] * x * x + G::s * x + k * x;
}
}  // namespace program_globals_only_read
using program_globals_only_read::globals_only_read;
}  // namespace

namespace {
namespace program_chained_mutators {
struct P {
  double a = 1;
  P& add(double x) {
    a += x;
    return *this;
  }
  P& mul(double x) {
    a *= x;
    return *this;
  }
};
double chained_mutators(double x) {
  P p;
  p.add(x).mul(x).add(2 * x);
  return p.a * p.a;
}
}  // namespace program_chained_mutators
using program_chained_mutators::chained_mutators;
}  // namespace

namespace {
namespace program_overlapping_elements {
double overlapping_elements(double x) {
  double a[5] = {x, 2, x * x, 1, 3};
  for (int i = 1; i < 5; ++i) a[i] = a[i - 1] * a[i];
  return a[4] + a[2];
}
}  // namespace program_overlapping_elements
using program_overlapping_elements::overlapping_elements;
}  // namespace

namespace {
namespace program_pointer_steps_with_a_count {
double sum2(const double* p, int n) {
  double s = 0;
  while (n-- > 0) {
    s += *p * *p;
    ++p;
  }
  return s;
}
double pointer_steps_with_a_count(double x) {
  double a[4] = {x, 2 * x, 3, x * x};
  return sum2(a, 4) + sum2(a + 1, 2);
}
}  // namespace program_pointer_steps_with_a_count
using program_pointer_steps_with_a_count::pointer_steps_with_a_count;
}  // namespace

namespace {
namespace program_pointer_steps_to_an_end {
double sum(const double* p, const double* e) {
  double s = 0;
  for (; p != e; ++p) s += *p * *p;
  return s;
}
double pointer_steps_to_an_end(double x) {
  double a[4] = {x, 2 * x, 3, x * x};
  return sum(a, a + 4) + sum(a + 1, a + 3);
}
}  // namespace program_pointer_steps_to_an_end
using program_pointer_steps_to_an_end::pointer_steps_to_an_end;
}  // namespace

DDX_CHECK_GRADIENT(effects_in_conditions, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(newton_until_converged, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(overwritten_in_place, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(temporaries_bound_to_references, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(moves_written_by_hand, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(globals_only_read, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(chained_mutators, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(overlapping_elements, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(pointer_steps_with_a_count, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(pointer_steps_to_an_end, at(0.83), at(1.7), at(-1.37))
