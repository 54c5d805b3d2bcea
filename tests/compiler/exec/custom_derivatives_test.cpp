#include "gradient_check.h"

#include <array>
#include <cmath>
#include <tuple>
#include <vector>

namespace custom {

struct Vec2 {
  double x = 0;
  double y = 0;
  double length(double weight) const { return weight * std::sqrt(x * x + y * y); }
  DDX_DIFFERENTIABLE(Vec2, x, y)
};

double cube(double x) {
  return x * x * x;
}
DDX_DERIVATIVE_OF(cube) auto cube_vjp(double x) {
  return ddx::vjp(x * x * x, [x](double dy) { return 3 * x * x * dy; });
}

/// A derivative that is not the function's own: the registered rule must win over the body.
double rounded(double x) {
  return std::floor(x);
}
DDX_DERIVATIVE_OF(rounded) auto rounded_vjp(double x) {
  return ddx::vjp(std::floor(x), [](double dy) { return dy; });
}

double product(double x, double y) {
  return x * y;
}
DDX_DERIVATIVE_OF(product) auto product_vjp(double x, double y) {
  return ddx::vjp(x * y, [x, y](double dz) { return std::tuple(dz * y, dz * x); });
}

double wanted_product(double x, double y) {
  return x * y;
}
DDX_DERIVATIVE_OF(wanted_product) auto wanted_product_vjp(double x, double y) {
  return ddx::vjp(x * y, [x, y](double dz, ddx::Wanted<2> wanted) {
    return std::tuple(wanted[0] ? dz * y : 1e300, wanted[1] ? dz * x : 1e300);
  });
}

double repeated(double x, int n) {
  return n * x * x;
}
DDX_DERIVATIVE_OF(repeated) auto repeated_vjp(double x, int n) {
  return ddx::vjp(n * x * x, [x, n](double dy) { return 2 * n * x * dy; });
}

double overloaded(double x) {
  return std::sin(x);
}
double overloaded(const Vec2& v) {
  return v.x * v.y;
}
DDX_DERIVATIVE_OF(overloaded) auto overloaded_vjp(double x) {
  return ddx::vjp(std::sin(x), [x](double dy) { return std::cos(x) * dy; });
}
DDX_DERIVATIVE_OF(overloaded) auto overloaded_vjp(const Vec2& v) {
  return ddx::vjp(v.x * v.y, [v](double dy) { return Vec2::TangentVector{v.y * dy, v.x * dy}; });
}

DDX_DERIVATIVE_OF(Vec2::length) auto length_vjp(const Vec2& v, double weight) {
  const double r = std::sqrt(v.x * v.x + v.y * v.y);
  return ddx::vjp(weight * r, [v, weight, r](double dl) {
    return std::tuple(Vec2::TangentVector{dl * weight * v.x / r, dl * weight * v.y / r}, dl * r);
  });
}

Vec2 operator*(double a, const Vec2& v) {
  return {a * v.x, a * v.y};
}
DDX_DERIVATIVE_OF(operator*) auto scale_vjp(double a, const Vec2& v) {
  return ddx::vjp(Vec2{a * v.x, a * v.y}, [a, v](const Vec2::TangentVector& d) {
    return std::tuple(d.x * v.x + d.y * v.y, Vec2::TangentVector{a * d.x, a * d.y});
  });
}

template <class T>
T fifth_power(T x) {
  return x * x * x * x * x;
}
template <class T>
DDX_DERIVATIVE_OF(fifth_power<T>)
auto fifth_power_vjp(T x) {
  return ddx::vjp(x * x * x * x * x, [x](T dy) { return 5 * x * x * x * x * dy; });
}

double total(const std::vector<double>& v) {
  double s = 0;
  for (const double e : v) {
    s += e;
  }
  return s;
}
DDX_DERIVATIVE_OF(total) auto total_vjp(const std::vector<double>& v) {
  return ddx::vjp(total(v), [n = v.size()](double dy) { return std::vector<double>(n, dy); });
}

std::vector<double> powers(double x, int n) {
  std::vector<double> result;
  double p = 1;
  for (int i = 0; i < n; ++i) {
    result.push_back(p);
    p *= x;
  }
  return result;
}
DDX_DERIVATIVE_OF(powers) auto powers_vjp(double x, int n) {
  return ddx::vjp(powers(x, n), [x, n](const std::vector<double>& d) {
    double slope = 0;
    double p = 1;
    for (int i = 1; i < n; ++i) {
      slope += i * p * d[i];
      p *= x;
    }
    return slope;
  });
}

double one_argument(double x) {
  return cube(x) * x + cube(cube(x));
}
double two_arguments(double x, double y) {
  return product(x, product(y, y)) + product(x, 2);
}
double asks_what_is_wanted(double x, double y) {
  return wanted_product(x, 3) * wanted_product(2, y);
}
double integer_argument(double x, int n) {
  return repeated(x, n) + repeated(2, n) * x;
}
double picks_overload(double x, double y) {
  return overloaded(x) * overloaded(Vec2{x * x, y});
}
double member_function(const Vec2& v, double w) {
  return v.length(w) * w + v.length(2);
}
double operator_function(double a, const Vec2& v) {
  const Vec2 scaled = a * (a * v);
  return scaled.x * scaled.y;
}
double function_template(double x) {
  return fifth_power(x) * x;
}
double vector_argument(const std::vector<double>& v) {
  std::vector<double> w = v;
  w[0] *= 2;
  return total(w) * total(v);
}
double vector_result(double x, int n) {
  return total(powers(x, n)) * x;
}
double inside_loop(double x, int n) {
  double s = x;
  for (int i = 0; i < n; ++i) {
    s = product(s, cube(x)) + repeated(s, i);
  }
  return s;
}
/// Nothing reads what the calls return.
double unused_result(double x, int n) {
  [[maybe_unused]] const double c = cube(x);
  powers(x * x, n);
  return x * x;
}

DDX_CHECK_GRADIENT(unused_result, at(0.5, 2), at(-1.2, 3), at(1.1, 1))
DDX_CHECK_GRADIENT(one_argument, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(two_arguments, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(asks_what_is_wanted, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(integer_argument, at(0.5, 3), at(-1.2, 0), at(2.0, 2))
DDX_CHECK_GRADIENT(picks_overload, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(member_function, at(Vec2{0.5, 1.0}, 0.4), at(Vec2{-1.2, 0.4}, 2.0),
                   at(Vec2{2.0, -0.7}, -1.0))
DDX_CHECK_GRADIENT(operator_function, at(0.4, Vec2{0.5, 1.0}), at(2.0, Vec2{-1.2, 0.4}),
                   at(-1.0, Vec2{2.0, -0.7}))
DDX_CHECK_GRADIENT(function_template, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(vector_argument, at(std::vector{0.5, -1.0}), at(std::vector{0.7}),
                   at(std::vector{0.2, 0.3, 0.4}))
// Of a vector that only a pullback is registered for, forward mode cannot be had.
DDX_CHECK_GRADIENT_REVERSE(vector_result, at(0.5, 3), at(-1.2, 1), at(1.1, 4))
DDX_CHECK_GRADIENT(inside_loop, at(0.5, 3), at(-1.2, 0), at(0.9, 4))

#ifdef __DDX__
double straight_through(double x) {
  return rounded(x) * x;
}

TEST(DDX_SUITE, registered_derivative_wins_over_the_body) {
  // d/dx (r(x) x) with r' registered as 1: r(x) + x.
  EXPECT_DOUBLE_EQ(ddx::gradient(straight_through, 2.75), 2 + 2.75);
  EXPECT_DOUBLE_EQ(ddx::gradient(rounded, -0.5), 1);
}
#endif

}  // namespace custom
