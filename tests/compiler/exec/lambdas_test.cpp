#include "gradient_check.h"

#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace {

double without_capture(double x) {
  const auto square = [](double v) { return v * v; };
  return square(square(x)) + square(3);
}

struct Well {
  double depth = 1;
  double width = 1;
};

double captured_by_value(double x, double y) {
  double a = x * y;
  const auto f = [a, y](double v) { return a * v + y; };
  a = 100;
  return f(x) * f(2) + a * y;
}

double captured_by_reference(double x) {
  double sum = 0;
  const auto add = [&sum, x](double v) { sum += v * x; };
  add(1);
  add(x);
  sum *= sum;
  add(2 * x);
  return sum;
}

double captured_all_by_reference(double x, double y) {
  double a = x;
  double b = y;
  const auto step = [&] {
    const double t = a * b;
    b = a + b;
    a = t;
  };
  for (int i = 0; i < 3; ++i) {
    step();
  }
  return a * b;
}

double captured_all_by_value(double x, double y) {
  const double a = x * x;
  const auto f = [=](double v) { return a * y * v; };
  return f(x) + f(y);
}

double init_capture(double x) {
  const auto f = [y = x * x, n = 3](double v) { return std::pow(v, n) * y; };
  return f(x) + f(0.5);
}

double mutable_state(double x) {
  auto next = [state = x]() mutable {
    state = state * state + 0.1;
    return state;
  };
  const double first = next();
  const double second = next();
  return first * second + next();
}

double copied_closure(double x) {
  auto next = [state = x]() mutable { return state *= 2; };
  next();
  auto other = next;
  return next() * other() * other();
}

double invoked_at_once(double x) {
  const double y = [&] {
    if (x > 0) {
      return x * x;
    }
    return -x;
  }();
  return y * x;
}

double generic(double x, int n) {
  const auto multiply = [](auto a, auto b) { return a * b; };
  return multiply(x, x) * multiply(n, 2) + multiply(n, x);
}

double capturing_a_lambda(double x, double y) {
  const auto inner = [x](double v) { return x * v; };
  const auto outer = [inner, &y](double v) { return inner(v) + y * inner(y); };
  return outer(x) * inner(1);
}

double nested_lambdas(double x) {
  const auto outer = [&x](double a) {
    double local = a;
    const auto inner = [&](double b) {
      local *= b;
      return local + x;
    };
    return inner(x) * inner(2);
  };
  return outer(x) + outer(1);
}

double captured_array(const std::array<double, 3>& a) {
  const auto f = [a](double v) { return a[0] + a[1] * v + a[2] * v * v; };
  return f(0.5) * f(a[1]);
}

double captured_vector(const std::vector<double>& a) {
  const auto by_value = [a](int i) { return a[i] * a[i]; };
  const auto by_reference = [&a](int i) { return a[i] * a[0]; };
  double s = 0;
  for (int i = 0; i < static_cast<int>(a.size()); ++i) {
    s += by_value(i) * by_reference(i) + s;
  }
  return s;
}

/// Structured bindings, by value and by reference, some changed afterwards.
double captured_bindings(double x, double y) {
  const std::array<double, 2> v{x, y};
  auto [a, b] = v;
  const auto product = [&] { return a * b; };
  const auto line = [a, b](double t) { return a * t + b; };
  a *= x;
  Well well{x * y, y};
  auto& [depth, width] = well;
  const auto deepen = [&](double t) {
    depth += t;
    return depth * width;
  };
  return product() + line(2) * deepen(x) +
         std::accumulate(v.begin(), v.end(), 0.5, [&](double s, double e) { return s * b + e; });
}

/// What is returned by reference refers to the copies; outside, the names are the variables' again.
double returns_its_copy(double x) {
  double k = x;
  std::array<double, 2> v{x, 2 * x};
  auto [a, b] = v;
  const auto copy = [k]() -> const double& { return k; };
  const auto part = [b]() -> const double& { return b; };
  k = 3 * x;
  b *= x;
  auto grow = [k](double by) mutable -> double& { return k *= by; };
  grow(k) += x;
  k *= k;
  const double before = copy() * part() + grow(k);
  return before * k * b * a;
}

/// A lambda with a capture default has no default constructor, though it captures nothing.
double captures_nothing_by_default(double x) {
  const double table[3] = {1, 2, 3};
  const auto cube = [&](double v) { return v * v * v; };
  const double constant = std::transform_reduce(std::begin(table), std::end(table), 0.5,
                                                std::plus<>(), [=](double v) { return v * v; });
  return cube(x) * constant * std::accumulate(table, table + 3, cube(2.0));
}

const std::array p1{0.5, 1.0, -2.0};
const std::array p2{1.5, -1.0, 0.4};
const std::array p3{0.5, 0.0, 0.7};

struct Level {
  double height;
};

double damped(double a, double b) {
  return a * std::sin(b);
}

// Nothing reads what the lambda returns, but it is of use inside.
double result_without_use(double x, double y) {
  Level level{x};
  const Level other{y};
  {
    [[maybe_unused]] const double q = [&]() -> double {
      level.height = damped(-0.8, other.height * level.height);
      return other.height;
    }();
  }
  return level.height * x;
}
DDX_CHECK_GRADIENT(result_without_use, at(2.0, 0.7), at(-0.4, 1.3), at(0.6, -0.5))

DDX_CHECK_GRADIENT(without_capture, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(captured_by_value, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(captured_by_reference, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(captured_all_by_reference, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(captured_all_by_value, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(init_capture, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(mutable_state, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(copied_closure, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(invoked_at_once, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(generic, at(0.5, 3), at(-1.2, 1), at(1.1, 0))
DDX_CHECK_GRADIENT(capturing_a_lambda, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(nested_lambdas, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(captured_bindings, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(returns_its_copy, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(captures_nothing_by_default, at(0.5), at(-1.2), at(1.1))
DDX_CHECK_GRADIENT(captured_array, at(p1), at(p2), at(p3))
DDX_CHECK_GRADIENT(captured_vector, at(std::vector{0.5, -1.0, 2.0}), at(std::vector{1.5}),
                   at(std::vector{-0.4, 0.3}))

}  // namespace
