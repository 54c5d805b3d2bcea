/// \file
/// Classes: constructors, operators, bases, arrays of objects, members that pass through.

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
namespace program_array_in_a_struct {
struct A {
  double m[2][3];
};
double array_in_a_struct(double x) {
  A a{{{x, 1, 2}, {3, x, x * x}}};
  double s = 0;
  for (auto& row : a.m)
    for (double& e : row) {
      e *= x;
      s += e;
    }
  return s * a.m[1][2];
}
}  // namespace program_array_in_a_struct
using program_array_in_a_struct::array_in_a_struct;
}  // namespace

namespace {
namespace program_array_of_constructed_objects {
struct P {
  double a[3];
  double n;
  P(double x) : a{x, x * x, 1}, n{} {
    for (double q : a) n += q * q;
  }
};
double array_of_constructed_objects(double x) {
  P p[2] = {P(x), P(2 * x)};
  return p[0].n * p[1].a[1];
}
}  // namespace program_array_of_constructed_objects
using program_array_of_constructed_objects::array_of_constructed_objects;
}  // namespace

namespace {
namespace program_integer_member_from_a_real {
struct P {
  int n;
  double a;
  P(double x) : n(static_cast<int>(x)), a(x * x) {}
};
double integer_member_from_a_real(double x) {
  P p(x);
  return p.a * static_cast<double>(p.n);
}
}  // namespace program_integer_member_from_a_real
using program_integer_member_from_a_real::integer_member_from_a_real;
}  // namespace

namespace {
namespace program_integer_member_assigned_a_real {
struct P {
  long n;
  double a;
  P(double x) {
    n = static_cast<long>(x);
    a = x * static_cast<double>(n);
  }
};
double integer_member_assigned_a_real(double x) {
  P p(x);
  return p.a * static_cast<double>(p.n);
}
}  // namespace program_integer_member_assigned_a_real
using program_integer_member_assigned_a_real::integer_member_assigned_a_real;
}  // namespace

namespace {
namespace program_operators_of_a_class {
struct D {
  double v;
  operator double() const { return v * v; }
  explicit operator bool() const { return v > 0; }
  double& operator[](int) { return v; }
  double operator()(double x) const { return v * x; }
  D operator-() const { return {-v}; }
};
double operators_of_a_class(double x) {
  D d{x};
  d[0] *= 2;
  double y = d;
  if (d)
    y += d(x);
  return y + (-d);
}
}  // namespace program_operators_of_a_class
using program_operators_of_a_class::operators_of_a_class;
}  // namespace

namespace {
namespace program_two_bases_one_object {
struct A {
  double a;
  double ga() const { return a; }
};
struct B {
  double b;
};
struct C : A, B {
  double c;
};
double two_bases_one_object(double x) {
  C c{{x}, {x * x}, 3};
  A& a = c;
  a.a *= x;
  const B& b = c;
  return c.ga() * b.b * c.c;
}
}  // namespace program_two_bases_one_object
using program_two_bases_one_object::two_bases_one_object;
}  // namespace

namespace {
namespace program_guard_counts_scopes {
struct G {
  int& d;
  explicit G(int& e) : d(e) { ++d; }
  ~G() { --d; }
};
double guard_counts_scopes(double x) {
  int depth = 0;
  double y = x;
  {
    G g(depth);
    y *= depth * x;
  }
  return y + depth;
}
}  // namespace program_guard_counts_scopes
using program_guard_counts_scopes::guard_counts_scopes;
}  // namespace

DDX_CHECK_GRADIENT(array_in_a_struct, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(array_of_constructed_objects, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(integer_member_from_a_real, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(integer_member_assigned_a_real, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(operators_of_a_class, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(two_bases_one_object, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(guard_counts_scopes, at(0.83), at(1.7), at(-1.37))
