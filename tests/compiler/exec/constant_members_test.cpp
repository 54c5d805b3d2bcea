/// \file
/// Objects that are constant, or have members that are, and are filled member by member.

#include "gradient_check.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace {

struct Base {
  double height;
  std::array<double, 2> sides;
};
struct Derived : Base {
  const double value;
};
struct Further : Derived {
  const std::array<double, 2> weights;
  double rest[2];
};
struct Holder {
  const Derived first;
  Further second;
};

double constant_of_derived(double x) {
  const Derived d{{x, {x * x, 2}}, x};
  return d.height * d.value * d.sides[0];
}

double constant_of_further(double x) {
  const Further d{{{x, {x * x, 2}}, x}, {x, 3}, {x, x}};
  return d.height * d.value * d.sides[0] * d.weights[0] * d.rest[1];
}

double constant_members(double x) {
  const Holder h{{{x, {x, 2}}, x}, {{{x, {x * x, 2}}, x}, {x, 3}, {x, x}}};
  return h.first.height * h.first.value * h.second.weights[0] * h.second.sides[0];
}

double constant_elements(double x) {
  const std::array<Further, 2> all{
      {{{{x, {x * x, 2}}, x}, {x, 3}, {x, x}}, {{{2 * x, {x * x, 2}}, x}, {x, 3}, {x, x}}}};
  const Derived few[2] = {{{x, {1, x}}, x}, {{x * x, {1, x}}, 2 * x}};
  double sum = few[0].height * few[1].value * few[1].sides[1];
  for (const Further& one : all) {
    sum += one.height * one.rest[0] * one.value;
  }
  return sum;
}

double in_vector(double x) {
  std::vector<Derived> all;
  all.push_back(Derived{{x, {1, x}}, x});
  all.push_back({{x * x, {1, x}}, 2 * x});
  return all[0].height * all[1].value * all[1].height;
}

/// Neither can be made without arguments.
struct ConstantBase {
  const Base base;
};
double in_pair(double x) {
  const std::pair<Derived, double> p{Derived{{x, {1, x}}, x}, x};
  const std::pair<ConstantBase, double> q{ConstantBase{{x, {1, x}}}, x};
  return p.first.height * p.second * p.first.value + q.first.base.height * q.second;
}

/// What it holds cannot be assigned.
double in_optional(double x) {
  const std::optional<Derived> p{Derived{{x, {1, x}}, x}};
  return p->height * p->value;
}

Derived made(double x) {
  return {{x, {x, x}}, 2 * x};
}
double copied(double x) {
  const Derived d = made(x);
  const Derived e = d;
  return e.height * d.value * e.sides[1];
}

struct Initialised {
  const Base base;
  const double factor = 3;
  double product = factor * base.height;
};
double initialised(double x) {
  const Initialised p{{x, {x, x}}};
  return p.product * p.base.sides[1];
}

class Hidden : Base {
 public:
  explicit Hidden(double x) : Base{x, {x, x}}, square_(height * x) {}
  double product() const { return height * square_ * sides[1]; }

 private:
  const double square_;
};
double hidden(double x) {
  const Hidden h(x);
  return h.product();
}

}  // namespace

DDX_CHECK_GRADIENT(constant_of_derived, at(1.3), at(-0.7), at(0.4))
DDX_CHECK_GRADIENT(constant_of_further, at(1.3), at(-0.7), at(0.4))
DDX_CHECK_GRADIENT(constant_members, at(1.3), at(-0.7), at(0.4))
DDX_CHECK_GRADIENT(constant_elements, at(1.3), at(-0.7), at(0.4))
DDX_CHECK_GRADIENT(in_vector, at(1.3), at(-0.7), at(0.4))
DDX_CHECK_GRADIENT(in_pair, at(1.3), at(-0.7), at(0.4))
DDX_CHECK_GRADIENT(in_optional, at(1.3), at(-0.7), at(0.4))
DDX_CHECK_GRADIENT(copied, at(1.3), at(-0.7), at(0.4))
DDX_CHECK_GRADIENT(initialised, at(1.3), at(-0.7), at(0.4))
DDX_CHECK_GRADIENT(hidden, at(1.3), at(-0.7), at(0.4))
