// Shapes as a variant: areas and moments by visit.

#include "gradient_check.h"

#include <cmath>
#include <numbers>
#include <variant>
#include <vector>

namespace {

struct Circle {
  double radius;
};
struct Rectangle {
  double width;
  double height;
};
struct Triangle {
  double a;
  double b;
  double c;
};
using Shape = std::variant<Circle, Rectangle, Triangle>;

struct Area {
  double operator()(const Circle& s) const { return std::numbers::pi * s.radius * s.radius; }
  double operator()(const Rectangle& s) const { return s.width * s.height; }
  double operator()(const Triangle& s) const {
    const double p = (s.a + s.b + s.c) / 2;
    return std::sqrt(p * (p - s.a) * (p - s.b) * (p - s.c));
  }
};

double perimeter(const Shape& shape) {
  if (const auto* circle = std::get_if<Circle>(&shape)) {
    return 2 * std::numbers::pi * circle->radius;
  }
  if (std::holds_alternative<Rectangle>(shape)) {
    const auto& r = std::get<Rectangle>(shape);
    return 2 * (r.width + r.height);
  }
  const auto& t = std::get<Triangle>(shape);
  return t.a + t.b + t.c;
}

double variant_shapes(double a, double b) {
  const std::vector<Shape> shapes{Circle{a}, Rectangle{a, b}, Triangle{a, b, 0.8 * (a + b)}};
  double s = 0;
  for (const Shape& shape : shapes) {
    s = 0.6 * s + std::visit(Area{}, shape) * perimeter(shape);
  }
  Shape last = shapes[0];
  last = Rectangle{b, b * a};
  return s + std::visit(Area{}, last);
}

DDX_CHECK_GRADIENT(variant_shapes, at(1.0, 1.2), at(0.5, 0.7), at(2.0, 1.5))

}  // namespace
