// Pullbacks inside code that is differentiated through memory: they lie in containers, are chosen
// at run time, or belong to functions that are not promoted.

#include "gradient_check.h"

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

namespace {

using Back = ddx::Pullback<double, double>;

double cube(double x) {
  return x * x * x;
}

double of_two_forms(double x) {
  if (x > 1) {
    return x * x * x;
  }
  return std::sin(x);
}

double behind_a_pointer_that_changes(double x) {
  double c = x;
  double* p = &c;
  const auto back = ddx::pullback([p](double u) { return u * u * *p; }, x);
  c = c * c;
  return back(c);
}

struct Scaled {
  double factor;
  double operator()(double x) const { return factor * x * x; }
};

double of_an_object_that_changes(double x) {
  Scaled scaled{x * x};
  const auto back = ddx::pullback(scaled, x);
  scaled.factor = 1;
  return back(std::sin(x)) * scaled.factor;
}

double of_a_stored_function(double x) {
  const std::function<double(double)> f = [x](double u) { return u * u * x; };
  return ddx::pullback(f, x)(x);
}

double of_heap_memory(double x) {
  const auto p = std::make_unique<double>(x);
  const auto back = ddx::pullback([&](double u) { return u * u * *p; }, x);
  *p = 2;
  return back(x);
}

/// Known at run time only.
double of_a_list_of_pullbacks(double x) {
  std::vector<Back> all;
  all.push_back(ddx::pullback(cube, x));
  all.push_back(ddx::pullback(of_two_forms, x * x));
  double sum = 0;
  for (const Back& back : all) {
    sum += back(x);
  }
  return sum;
}

Back made_elsewhere(double x) {
  if (x > 2) {
    return ddx::pullback(cube, 2 * x);
  }
  return ddx::pullback(of_two_forms, x);
}

double returned(double x) {
  return made_elsewhere(x * x)(x);
}

double called_in_a_lambda(double x) {
  const auto back = ddx::pullback(cube, x);
  const auto f = [&](double seed) {
    if (seed > 1) {
      return back(seed);
    }
    return seed * x;
  };
  return f(x) + f(0.5 * x);
}

struct Spring {
  double stiffness;
  double offset = 0.5;

  double force(double x) {
    return ddx::gradient([*this](double u) { return stiffness * u * u * u + offset * u * u; }, x);
  }
};

/// The function has a copy of the object, in a member that may change it.
double copied_object(double x, double stiffness) {
  Spring spring{stiffness};
  const double force = spring.force(x);
  spring.stiffness *= x;
  return force * force + spring.force(x);
}

TEST(GradientInAMember, OfACopyOfTheObject) {
  EXPECT_DOUBLE_EQ(Spring{2.0}.force(3.0), 57.0);  // 3 k x^2 + x
}

DDX_CHECK_GRADIENT(copied_object, at(0.7, 1.5), at(-0.4, 0.8), at(1.3, -2.0))
DDX_CHECK_GRADIENT(behind_a_pointer_that_changes, at(-0.6), at(0.7), at(1.6))
DDX_CHECK_GRADIENT(of_an_object_that_changes, at(-0.6), at(0.7), at(1.6))
DDX_CHECK_GRADIENT(of_a_stored_function, at(-0.6), at(0.7), at(1.6))
DDX_CHECK_GRADIENT(of_heap_memory, at(-0.6), at(0.7), at(1.6))
DDX_CHECK_GRADIENT(of_a_list_of_pullbacks, at(-0.6), at(0.7), at(1.6))
DDX_CHECK_GRADIENT(returned, at(-0.6), at(0.7), at(1.6))
DDX_CHECK_GRADIENT(called_in_a_lambda, at(-0.6), at(0.7), at(1.6))

}  // namespace
