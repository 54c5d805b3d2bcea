// Loops over ranges seen through std::views.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <deque>
#include <functional>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

namespace {

namespace views = std::views;

std::vector<double> powers(double x, double y) {
  return {x, x * y, 0.5 * y, x * x, y * y * x};
}

double backwards(double x, double y) {
  const std::vector<double> v = powers(x, y);
  double sum = 0.0;
  for (const double e : v | views::reverse) {
    sum = sum * x + e * y;
  }
  return sum;
}

double first_and_last(double x, double y) {
  const std::vector<double> v = powers(x, y);
  double sum = 0.0;
  for (const double& e : v | views::take(2)) {
    sum = sum * y + e;
  }
  for (const double& e : v | views::drop(3)) {
    sum = sum * y + e;
  }
  for (const double& e : v | views::reverse | views::take(2)) {
    sum = sum * y + e;
  }
  for (const double& e : v | views::take(4) | views::reverse | views::drop(1)) {
    sum = sum * y + e;
  }
  for (const double& e : views::drop(views::reverse(views::take(v, 4)), 2)) {
    sum = sum * y + e;
  }
  return sum;
}

double too_many(double x, double y) {
  const std::vector<double> v = powers(x, y);
  double sum = x;
  for (const double e : v | views::take(9)) {
    sum = sum * y + e;
  }
  for (const double e : v | views::drop(9)) {
    sum = sum * y + e;
  }
  for (const double e : v | views::reverse | views::take(7) | views::drop(2) | views::take(0)) {
    sum = sum * y + e;
  }
  const std::vector<double> none;
  for (const double e : none | views::reverse | views::drop(1)) {
    sum = sum * y + e;
  }
  return sum;
}

double written_backwards(double x, double y) {
  std::vector<double> v = powers(x, y);
  double last = y;
  for (double& e : v | views::reverse | views::drop(1)) {
    e = e * last + x;
    last = e;
  }
  return v[0] * v[1] + v[4];
}

double half(double a) {
  return 0.5 * a * a;
}

struct Shifted {
  double by = 0;
  double operator()(double a) const { return a * by + by; }
};

double transformed(double x, double y) {
  const std::vector<double> v = powers(x, y);
  double sum = 0.0;
  double factor = x;
  for (const double e : v | views::transform([factor](double a) { return factor * a; })) {
    factor *= y;  // The view has a copy.
    sum = sum * y + e;
  }
  for (const double e : v | views::transform([&](const auto& a) { return std::sin(factor * a); })) {
    factor += e;
    sum = sum * x + e;
  }
  for (const double e : views::transform(v, half) | views::transform(Shifted{y})) {
    sum = sum * x + e;
  }
  return sum;
}

struct Point {
  double at = 0;
  double speed = 0;
  [[nodiscard]] double energy() const { return speed * speed * at; }
};

double members(double x, double y) {
  std::vector<Point> points{{x, y}, {x * y, 2.0}, {1.0, x}};
  for (double& at : points | views::transform(&Point::at)) {
    at *= x;
  }
  for (double& speed : points | views::transform([](Point& p) -> double& { return p.speed; })) {
    speed += y;
  }
  double sum = 0.0;
  for (const Point& p : points | views::reverse) {
    sum = sum * y + p.energy();
  }
  for (const double e : points | views::transform(&Point::energy)) {
    sum = sum * y + e;
  }
  for (const auto& [at, speed] : points | views::take(2)) {
    sum = sum * at + speed;
  }
  return sum;
}

double filtered(double x, double y) {
  const std::vector<double> v{x, -y, x * y, 0.0, y};
  double sum = x;
  for (const double e : v | views::filter([](double a) { return a > 0.0; })) {
    sum = sum * y + std::sqrt(e);
  }
  for (const double e : v | views::filter([&](double a) { return a > 0.0 && sum > 0.0; }) |
                            views::transform([](double a) { return std::log(a); }) |
                            views::reverse) {
    sum = 0.5 * sum + e * e;
  }
  for (const double e : v | views::transform([&](double a) { return a + x; }) |
                            views::filter([](double a) { return a > 0.1; })) {
    sum = sum * y + e;
  }
  return sum;
}

double left_early(double x, double y) {
  const std::vector<double> v = powers(x, y);
  double sum = 0.0;
  for (const double e : v | views::filter([](double a) { return a > 0.3; }) | views::reverse) {
    if (e > 2.0) {
      continue;
    }
    sum = sum * x + e;
    if (sum > 3.0) {
      break;
    }
    for (const double other : v | views::take(2)) {
      if (sum > 2.5) {
        return sum * other;
      }
      sum += 0.1 * other * e;
    }
  }
  return sum * y;
}

double pairs(double x, double y) {
  std::vector<std::pair<int, double>> v{{1, x}, {2, x * y}, {3, y}};
  for (double& value : v | views::values | views::drop(1)) {
    value *= x;
  }
  double sum = 0.0;
  for (const auto& [number, value] : v | views::reverse) {
    sum = sum * y + number * value;
  }
  for (const int number : v | views::keys) {
    sum *= number * x;
  }
  return sum;
}

double numbers(double x, double y) {
  const std::vector<double> v = powers(x, y);
  const auto at = [&](int i) { return v[static_cast<std::size_t>(i)] * x; };
  double sum = 0.0;
  for (const double e : views::iota(1, 4) | views::transform(at)) {
    sum = sum * y + e;
  }
  for (const double e : views::iota(0, 5) | views::filter([](int i) { return i % 2 == 0; }) |
                            views::transform(at) | views::reverse) {
    sum = sum * y + e;
  }
  for (const double e : views::iota(1) | views::transform(at) | views::take(3)) {
    sum = sum * x + e;
  }
  for (const std::size_t i : views::iota(std::size_t{1}, v.size())) {
    sum += v[i] * v[i - 1];
  }
  return sum;
}

double other_ranges(double x, double y) {
  const std::array<double, 3> a{x, y, x * y};
  const double c[] = {y, x * x};
  const std::deque<double> d{x, 2.0 * y, x / y};
  const std::vector<double> v = powers(x, y);
  const std::span<const double> s(v.data() + 1, 3);
  double sum = 0.0;
  for (const double e : a | views::reverse) {
    sum = sum * x + e;
  }
  for (const double e : c | views::reverse) {
    sum = sum * x + e;
  }
  for (const double e : d | views::drop(1) | views::reverse) {
    sum = sum * x + e;
  }
  for (const double e : s | views::reverse | views::take(2)) {
    sum = sum * x + e;
  }
  for (const double e : powers(y, x) | views::reverse) {
    sum = sum * x + e;
  }
  return sum;
}

double kept_in_variables(double x, double y) {
  std::vector<double> v = powers(x, y);
  int count = 2;
  double factor = x;
  const auto scaled = v | views::transform([factor](double a) { return a * factor; });
  auto last = v | views::reverse | views::take(count);
  const auto below = views::iota(count, 4) | views::transform([&](int i) { return i * factor; });
  count = 5;
  factor = y;
  v[4] *= x;  // A view shows what is there now.
  double sum = 0.0;
  for (const double e : scaled | views::drop(1)) {
    sum = sum * y + e;
  }
  for (double& e : last) {
    e *= y;
    sum = sum * x + e;
  }
  for (const double e : below) {
    sum = sum * x + e;
  }
  return sum * v[3];
}

double nested(double x, double y) {
  std::vector<std::vector<double>> rows{{x, y}, {x * y, 1.0, y}, {}};
  double sum = 0.0;
  for (auto& row : rows | views::reverse) {
    for (double& e : row | views::reverse) {
      sum = sum * x + e;
      e = sum;
    }
  }
  for (const std::vector<double>& row :
       rows | views::filter([](const std::vector<double>& r) { return !r.empty(); })) {
    sum += row[0] * row[0];
  }
  return sum;
}

DDX_CHECK_GRADIENT(backwards, at(1.3, 0.7), at(-0.4, 1.9), at(0.0, 1.0))
DDX_CHECK_GRADIENT(first_and_last, at(1.3, 0.7), at(-0.4, 1.9), at(0.0, 1.0))
DDX_CHECK_GRADIENT(too_many, at(1.3, 0.7), at(-0.4, 1.9), at(0.0, 1.0))
DDX_CHECK_GRADIENT(written_backwards, at(1.3, 0.7), at(-0.4, 1.9), at(0.0, 1.0))
DDX_CHECK_GRADIENT(transformed, at(1.3, 0.7), at(-0.4, 1.1), at(0.6, 1.0))
DDX_CHECK_GRADIENT(members, at(1.3, 0.7), at(-0.4, 1.9), at(0.0, 1.0))
DDX_CHECK_GRADIENT(filtered, at(1.3, 0.7), at(0.4, 1.9), at(2.2, 1.1))
DDX_CHECK_GRADIENT(left_early, at(1.3, 0.7), at(1.4, 1.9), at(0.6, 1.1))
DDX_CHECK_GRADIENT(pairs, at(1.3, 0.7), at(-0.4, 1.9), at(0.0, 1.0))
DDX_CHECK_GRADIENT(numbers, at(1.3, 0.7), at(-0.4, 1.9), at(0.0, 1.0))
DDX_CHECK_GRADIENT(other_ranges, at(1.3, 0.7), at(-0.4, 1.9), at(0.2, 1.0))
DDX_CHECK_GRADIENT(kept_in_variables, at(1.3, 0.7), at(-0.4, 1.9), at(0.0, 1.0))
DDX_CHECK_GRADIENT(nested, at(1.3, 0.7), at(-0.4, 1.9), at(0.0, 1.0))

}  // namespace
