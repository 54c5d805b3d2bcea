/// \file
/// std::tuple and std::pair: made, decomposed, changed, tied, applied, within other objects.

#include "gradient_check.h"

#include <array>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

namespace {
std::tuple<double, double, int> several(double x) {
  return {x, x * x, 2};
}
double bound_by_value(double x) {
  auto [a, b, n] = several(x);
  return a * b * n;
}
double bound_by_reference(double x) {
  std::tuple<double, double> t{x, 2 * x};
  auto& [a, b] = t;
  a *= b;
  return std::get<0>(t) * std::get<1>(t);
}
std::tuple<double, double> both(double x) {
  return std::make_tuple(x, x * x);
}
double tied(double x) {
  double a = 0;
  double b = 0;
  std::tie(a, b) = both(x);
  std::tie(b, std::ignore) = std::make_pair(b * a, a);
  std::tie(a, b) = std::make_tuple(b, a * x);
  return a * b + a;
}
double applied(double x) {
  auto t = std::make_tuple(x, x * x, 2.0, 3);
  return std::apply([x](double a, double b, double c, int n) { return a * b * c * n + x; }, t);
}
double by_type(double x) {
  std::tuple<double, int> t(x, 3);
  std::get<double>(t) *= x;
  return std::get<0>(t) * std::get<int>(t);
}
double nested(double x) {
  std::pair<std::tuple<double, double>, int> p{{x, 2 * x}, 3};
  auto& [t, n] = p;
  std::get<1>(t) += std::get<0>(t) * x;
  return std::get<1>(t) * std::get<0>(t) * n;
}
double changes(std::tuple<double, std::vector<double>>& t, double x) {
  std::get<0>(t) += x;
  std::get<1>(t).push_back(x * x);
  return std::get<1>(t).back();
}
double with_a_vector(double x) {
  std::tuple<double, std::vector<double>> t(x, {1.0, x});
  double s = changes(t, x);
  auto copy = t;
  std::get<0>(copy) *= 2;
  for (double v : std::get<1>(copy)) s += v * v * std::get<0>(copy);
  return s;
}
struct Part {
  double a;
  std::vector<double> v;
};
double with_a_struct(double x) {
  std::tuple<Part, int> t{Part{x, {x, 2.0}}, 2};
  std::get<0>(t).v[1] = x * x;
  Part p = std::get<0>(t);
  return p.a * p.v[1] * std::get<1>(t) + std::get<0>(t).v[0];
}
double state_in_a_loop(double x) {
  std::tuple<double, double> s{x, 1.0};
  for (int i = 0; i < 4; ++i) s = {std::get<1>(s) * x, std::get<0>(s) + 0.5};
  const auto& [a, b] = s;
  return a * b;
}
double in_a_vector(double x) {
  std::vector<std::tuple<int, double>> v;
  v.emplace_back(std::make_tuple(1, x));
  v.push_back({2, x * x});
  double s = 0;
  for (const auto& [k, w] : v) s += k * w * w;
  return s;
}
double passed(const std::tuple<double, double>& t, double k) {
  return std::get<0>(t) * k + std::get<1>(t) * std::get<1>(t);
}
struct Templated {
  template <class A, class B>
  A operator()(const A& a, const B& b) const {
    return a * b * b;
  }
};

double applied_templates(double x) {
  const Templated product;
  const std::tuple pair(x, x * x);
  const auto captured = [&](const std::tuple<double, double>& t) { return std::apply(product, t); };
  return std::apply(product, std::tuple(x, 3 * x)) + captured(pair) +
         std::apply([](auto... all) { return (all * ...); }, std::tuple(x, 2 * x, x)) +
         std::apply([&](const auto& a, auto b) { return a * b * x; }, pair);
}

struct Overloaded {
  double operator()(double a, double b) const { return a * b; }
  template <class A, class B>
  double operator()(A a, B b) const {
    return a + b;
  }
  template <class A>
  A operator()(A a) const {
    return a * a;
  }
  template <class A>
  A operator()(A a) {
    return a * a * a;
  }
};
struct MoreSpecial {
  template <class A, class B>
  double operator()(A a, B b) const {
    return a + b;
  }
  template <class A>
  double operator()(A a, A b) const {
    return a * b;
  }
};
struct WithDefault {
  double operator()(double a, double b = 2) const { return a * b * a; }
};

// The library chooses among the call operators as a call does.
double applied_overloads(double x) {
  Overloaded object;
  const Overloaded constant;
  double sum = std::apply(object, std::tuple(x, x * x));
  sum += x * std::apply(object, std::tuple(x)) + std::apply(constant, std::tuple(3 * x));
  sum += std::apply(object, std::tuple(x, 2)) * x;
  sum +=
      std::apply(MoreSpecial{}, std::tuple(x, x * x)) * std::apply(MoreSpecial{}, std::pair(x, 3));
  sum += std::invoke(constant, x) * std::invoke(object, x, 2 * x) + std::invoke(object, 2 * x);
  return sum * std::apply(WithDefault{}, std::tuple(x));
}

void scale(double& a, double b) {
  a *= b * a;
}

// The elements themselves are handed over: they may be changed.
double applied_to_references(double x) {
  std::tuple t(x, 2 * x, x * x);
  std::apply([](auto&... each) { ((each *= each), ...); }, t);
  std::pair p(x, 3 * x);
  std::apply(scale, p);
  std::apply(
      [&](double& a, const double& b) {
        a += b * x;
        x = a;
      },
      p);
  double a = x;
  double b = 2 * x;
  std::array three{x, 2 * x, x * x};
  std::apply(
      [](double& u, double& v) {
        u *= v;
        v = u * u;
      },
      std::tie(a, b));
  std::apply(scale, std::forward_as_tuple(a, b));
  void (*chosen)(double&, double) = x > 1 ? scale : +[](double& u, double v) { u += v; };
  std::apply(chosen, std::tie(b, x));
  std::apply([&](auto&... each) { ((each *= a, b += each), ...); }, three);
  return std::get<0>(t) + std::get<1>(t) * std::get<2>(t) + p.first * p.second + x * a + b;
}

}  // namespace

DDX_CHECK_GRADIENT(bound_by_value, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(bound_by_reference, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(tied, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(applied, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(applied_templates, at(0.83), at(1.1), at(-1.7))
DDX_CHECK_GRADIENT(applied_overloads, at(0.83), at(1.1), at(-0.7))
DDX_CHECK_GRADIENT(applied_to_references, at(0.83), at(0.57), at(-0.7))
DDX_CHECK_GRADIENT(by_type, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(nested, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(with_a_vector, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(with_a_struct, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(state_in_a_loop, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(in_a_vector, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(both, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(passed, at(std::tuple(0.83, 0.5), 2.0), at(std::tuple(1.7, -0.5), 3.0),
                   at(std::tuple(-1.37, 0.2), 1.0))
