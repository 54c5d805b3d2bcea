// Derivatives registered for forward mode, alone and beside a pullback.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

namespace {

using Vector = std::vector<double>;

/// Both ways by hand; the body counts for neither.
double cube(double x) {
  return std::floor(x);
}
DDX_DERIVATIVE_OF(cube) auto cube_vjp(double x) {
  return ddx::vjp(x * x * x, [x](double dy) { return 3 * x * x * dy; });
}
DDX_DERIVATIVE_OF(cube) auto cube_jvp(double x, double dx) {
  return ddx::ValueWithTangent<double, double>{x * x * x, 3 * x * x * dx};
}

/// One that is not the function's own shows which is used.
double doubled(double x) {
  return 2 * x;
}
DDX_DERIVATIVE_OF(doubled) auto doubled_jvp(double x, double dx) {
  return ddx::ValueWithTangent<double, double>{2 * x, 10 * dx};
}

struct Model {
  Vector weights;
  int power = 1;
  Vector apply(const Vector& x, double scale) const;
  DDX_DIFFERENTIABLE(Model, weights)
  DDX_NO_DERIVATIVE(power)
};

Vector Model::apply(const Vector& x, double scale) const {
  Vector result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    result[i] = weights[i] * std::pow(x[i], power) * scale;
  }
  return result;
}
/// A member: the object first, then the arguments, then tangents of those that have one.
DDX_DERIVATIVE_OF(Model::apply)
auto apply_jvp(const Model& model, const Vector& x, double scale,
               const Model::TangentVector& d_model, const Vector& dx, double d_scale) {
  Vector value = model.apply(x, scale);
  Vector tangent(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double power = std::pow(x[i], model.power);
    tangent[i] = d_model.weights[i] * power * scale + model.weights[i] * power * d_scale +
                 model.weights[i] * model.power * std::pow(x[i], model.power - 1) * dx[i] * scale;
  }
  return ddx::ValueWithTangent<Vector, Vector>{value, tangent};
}

/// A template, with an argument that has no tangent.
template <class T>
std::array<T, 2> turned(const std::array<T, 2>& p, int quarters, T length) {
  std::array<T, 2> result = p;
  for (int i = 0; i < quarters; ++i) {
    result = {-result[1], result[0]};
  }
  return {result[0] * length, result[1] * length};
}
template <class T>
DDX_DERIVATIVE_OF(turned)
auto turned_jvp(const std::array<T, 2>& p, int quarters, T length, const std::array<T, 2>& dp,
                const T& d_length) {
  const std::array<T, 2> unit = turned(p, quarters, T(1));
  const std::array<T, 2> moved = turned(dp, quarters, length);
  return ddx::ValueWithTangent<std::array<T, 2>, std::array<T, 2>>{
      turned(p, quarters, length), {moved[0] + unit[0] * d_length, moved[1] + unit[1] * d_length}};
}

double both_ways(double x, double y) {
  double sum = x;
  for (int k = 0; k < 3; ++k) {
    sum = cube(sum * y) + std::sin(sum);
  }
  return sum;
}

double members(const Vector& x, const Vector& weights, int power) {
  Model model{weights, power};
  const Vector once = model.apply(x, x[0]);
  const Vector constant(x.size(), 1.5);
  const Vector twice = model.apply(constant, 2.0);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += once[i] * twice[x.size() - 1 - i] * static_cast<double>(i + 1);
  }
  return sum;
}

double templates(double x, double y, int quarters) {
  const std::array<double, 2> p = turned(std::array{x, x * x}, quarters, x);
  const std::array<double, 2> q = turned(std::array{y, 2 * y}, 1, 3.0);
  return p[0] * q[0] + p[1] * p[1] * q[1];
}

DDX_CHECK_GRADIENT(members, at(Vector{0.5, 1.2}, Vector{0.7, -0.3}, 2),
                   at(Vector{0.4}, Vector{2.0}, 3),
                   at(Vector{-0.8, 1.1, 0.6}, Vector{0.2, 0.5, -1.4}, 1))
DDX_CHECK_GRADIENT(templates, at(0.7, 0.4, 1), at(-0.4, 1.1, 0), at(1.3, -0.8, 3))

TEST(RegisteredTangents, ServeForwardModeAlone) {
  EXPECT_EQ(ddx::derivative(doubled, 3.0), 10);
  EXPECT_EQ(ddx::gradient(doubled, 3.0), 2);
}

TEST(RegisteredTangents, GoBesideAPullback) {
  // The values by hand: the body of cube says something else.
  const auto by_hand = [](double x, double y) {
    double sum = x, dx = 1, dy = 0;
    for (int k = 0; k < 3; ++k) {
      const double inner = sum * y;
      const double slope = 3 * inner * inner;
      const double value = inner * inner * inner + std::sin(sum);
      const double next = slope * (dx * y) + std::cos(sum) * dx;
      dy = slope * (dy * y + sum) + std::cos(sum) * dy;
      dx = next;
      sum = value;
    }
    return std::array{sum, dx, dy};
  };
  for (const auto& [x, y] : {std::array{0.7, 0.9}, {-0.4, 1.1}}) {
    const auto [value, dx, dy] = by_hand(x, y);
    const auto moved = ddx::jvp(both_ways, ddx::along(2.0, -3.0), x, y);
    EXPECT_NEAR(moved.value, value, 1e-14);
    EXPECT_NEAR(moved.tangent, 2 * dx - 3 * dy, 1e-12);
    const auto [gx, gy] = ddx::gradient(both_ways, x, y);
    EXPECT_NEAR(gx, dx, 1e-12);
    EXPECT_NEAR(gy, dy, 1e-12);
  }
}

TEST(RegisteredTangents, AreDifferentiatedAgain) {
  // 3 x^2 is the tangent of cube; its derivative is 6 x.
  const auto slope = [](double x) { return ddx::derivative(cube, x); };
  EXPECT_NEAR(ddx::derivative(slope, 0.7), 6 * 0.7, 1e-14);
  EXPECT_NEAR(ddx::gradient(slope, 0.7), 6 * 0.7, 1e-14);
}

/// Results whose size is known at run time, of which only a pullback is known: that is linear, and
/// is pulled back.
Vector shifted(const Vector& x, double by) {
  Vector result = x;
  for (double& r : result) {
    r = std::floor(r) + by;
  }
  return result;
}
DDX_DERIVATIVE_OF(shifted) auto shifted_vjp(const Vector& x, double by) {
  Vector value(x.size() + 1);
  for (std::size_t i = 0; i < x.size(); ++i) {
    value[i + 1] = x[i] * by;
  }
  return ddx::vjp(value, [x, by](const Vector& d, ddx::Wanted<2> wanted) {
    Vector dx(x.size());
    double d_by = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      dx[i] = d[i + 1] * by;
      if (wanted[1]) {
        d_by += d[i + 1] * x[i];
      }
    }
    return std::tuple(dx, d_by);
  });
}

Vector grown(const Vector& x) {
  return x;
}
DDX_DERIVATIVE_OF(grown) auto grown_vjp(const Vector& x) {
  Vector value = x;
  value.push_back(x[0] * x[0]);
  return ddx::vjp(value, [x](const Vector& d) {
    Vector dx = d;
    dx.pop_back();
    dx[0] += 2 * x[0] * d.back();
    return dx;
  });
}

TEST(RegisteredPullbacks, ArePulledBackForVectors) {
  const auto f = [](const Vector& x, double by) {
    const Vector y = shifted(grown(x), by);
    const Vector z = shifted(y, 2.0);
    double sum = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      sum += z[i] * y[i % y.size()] * static_cast<double>(i + 1);
    }
    return sum;
  };
  const Vector x{0.7, -0.4, 1.3};
  const Vector v{1.0, -2.0, 0.5};
  const auto [dx, d_by] = ddx::gradient(f, x, 0.6);
  const double expected = dx[0] * v[0] + dx[1] * v[1] + dx[2] * v[2] + d_by * -1.5;
  const auto moved = ddx::jvp(f, ddx::along(v, -1.5), x, 0.6);
  EXPECT_NEAR(moved.tangent, expected, 1e-12 * std::fabs(expected));
  EXPECT_EQ(moved.value, ddx::value_with_gradient(f, x, 0.6).value);
}

}  // namespace
