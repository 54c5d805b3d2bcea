// Results that are not one scalar: the pullback takes a cotangent of the result's shape.
#include "gradient_check.h"

#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

struct Polar {
  double radius = 0;
  double angle = 0;
  int turns = 0;
  DDX_DIFFERENTIABLE(Polar, radius, angle)
  DDX_NO_DERIVATIVE(turns)
};

std::array<double, 2> array_result(double x, double y) {
  return {x * y, std::sin(x)};
}

std::vector<double> vector_result(const std::vector<double>& x) {
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = x[i] * x[x.size() - 1 - i];
  }
  return y;
}

std::vector<double> filtered(const std::vector<double>& x) {
  std::vector<double> kept;
  for (const double v : x) {
    if (v > 0) {
      kept.push_back(v * v);
      kept.push_back(v * x[0]);
    }
  }
  return kept;
}

Polar struct_result(double x, double y) {
  return {std::sqrt(x * x + y * y), std::atan2(y, x), 1};
}

Polar struct_through(const Polar& p, double by) {
  Polar q = p;
  q.angle += by * p.radius;
  while (q.angle > 3) {
    q.angle -= 3;
    ++q.turns;
  }
  return q;
}

std::pair<double, double> pair_result(double x) {
  return {x * x, std::exp(x)};
}

std::pair<int, double> pair_with_integer(double x, int n) {
  return {n, x * n};
}

std::vector<double> argument_returned(std::vector<double> x) {
  return x;
}

double constant_result(double) {
  return 3;
}

std::array<double, 3> partly_constant(double x) {
  std::array<double, 3> r{1, 2, 3};
  r[1] = x * x;
  return r;
}

std::array<double, 2> early_return_of_array(double x) {
  std::array<double, 2> r{x, x * x};
  if (x > 1) {
    return r;
  }
  r[0] *= r[1];
  return r;
}

const std::vector<double> x1{0.5, -1.0, 2.0, 0.25, 0.7};
const std::vector<double> x2{1.5};
const std::vector<double> x3{-0.7, 0.9, 1.1};

DDX_CHECK_GRADIENT(array_result, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(vector_result, at(x1), at(x2), at(std::vector<double>{}), at(x3))
DDX_CHECK_GRADIENT(filtered, at(x1), at(x2), at(x3))
DDX_CHECK_GRADIENT(struct_result, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(struct_through, at(Polar{0.5, 1.0, 0}, 2.0), at(Polar{1.5, 2.0, 0}, 3.0),
                   at(Polar{2.5, 1.0, 0}, 3.0))
DDX_CHECK_GRADIENT(pair_result, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(pair_with_integer, at(0.5, 2), at(-1.2, 0), at(2.0, -3))
DDX_CHECK_GRADIENT(argument_returned, at(x1), at(x2), at(x3))
DDX_CHECK_GRADIENT(constant_result, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(partly_constant, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(early_return_of_array, at(0.5), at(-1.2), at(2.0))

}  // namespace
