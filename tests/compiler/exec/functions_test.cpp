#include "gradient_check.h"

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>

namespace shapes {

double cube(double x) {
  return x * x * x;
}

namespace inner {
double cube(double x) {
  return shapes::cube(x) + x;
}
}  // namespace inner

}  // namespace shapes

namespace {

double qualified_names(double x) {
  return shapes::cube(x) - 2 * shapes::inner::cube(0.5 * x);
}

double weigh(int n) {
  return 0.5 * n;
}
double weigh(double x) {
  return x * x;
}
double weigh(double x, double y) {
  return x * y;
}

double overloads(double x) {
  return weigh(3) * weigh(x) + weigh(x, weigh(2 * x));
}

double with_defaults(double x, double factor = 2, double power = 3) {
  return factor * std::pow(x, power);
}

double default_arguments(double x, double y) {
  return with_defaults(x) + with_defaults(x, y) + with_defaults(x, y, 2);
}

template <class T>
T twice(T x) {
  return x + x;
}

template <>
double twice<double>(double x) {
  return 2 * x + x * x;
}

double specialisation(double x, int n) {
  return twice(x) * twice(n) + twice(static_cast<float>(n));
}

template <int N, class T>
T scaled_by(T x) {
  return N * x;
}

double two_instances(double x) {
  return scaled_by<2>(x) * scaled_by<5>(x * x) + scaled_by<3>(4);
}

template <class... Terms>
auto sum(Terms... terms) {
  return (terms + ...);
}

double variadic_sum(double x, double y) {
  return sum(x, x * y, y * y) * sum(x, 1.0);
}

template <class First, class... Rest>
double horner(double x, First first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return first;
  } else {
    return first + x * horner(x, rest...);
  }
}

double variadic_recursion(double x, double a) {
  return horner(x, a, 2 * a, 3.0, a * a);
}

auto abbreviated(const auto& x, std::floating_point auto y) {
  return x * y + y;
}

double abbreviated_template(double x) {
  return abbreviated(x, x * x) + abbreviated(2, x);
}

constexpr double constant_expression(double x) {
  return x * (x + 1);
}

double constexpr_function(double x) {
  constexpr double c = constant_expression(3);
  return c * constant_expression(x);
}

double result_used_twice(double x) {
  const double s = shapes::cube(x);
  return s * s + s;
}

double same_function_many_sites(double x, double y) {
  double r = shapes::cube(x);
  r += shapes::cube(y) * shapes::cube(r);
  for (int i = 0; i < 3; ++i) {
    r = shapes::cube(0.2 * r) + y;
  }
  return r;
}

double nested_calls(double x) {
  return shapes::cube(std::sin(shapes::cube(std::cos(x))));
}

double argument_order(double x) {
  double a = x;
  const auto step = [&a] {
    a *= 2;
    return a;
  };
  const std::array<double, 3> values{step(), step(), step()};
  return values[0] * values[1] + values[2] * x;
}

void no_result(double, double& out) {
  out = 3;
}

double void_function(double x) {
  double a = x * x;
  no_result(x, a);
  return a * x;
}

double inactive_argument(double x, int n) {
  const auto table = [n](int i) { return 1.0 / (n + i); };
  return table(1) * x + table(2) * x * x;
}

template <class... Terms>
double mean_of(Terms... terms) {
  return (terms + ...) / sizeof...(terms);
}

template <int... D>
double waves(double x) {
  double s = 0;
  const int d[] = {D...};
  for (std::size_t a = 0; a < sizeof...(D); ++a) {
    s += d[a] * std::sin(x * static_cast<double>(a));
  }
  return s;
}

double length_of_a_pack(double x) {
  return mean_of(x, 2 * x, x * x) * waves<1, 2, 3>(x);
}

double pack_of_a_lambda(double x) {
  double r = x;
  const auto doubled = [&r](auto... t) {
    r *= 2;
    return sizeof...(t);
  };
  const auto n = static_cast<double>(doubled(x, x * x));
  return r * n;
}

DDX_CHECK_GRADIENT(length_of_a_pack, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(pack_of_a_lambda, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(qualified_names, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(overloads, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(default_arguments, at(0.5, 1.0), at(1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(specialisation, at(0.5, 3), at(-1.2, 1), at(2.0, 0))
DDX_CHECK_GRADIENT(two_instances, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(variadic_sum, at(0.5, 1.0), at(1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(variadic_recursion, at(0.5, 1.0), at(1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(abbreviated_template, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(constexpr_function, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(result_used_twice, at(0.5), at(-1.2), at(1.5))
DDX_CHECK_GRADIENT(same_function_many_sites, at(0.5, 1.0), at(0.2, 0.4), at(0.9, -0.7))
DDX_CHECK_GRADIENT(nested_calls, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(argument_order, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(void_function, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(inactive_argument, at(0.5, 3), at(-1.2, 1), at(2.0, 7))

}  // namespace
