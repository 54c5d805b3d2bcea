// The function that runs is chosen by the dynamic type.
#include "ddx/ad.h"

struct Shape {
  virtual ~Shape() = default;
  virtual double area(double x) const { return x; }
};

struct Square : Shape {
  double area(double x) const override { return x * x; }
};

double measure(const Shape& shape, double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a virtual call of 'Shape::area', whose target is not known here}}
  return shape.area(x);
#else
  return shape.Shape::area(x);
#endif
}

double f(double x) {
#ifndef ACCEPTED
  const Square square;
  // expected-note@+1 {{when differentiating this call}}
  return measure(square, x);
#else
  const Square square;
  return measure(square, x);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
