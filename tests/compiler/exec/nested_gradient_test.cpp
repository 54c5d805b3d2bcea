// Gradients taken inside differentiated code.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

using Vector = std::vector<double>;

double energy(const Vector& q) {
  double sum = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    sum += q[i] * q[i] * q[i] + std::sin(q[0] * q[i]);
  }
  return sum;
}

/// A function by name; every part of the gradient has its own cotangent.
double force_norm(const Vector& x) {
  const Vector g = ddx::gradient(energy, x);
  double sum = 0;
  for (std::size_t i = 0; i < g.size(); ++i) {
    sum += g[i] * g[i] * (static_cast<double>(i) + 0.5);
  }
  return sum;
}

/// What the lambda captures moves the gradient, by reference and by value.
double captured(const Vector& x, double w, double v) {
  const auto weighted = [&w, v](const Vector& q) {
    double sum = 0;
    for (const double a : q) {
      sum = sum * v + w * a * a * a;
    }
    return sum;
  };
  const auto [value, g] = ddx::value_with_gradient(weighted, x);
  double sum = value * w;
  for (std::size_t i = 0; i < g.size(); ++i) {
    sum += g[i] * x[i] * static_cast<double>(i + 1);
  }
  return sum;
}

/// Steps of gradient descent, differentiated by where they start and how long they are. None may be
/// taken.
double descent(double x, double rate, int steps) {
  for (int k = 0; k < steps; ++k) {
    const auto loss = [&](double y) { return std::cosh(y - rate) * y; };
    x -= rate * ddx::gradient(loss, x);
  }
  return x * x;
}

/// The gradient goes on in an object that is changed afterwards.
double changed_afterwards(double a, double b) {
  std::array<double, 2> point{a, a * b};
  const auto f = [&](const std::array<double, 2>& p) { return p[0] * p[0] * p[1] * b; };
  const std::array<double, 2> g = ddx::gradient(f, point);
  point[0] = 7;
  return g[0] * b + g[1] * point[1] + point[0];
}

/// By several arguments, in an order of their own; one moves nothing.
double by_two(const Vector& x, double w) {
  const auto f = [](const Vector& q, double s, double t) {
    double sum = 0;
    for (const double a : q) {
      sum += a * a * s + std::sin(a * t) * s;
    }
    return sum;
  };
  const auto [by_factor, by_vector] = ddx::gradient(f, ddx::wrt<1, 0>, x, w * w, 0.5);
  double sum = by_factor * w;
  for (std::size_t i = 0; i < by_vector.size(); ++i) {
    sum += by_vector[i] * by_vector[i] * (static_cast<double>(i) + 0.5);
  }
  return sum;
}

double with_constants(double x) {
  const double constant = 1.5;
  const auto f = [&](double y) { return y * y * constant; };
  return x * ddx::gradient(f, 2.0) + ddx::gradient(f, constant);
}

struct Well {
  double depth = 1;
  double width = 1;
  double operator()(double x) const { return -depth * std::exp(-x * x / width); }
  DDX_DIFFERENTIABLE(Well, depth, width)
};

double functor(double x, double depth) {
  const Well well{depth, x * x + 1};
  return ddx::gradient(well, x * depth);
}

/// Nothing reads the gradient.
double unused(double x, double y) {
  [[maybe_unused]] const double slope = ddx::gradient([&](double a) { return a * a * y; }, x);
  return x * y;
}

/// A gradient of a gradient.
double thrice(double x, double y) {
  const auto cube = [&](double a) { return a * a * a * a * y; };
  const auto slope = [&](double a) { return ddx::gradient(cube, a); };
  return ddx::gradient(slope, x) * x;
}

double cubed(double x) {
  return x * x * x;
}

double slope_of_cubed(double x) {
  return ddx::derivative(cubed, x);
}

/// Derivatives of functions of one type, behind one kind of pointer, in each other.
double of_each_other(double x) {
  return ddx::gradient(cubed, x) * ddx::derivative(slope_of_cubed, x) +
         ddx::derivative(cubed, ddx::gradient(slope_of_cubed, x));
}

TEST(DerivativeOfADerivative, BehindOnePointerType) {
  EXPECT_DOUBLE_EQ(ddx::derivative(slope_of_cubed, 2.0), 12.0);
  EXPECT_DOUBLE_EQ(ddx::gradient(slope_of_cubed, 2.0), 12.0);
  // 3 x^2 * 6 x + 3 (6 x)^2 = 18 x^3 + 108 x^2.
  EXPECT_DOUBLE_EQ(of_each_other(2.0), 18 * 8 + 108 * 4);
  EXPECT_DOUBLE_EQ(ddx::derivative(of_each_other, 2.0), 54 * 4 + 216 * 2);
  EXPECT_DOUBLE_EQ(ddx::gradient(of_each_other, 2.0), 54 * 4 + 216 * 2);
}

double reciprocals(double x) {
  double a = 1 / (x + 1);
  const double b = a;
  a = x / a;
  a /= b;
  return a;
}

TEST(DerivativeOfADerivative, OfReciprocals) {
  const auto slope = [](double x) { return ddx::derivative(reciprocals, x); };
  EXPECT_DOUBLE_EQ(ddx::derivative(slope, 2.0), 16.0);  // x (x + 1)^2
}

DDX_CHECK_GRADIENT(force_norm, at(Vector{0.3, -0.7, 1.1}), at(Vector{0.5}), at(Vector{-1.0, 0.2}))
DDX_CHECK_GRADIENT(captured, at(Vector{0.3, -0.7}, 0.6, 1.5), at(Vector{1.2, 0.4, 0.9}, -0.5, 0.7),
                   at(Vector{0.8}, 1.1, 0.0))
DDX_CHECK_GRADIENT(descent, at(0.7, 0.1, 4), at(-0.4, 0.2, 1), at(1.3, 0.3, 0))
DDX_CHECK_GRADIENT(changed_afterwards, at(0.7, 1.5), at(-0.4, 0.2), at(1.3, -2.0))
DDX_CHECK_GRADIENT(by_two, at(Vector{0.3, -0.7, 1.1}, 0.6), at(Vector{0.5}, -1.2),
                   at(Vector{}, 0.4))
DDX_CHECK_GRADIENT(with_constants, at(0.7), at(-0.4), at(0.0))
DDX_CHECK_GRADIENT(functor, at(0.7, 1.5), at(-0.4, 0.8), at(1.3, -2.0))
DDX_CHECK_GRADIENT(unused, at(0.7, 1.5), at(-0.4, 0.8), at(1.3, -2.0))
DDX_CHECK_GRADIENT(thrice, at(0.7, 1.5), at(-0.4, 0.8), at(1.3, -2.0))

}  // namespace
