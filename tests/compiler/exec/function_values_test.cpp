/// \file
/// Functions as values: pointers, std::function, pointers to members; bound once, reassigned,
/// selected at run time, passed to functions.

#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace {
double square(double x) {
  return x * x;
}
double cube(double x) {
  return x * x * x;
}
double reassigned(double x) {
  double (*g)(double) = square;
  double s = g(x);
  g = cube;
  s += g(x) * x;
  for (int i = 0; i < 4; ++i) {
    g = i % 2 == 0 ? square : cube;
    s += g(s * 0.1) * x;
  }
  return s;
}
double reassigned_function(double x) {
  std::function<double(double)> g;
  if (x > 0)
    g = square;
  else
    g = [](double v) { return 2 * v; };
  return g(x) * x;
}
double captures_function(double x) {
  const std::function<double(double)> g = [&](double v) { return v * x; };
  auto h = [&](double v) { return g(v) + g(x); };
  return h(x) * g(2.0);
}
double captured_by_copy(double x) {
  double k = x;
  std::function<double(double)> g = [k](double v) { return v * k; };
  k = 100;
  return g(x) + k * x;
}
double mutates(double x) {
  double s = x;
  std::function<void(double)> add = [&s](double v) { s += v * s; };
  add(x);
  add(2.0);
  return s;
}
double accumulates(double x) {
  std::function<double(double)> next = [t = x](double v) mutable {
    t = t * v;
    return t;
  };
  double a = next(x);
  return a + next(2 * x);
}
double by_int(double x) {
  std::function<double(int)> g = [x](double v) { return v * x; };
  return g(3) + g(static_cast<int>(x));
}
/// A pointer that another lambda names is known at run time only.
double checkpointed_pointer(double x, double w) {
  double (*g)(double) = +[](double a) { return std::exp(0.3 * a); };
  const auto naming = [&](auto a) { return g(a) * w; };
  return x * ddx::checkpointed(g, x * w) + naming(x);
}
double integrate(const std::function<double(double)>& f, double a, double b, int n) {
  double s = 0;
  const double h = (b - a) / n;
  for (int i = 0; i < n; ++i) s += f(a + (i + 0.5) * h) * h;
  return s;
}
double integral(double x) {
  return integrate([x](double t) { return std::sin(x * t); }, 0.0, x, 8) +
         integrate(square, 0.0, x, 3);
}
template <class F>
double twice(F f, double x) {
  return f(f(x));
}
double by_template(double x) {
  return twice(square, x) + twice(&cube, 0.5 * x) +
         twice(std::function<double(double)>([x](double v) { return v + x; }), x);
}
struct Point {
  double a, b;
  double scaled(double k) const { return a * k + b; }
  void grow(double k) {
    a *= k;
    b += a;
  }
};
double members(double x) {
  Point p{x, 2 * x};
  void (Point::*m)(double) = &Point::grow;
  (p.*m)(x);
  Point* q = &p;
  (q->*m)(0.5);
  double Point::* f = &Point::a;
  q->*f += x;
  const auto g = &Point::scaled;
  return (q->*g)(x)*p.*f;
}
double invoked(double x) {
  Point p{x, 2 * x};
  return std::invoke(&Point::scaled, p, x) + std::invoke(&Point::a, p) + std::invoke(square, x);
}
double array_table(double x) {
  static constexpr std::array<double (*)(double), 3> t = {square, cube,
                                                          [](double v) { return std::exp(v); }};
  double s = x;
  for (std::size_t i = 0; i < t.size(); ++i) s += t[i](s * 0.1);
  return s;
}
struct Worker {
  double k;
  double run(double x) const {
    auto g = [*this, x](double v) { return k * v + x; };
    return g(x) * g(2.0);
  }
};
double copy_of_this(double x) {
  Worker w{x};
  return w.run(x);
}
double chosen(double x, int k) {
  return (k == 0 ? square : k == 1 ? cube : square)(x)*x;
}
double sort_with_pointer(double x) {
  bool (*less)(int, int) = [](int a, int b) { return a > b; };
  std::vector<int> v{3, 1, 2};
  std::sort(v.begin(), v.end(), less);
  return x * v[0] * x;
}

double either(double (*f)(double), double x) {
  return f(x) * x;
}
double chosen_argument(double x) {
  return either(x > 0 ? square : cube, x) + either([](double v) { return v + 1; }, x);
}
double generic_lambdas(double x) {
  double (*pointer)(double) = [](auto v) { return v * v; };
  std::function<double(double)> function = [](auto v) { return v * v * v; };
  const auto twice = [](auto f, auto v) { return f(f(v)); };
  return pointer(x) * function(x) + twice(pointer, x) +
         std::invoke([](auto v) { return v * v; }, x) + either([](auto v) { return v * v * v; }, x);
}

double empty_function_called(double x) {
  std::function<double(double)> g;
  if (x > 0) {
    g = square;
  }
  return g(x);
}
}  // namespace

auto times_square(double a) {
  return [a](double y) { return a * y * y; };
}

double closures_of_one_lambda(double x) {
  const auto p = times_square(x);
  const auto q = times_square(x * x);
  std::function<double(double)> h = p;
  double s = h(x);
  if (x > 0.5) {
    h = q;
  }
  s *= h(x);
  h = p;
  return s + h(x);
}

DDX_CHECK_GRADIENT(closures_of_one_lambda, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(checkpointed_pointer, at(0.3, 0.8), at(-0.7, 1.2), at(1.1, 0.4))
DDX_CHECK_GRADIENT(reassigned, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(reassigned_function, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(captures_function, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(captured_by_copy, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(mutates, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(accumulates, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(by_int, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(integral, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(by_template, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(members, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(invoked, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(array_table, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(copy_of_this, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(sort_with_pointer, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(chosen_argument, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(generic_lambdas, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(chosen, at(0.83, 0), at(1.7, 1), at(-1.37, 2))

#ifdef __DDX__
TEST(DDX_SUITE, an_empty_function_throws_as_ever) {
  EXPECT_DOUBLE_EQ(ddx::gradient(empty_function_called, 3.0), 6.0);
  EXPECT_THROW(static_cast<void>(ddx::gradient(empty_function_called, -3.0)),
               std::bad_function_call);
}
#endif

// --- Copies of what changes itself have a state of their own.

namespace {

double summed(std::function<double()> g) {
  return g() + g();
}

double copied_function(double x) {
  std::function<double()> a = [s = x]() mutable { return s *= 2; };
  auto b = a;
  a();
  return b();
}

double handed_over_by_value(double x) {
  std::function<double()> a = [s = x]() mutable { return s *= 2; };
  return summed(a) * summed(a);
}

double made_of_one_lambda(double x) {
  auto l = [s = x]() mutable { return s *= 2; };
  std::function<double()> a = l;
  a();
  std::function<double()> b = l;
  return b() + l() * a();
}

double moved_on(double x) {
  std::function<double()> a = [s = x]() mutable { return s *= 2; };
  std::function<double()> b = std::move(a);
  return b() + b();
}

}  // namespace

DDX_CHECK_GRADIENT(copied_function, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(handed_over_by_value, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(made_of_one_lambda, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(moved_on, at(0.83), at(1.1), at(-1.37))

// --- Functions selected by name, without `&`, and passed to functions.

namespace {

template <class F>
double called(F&& g, double x) {
  return g(x);
}

double called_pointer(double (*g)(double), double x) {
  return g(x);
}

double chosen_variable(double x) {
  double (*g)(double) = x > 1 ? square : cube;
  return called(g, x) * g(x);
}

double chosen_twice(double x) {
  double (*g)(double) = x > 1 ? square : x > 0 ? cube : *square;
  return called(g, x) + called_pointer(x < 1 ? square : cube, x);
}

double chosen_name_or_lambda(double x) {
  const auto quarter = [](double v) { return v / 4; };
  double (*g)(double) = x > 1 ? +quarter : cube;
  return called(g, x);
}

}  // namespace

// Second derivatives through functions that are known only at run time are refused.
DDX_CHECK_GRADIENT_FIRST_ORDER(chosen_variable, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT_FIRST_ORDER(chosen_twice, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT_FIRST_ORDER(chosen_name_or_lambda, at(0.83), at(1.1), at(-1.37))
