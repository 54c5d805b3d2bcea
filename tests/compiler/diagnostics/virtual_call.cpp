// The tangent of an object is of the class by which it is known: it has no place for what a derived
// class adds.
#include "ddx/ad.h"

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

struct Square : Shape {
  double side;
  explicit Square(double s) : side(s) {}
  double area() const override { return side * side; }
};

struct Circle : Shape {
  double radius;
  explicit Circle(double r) : radius(r) {}
  double area() const override { return 3 * radius * radius; }
};

double f(double x) {
  Square square(x);
  Circle circle(x);
#ifndef ACCEPTED
  // expected-error@+1 2 {{cannot differentiate: a pointer to active values that an object keeps}}
  const Shape* shape = x > 1 ? static_cast<const Shape*>(&square) : &circle;
  return shape->area();
#else
  const Shape* shape = &circle;
  return square.area() + shape->area();
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 0-2 {{derivative requested here}}
