// A program of both paths that the tests of options share: a promoted function, a virtual call and
// one with a list and a goto statement. Its exit code is the number of mistakes.

#pragma once

#include <cmath>
#include <cstdio>
#include <ddx/ad.h>
#include <list>
#include <memory>
#include <vector>

namespace {

struct Shape {
  virtual ~Shape() = default;
  [[nodiscard]] virtual double area(double x) const = 0;
};
struct Square : Shape {
  [[nodiscard]] double area(double x) const override { return x * x; }
};

// The sum of i x for i below 5: slope 10. It is promoted.
double promoted(double x) {
  std::vector<double> terms;
  for (int i = 0; i < 5; ++i) {
    terms.push_back(x * i);
  }
  double sum = 0;
  for (const double term : terms) {
    sum += term;
  }
  return sum;
}

// A virtual call whose class is known at run time only: x^2 + 1, slope 2 x.
double by_virtual_call(double x) {
  const std::unique_ptr<Shape> shape = std::make_unique<Square>();
  return shape->area(x) + 1;
}

// 3 x + x^3, through memory: slope 3 + 3 x^2.
double through_memory(double x) {
  std::list<double> terms{3 * x};
  bool again = true;
cube:
  if (again) {
    terms.push_front(x * x * x);
    again = false;
    goto cube;
  }
  double sum = 0;
  for (const double term : terms) {
    sum += term;
  }
  return sum;
}

int mistakes = 0;

void expect(double value, double expected, const char* what) {
  if (std::abs(value - expected) > 1e-12) {
    std::printf("%s: %.17g instead of %.17g\n", what, value, expected);
    ++mistakes;
  }
}

}  // namespace

int main() {
  expect(ddx::gradient(promoted, 2.0), 10, "promoted");
  expect(ddx::derivative(promoted, 2.0), 10, "promoted, forward");
  expect(ddx::gradient(by_virtual_call, 2.0), 4, "virtual call");
  expect(ddx::derivative(by_virtual_call, 2.0), 4, "virtual call, forward");
  expect(ddx::gradient(through_memory, 2.0), 15, "through memory");
  expect(ddx::derivative(through_memory, 2.0), 15, "through memory, forward");
  return mistakes;
}
