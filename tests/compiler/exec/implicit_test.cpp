// Implicit functions and fixed points inside differentiated code: derivatives by hand and by
// differences, in reverse and forward mode, and errors.

#include "ddx/ad/implicit.h"

#include "ddx/ad/fixed_point.h"
#include "ddx/core/error.h"

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace {

using Vector = std::vector<double>;

/// Newton's method with 50 steps, whose derivative is not asked for.
double kepler_solution(double mean, double eccentricity) {
  double x = mean;
  for (int k = 0; k < 50; ++k) {
    x -= (x - eccentricity * std::sin(x) - mean) / (1 - eccentricity * std::cos(x));
  }
  return x;
}

/// The eccentric anomaly, used twice, beside the parameters.
double kepler(double mean, double eccentricity) {
  const auto equation = [](double x, double m, double e) { return x - e * std::sin(x) - m; };
  const double x = ddx::implicit(
      equation, ddx::without_derivative(kepler_solution(mean, eccentricity)), mean, eccentricity);
  const double half = mean / 2;
  const double y =
      ddx::implicit(equation, ddx::without_derivative(kepler_solution(half, 0.25)), half, 0.25);
  return std::cos(x) * y + eccentricity * x;
}

/// Whatever the solver: this one has a derivative, which does not count.
double square_root(double a) {
  double x = 1;
  for (int k = 0; k < 60; ++k) {
    x = (x + a / x) / 2;
  }
  return 3 * ddx::implicit([](double r, double b) { return r * r - b; }, x, a);
}

/// The intersection of a circle of radius r and the parabola y = c x^2, as an array.
double intersection(double r, double c) {
  double y = 0;
  for (int k = 0; k < 60; ++k) {  // y + c y^2 = c r^2.
    y -= (y + c * y * y - c * r * r) / (1 + 2 * c * y);
  }
  const std::array<double, 2> found{std::sqrt(r * r - y * y), y};
  const std::array<double, 2> p = ddx::implicit(
      [](const std::array<double, 2>& at, double radius, double curvature) {
        return std::array{at[0] * at[0] + at[1] * at[1] - radius * radius,
                          at[1] - curvature * at[0] * at[0]};
      },
      ddx::without_derivative(found), r, c);
  return p[0] * p[1] + p[0];
}

/// A chain of ten unknowns: 3 x_i + x_i^3 - 0.5 (x_{i-1} + x_{i+1}) = b_i, solved by sweeps.
Vector chain_residual(const Vector& x, const Vector& b, double coupling) {
  Vector r(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    r[i] = 3 * x[i] + x[i] * x[i] * x[i] - b[i];
    if (i > 0) {
      r[i] -= coupling * x[i - 1];
    }
    if (i + 1 < x.size()) {
      r[i] -= coupling * x[i + 1];
    }
  }
  return r;
}

Vector chain_solution(const Vector& b, double coupling) {
  Vector x(b.size());
  for (int sweep = 0; sweep < 400; ++sweep) {
    const Vector r = chain_residual(x, b, coupling);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] -= r[i] / (3 + 3 * x[i] * x[i] + 2 * std::abs(coupling));
    }
  }
  return x;
}

double chain(const Vector& b, double coupling) {
  const Vector x = ddx::implicit(
      [](const Vector& at, const Vector& load, double c) { return chain_residual(at, load, c); },
      ddx::without_derivative(chain_solution(b, coupling)), b, coupling);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += x[i] * x[i] * static_cast<double>(i + 1);
  }
  return sum * coupling;
}

Vector loads(std::size_t count) {
  Vector b(count);
  for (std::size_t i = 0; i < count; ++i) {
    b[i] = std::cos(1.3 * static_cast<double>(i));
  }
  return b;
}

/// Parameters that have no derivative stand between those that have.
double with_power(double a, int power, double scale) {
  const double x =
      ddx::implicit([](double r, double b, int n, double s) { return std::pow(r, n) - b * s; },
                    ddx::without_derivative(std::pow(a * scale, 1.0 / power)), a, power, scale);
  return x * a;
}

double root_by_iteration(double a, double shift) {
  const double x =
      ddx::fixed_point([](double r, double b) { return (r + b / r) / 2; }, 1.0, a * a + shift);
  return x * shift;
}

/// Contractions of a vector and an array, the second from the result of the first.
double coupled(const Vector& b, double rate) {
  const Vector x = ddx::fixed_point(
      [](const Vector& at, const Vector& load, double r) {
        Vector next(at.size());
        for (std::size_t i = 0; i < at.size(); ++i) {
          next[i] = r * std::sin(at[(i + 1) % at.size()]) + load[i] * at[i] * 0.1 + load[i];
        }
        return next;
      },
      Vector(b.size(), 0.5), b, rate);
  const std::array<double, 2> y = ddx::fixed_point(
      [](const std::array<double, 2>& at, const Vector& from) {
        return std::array{0.3 * std::cos(at[1]) + from[0], 0.4 * at[0] * from[1]};
      },
      std::array{0.0, 0.0}, x);
  return y[0] * y[1] + x[0];
}

struct Spring {
  double stiffness = 1;
  Vector lengths;
  DDX_DIFFERENTIABLE(Spring, stiffness, lengths)
};

/// An object as parameter, and an unknown of a number and a vector.
double object_and_tuple(const Spring& spring, double force) {
  using Unknown = std::tuple<double, Vector>;
  Unknown found(0, spring.lengths);
  auto& [tension, ends] = found;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    ends[i] += force / spring.stiffness;
    tension += ends[i];
  }
  tension = std::cbrt(tension);
  const Unknown x = ddx::implicit(
      [](const Unknown& at, const Spring& s, double f) {
        Unknown r = at;
        double sum = 0;
        for (std::size_t i = 0; i < s.lengths.size(); ++i) {
          std::get<1>(r)[i] = (std::get<1>(at)[i] - s.lengths[i]) * s.stiffness - f;
          sum += std::get<1>(at)[i];
        }
        std::get<0>(r) = std::get<0>(at) * std::get<0>(at) * std::get<0>(at) - sum;
        return r;
      },
      ddx::without_derivative(found), spring, force);
  return std::get<0>(x) * force + std::get<1>(x)[0];
}

DDX_CHECK_GRADIENT(object_and_tuple, at(Spring{2.0, {0.5, 0.7}}, 1.5), at(Spring{0.7, {1.2}}, 0.3),
                   at(Spring{1.1, {0.4, 0.9, 1.3}}, -0.2))
DDX_CHECK_GRADIENT(kepler, at(0.7, 0.3), at(2.1, 0.8), at(-1.4, 0.05))
DDX_CHECK_GRADIENT(square_root, at(2.0), at(0.3), at(17.0))
DDX_CHECK_GRADIENT(intersection, at(1.0, 1.0), at(2.0, 0.3), at(0.7, 2.5))
DDX_CHECK_GRADIENT(chain, at(loads(10), 0.5), at(loads(2), -0.7), at(loads(1), 0.9))
DDX_CHECK_GRADIENT(with_power, at(1.3, 3, 0.7), at(2.0, 2, 1.5), at(0.4, 5, 1.1))
DDX_CHECK_GRADIENT(root_by_iteration, at(1.5, 0.4), at(0.6, 1.2), at(3.0, -0.5))
DDX_CHECK_GRADIENT(coupled, at(loads(2), 0.3), at(loads(5), -0.4), at(Vector{0.2, -0.1}, 0.5))

#ifdef __DDX__
TEST(Implicit, HasTheDerivativeByHand) {
  // 3 sqrt(a): 3 / (2 sqrt(a)).
  EXPECT_NEAR(ddx::gradient(square_root, 4.0), 0.75, 1e-15);
  EXPECT_NEAR(ddx::derivative(square_root, 4.0), 0.75, 1e-15);
  // x - e sin x = m: dx/dm = 1 / (1 - e cos x), dx/de = sin x / (1 - e cos x).
  const auto anomaly = [](double m, double e) {
    return ddx::implicit([](double x, double mm, double ee) { return x - ee * std::sin(x) - mm; },
                         ddx::without_derivative(kepler_solution(m, e)), m, e);
  };
  const double x = kepler_solution(1.1, 0.6), slope = 1 - 0.6 * std::cos(x);
  const auto [by_mean, by_eccentricity] = ddx::gradient(anomaly, 1.1, 0.6);
  EXPECT_NEAR(by_mean, 1 / slope, 1e-14);
  EXPECT_NEAR(by_eccentricity, std::sin(x) / slope, 1e-14);
}

#ifndef DDX_THROUGH_MEMORY  // There, implicit functions behind pointers have first derivatives
                            // alone.
TEST(Implicit, HasSecondDerivativesByHand) {
  // 3 sqrt(a): -3 / (4 a sqrt(a)).
  EXPECT_NEAR(ddx::hvp(square_root, 4.0, 2.0), -2 * 3.0 / 32, 1e-15);
  const auto slope = [](double a) { return ddx::derivative(square_root, a); };
  EXPECT_NEAR(ddx::derivative(slope, 4.0), -3.0 / 32, 1e-15);
  // y^2 + y = x0 + x1 x1, at 2: dy/ds = 1 / (2 y + 1), d2y/ds2 = -2 / (2 y + 1)^3.
  const auto y = [](const Vector& x) {
    const double s = x[0] + x[1] * x[1];
    return ddx::implicit([](double r, double sum) { return r * r + r - sum; },
                         ddx::without_derivative((std::sqrt(1 + 4 * s) - 1) / 2), s);
  };
  const auto h = ddx::hessian(y, Vector{1, 1});
  EXPECT_NEAR(h(0, 0), -2.0 / 27, 1e-15);
  EXPECT_NEAR(h(0, 1), -4.0 / 27, 1e-15);
  EXPECT_NEAR(h(1, 1), -8.0 / 27 + 2.0 / 3, 1e-15);
}
#endif

TEST(Implicit, OfNoUnknownsIsEmpty) {
  const auto f = [](const Vector& b, double scale) {
    const Vector x = ddx::implicit([](const Vector& at, const Vector& load,
                                      double) { return Vector(at.size() + load.size()); },
                                   Vector{}, b, scale);
    const Vector y = ddx::fixed_point(
        [](const Vector& at, double s) {
          Vector next = at;
          for (double& number : next) {
            number *= s;
          }
          return next;
        },
        Vector{}, scale);
    return scale * scale + static_cast<double>(x.size() + y.size());
  };
  const auto [by_load, by_scale] = ddx::gradient(f, Vector{}, 3.0);
  EXPECT_TRUE(by_load.empty());
  EXPECT_EQ(by_scale, 6);
}

TEST(Implicit, GivesThePullbackOfAVectorSeveralTimes) {
  const auto f = [](const Vector& b) {
    return ddx::implicit(
        [](const Vector& at, const Vector& load) { return chain_residual(at, load, 0.5); },
        ddx::without_derivative(chain_solution(b, 0.5)), b);
  };
  const Vector b = loads(10);
  const auto j = ddx::jacobian(f, b);
  const auto [value, pullback] = ddx::value_with_pullback(f, b);
  EXPECT_EQ(value, chain_solution(b, 0.5));
  for (std::size_t i = 0; i < 10; ++i) {
    // Row i of the inverse of the residual's Jacobian A: its product with A is a unit row.
    Vector unit(10);
    unit[i] = 1;
    const Vector row = pullback(unit);
    for (std::size_t k = 0; k < 10; ++k) {
      EXPECT_NEAR(row[k], j(i, k), 1e-14);
      const double beside = (k > 0 ? row[k - 1] : 0) + (k < 9 ? row[k + 1] : 0);
      EXPECT_NEAR(row[k] * (3 + 3 * value[k] * value[k]) - 0.5 * beside, unit[k], 1e-13);
    }
  }
}

TEST(FixedPoint, HasTheDerivativeByHand) {
  // x = sqrt(a^2 + s): dx/da = a / x, dx/ds = 1 / (2 x).
  const auto [by_a, by_shift] = ddx::gradient(root_by_iteration, 1.2, 0.5);
  const double x = std::sqrt(1.2 * 1.2 + 0.5);
  EXPECT_NEAR(by_a, 0.5 * 1.2 / x, 1e-13);
  EXPECT_NEAR(by_shift, x + 0.5 / (2 * x), 1e-13);
}

#ifndef DDX_THROUGH_MEMORY  // As above.
TEST(FixedPoint, HasSecondDerivativesByHand) {
  // 1 / (1 - a), however small its tangent: 2 / (1 - a)^3.
  const auto sum = [](double a) {
    return ddx::fixed_point([](double x, double b) { return b * x + 1; }, 0.0, a);
  };
  EXPECT_NEAR(ddx::hvp(sum, 0.5, 1.0), 16, 1e-9);
  EXPECT_NEAR(ddx::hvp(sum, 0.5, 1e-20) * 1e20, 16, 1e-9);
  EXPECT_NEAR(ddx::jvp(sum, ddx::along(1e-20), 0.5).tangent * 1e20, 4, 1e-10);
}
#endif

template <class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const ddx::UsageError& error) {
    return error.what();
  }
  return "no error";
}

/// The root of x^2 - a, from a solution that is given, with a tolerance.
double given_root(double a, double x, double tolerance) {
  return ddx::implicit([](double r, double b) { return r * r - b; },
                       ddx::ImplicitOptions{.tolerance = tolerance}, x, a);
}

TEST(Implicit, RefusesWhatIsNoSolution) {
  const std::string expected = "implicit: no solution: residual 0 is 0.5, tolerance 0.25";
  EXPECT_EQ(message_of([] { (void)given_root(3.5, 2.0, 0.25); }), expected);
  EXPECT_EQ(message_of([] { (void)ddx::gradient(given_root, ddx::wrt<0>, 3.5, 2.0, 0.25); }),
            expected);
  EXPECT_EQ(
      message_of([] { (void)ddx::jvp(given_root, ddx::wrt<0>, ddx::along(1.0), 3.5, 2.0, 0.25); }),
      expected);
  EXPECT_EQ(message_of([] { (void)given_root(std::nan(""), 2.0, 0.25); }),
            "implicit: no solution: residual 0 is nan, tolerance 0.25");
  EXPECT_EQ(ddx::gradient(given_root, ddx::wrt<0>, 3.5, 2.0, 0.5), 0.25);  // 1 / (2 x).
}

TEST(Implicit, RefusesASingularJacobian) {
  EXPECT_EQ(given_root(0, 0, 0.25), 0);  // The value has no need of it.
  const std::string expected =
      "implicit: the Jacobian of the residual is singular at the solution: pivot 0 of 1 is 0, at "
      "most 0";
  EXPECT_EQ(message_of([] { (void)ddx::gradient(given_root, ddx::wrt<0>, 0.0, 0.0, 0.25); }),
            expected);
  EXPECT_EQ(
      message_of([] { (void)ddx::jvp(given_root, ddx::wrt<0>, ddx::along(1.0), 0.0, 0.0, 0.25); }),
      expected);
  const auto parallel = [](double a) {
    const Vector x = ddx::implicit(
        [](const Vector& at, double b) {
          return Vector{at[0] + 2 * at[1] - b, 3 * at[0] + 6 * at[1] - 3 * b};
        },
        Vector{1, 0}, a);
    return x[0];
  };
  EXPECT_EQ(
      message_of([&] { (void)ddx::gradient(parallel, 1.0); }).substr(0, 88),
      "implicit: the Jacobian of the residual is singular at the solution: pivot 1 of 2 is 0, a");
}

TEST(Implicit, RefusesAnotherNumberOfResiduals) {
  const auto f = [](double a) {
    return ddx::implicit([](const Vector& at, double b) { return Vector{at[0] - b}; }, Vector{a, 0},
                         a)[0];
  };
  EXPECT_EQ(message_of([&] { (void)f(1.0); }),
            "implicit: the function returns 1 numbers for 2 unknowns");
  EXPECT_EQ(message_of([&] { (void)ddx::gradient(f, 1.0); }),
            "implicit: the function returns 1 numbers for 2 unknowns");
}

/// Converges where |a| < 1.
double geometric(double a, int limit) {
  return ddx::fixed_point([](double x, double b) { return b * x + 1; },
                          ddx::FixedPointOptions{.iterations = static_cast<std::size_t>(limit)},
                          1 / (1 - a), a);
}

TEST(FixedPoint, RefusesAnIterationThatDoesNotConverge) {
  EXPECT_EQ(message_of([] {
              (void)ddx::fixed_point([](double x, double b) { return b - x; },
                                     ddx::FixedPointOptions{.iterations = 7}, 0.0, 2.0);
            }),
            "fixed_point: the iteration has not converged: a change of 2, tolerance 2e-12, after 7 "
            "iterations");
  EXPECT_EQ(message_of([] {
              (void)ddx::fixed_point([](const Vector& x, double) { return Vector(x.size() + 1); },
                                     Vector{1}, 2.0);
            }),
            "fixed_point: the function returns 2 numbers for 1 unknowns");
  // The start is the fixed point, but the iteration would leave it: its derivative is none.
  EXPECT_EQ(geometric(2.0, 20), -1);
  EXPECT_EQ(message_of([] { (void)ddx::gradient(geometric, ddx::wrt<0>, 2.0, 20); }),
            "fixed_point: the derivative has not converged: a change of 1.04858e+06, tolerance "
            "2.09715e-06, after 20 iterations");
  EXPECT_EQ(message_of([] {
              (void)ddx::jvp(geometric, ddx::wrt<0>, ddx::along(1.0), 2.0, 20);
            }).substr(0, 46),
            "fixed_point: the derivative has not converged:");
  // 1 / (1 - a): 1 / (1 - a)^2.
  EXPECT_NEAR(ddx::gradient(geometric, ddx::wrt<0>, 0.5, 100), 4, 1e-11);
}
#endif

}  // namespace
