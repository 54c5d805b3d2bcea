// Members without derivative, handed to functions: constant there, whatever else of their object
// is active.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <tuple>
#include <utility>
#include <vector>

namespace {

struct Scale {
  double factor = 1;
  double operator()(double x) const { return std::sin(factor * x) + x * x; }
  DDX_DIFFERENTIABLE(Scale, factor)
};

template <class Inner>
struct Fixed {
  Inner inner;
  double operator()(double x) const { return inner(x); }
  DDX_DIFFERENTIABLE(Fixed)
  DDX_NO_DERIVATIVE(inner)
};

template <class First, class Second>
struct Chain {
  First first;
  Second second;
  double operator()(double x) const { return second(first(x)); }
  DDX_DIFFERENTIABLE(Chain, first, second)
};

using FixedScale = Fixed<Scale>;

double nothing_active_goes_in(const Chain<FixedScale, Scale>& m, int n) {
  return m(0.5 * n);
}

double something_active_goes_in(const Chain<FixedScale, Scale>& m, double x) {
  return m(x);
}

double fixed_last(const Chain<Scale, FixedScale>& m, int n) {
  return m(0.5 * n);
}

double fixed_between(const Chain<Scale, Chain<FixedScale, Scale>>& m, int n) {
  return m(0.5 * n);
}

double two_fixed(const Chain<FixedScale, Chain<FixedScale, Scale>>& m, int n) {
  return m(0.5 * n);
}

double fixed_on_one_path(const Chain<FixedScale, Scale>& m, int n) {
  const double y = m.first(n) * m.second(n);
  return y + m.first(m.first(y)) + m.first(m.first(0.25));
}

struct Model {
  double w = 1;
  double c = 1;
  std::array<double, 3> table{};
  std::vector<double> history;
  DDX_DIFFERENTIABLE(Model, w)
  DDX_NO_DERIVATIVE(c, table, history)
};

double squared(const double& x) {
  return x * x;
}

double by_reference(const Model& m) {
  return m.w * squared(m.c) + squared(m.w) + squared(m.table[1]);
}

double total(const double* x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i];
  }
  return s;
}

double by_pointer(const Model& m) {
  return m.w * m.w * total(m.table.data(), 3) + total(&m.c, 1) + total(&m.w, 1);
}

std::vector<double> halved(const std::vector<double>& x) {
  std::vector<double> y;
  for (const double each : x) {
    y.push_back(each / 2);
  }
  return y;
}

double objects(const Model& m) {
  const std::vector<double> half = halved(m.history);
  double s = 0;
  for (std::size_t i = 0; i < half.size(); ++i) {
    s += half[i] * std::pow(m.w, static_cast<double>(i));
  }
  return s;
}

void raise(double& x, double by) {
  x = x * x + by;
}

// What a function changes of them stays constant; what it changes by them does not.
double changed_in_place(const Model& m) {
  Model copy = m;
  raise(copy.c, 2);
  raise(copy.w, copy.c);
  raise(copy.w, m.table[0]);
  return copy.w * copy.c;
}

struct Series {
  std::vector<double> x;
  std::vector<double> kept;
  DDX_DIFFERENTIABLE(Series, x)
  DDX_NO_DERIVATIVE(kept)
};

void extend(std::vector<double>& v, int n) {
  for (int i = 0; i < n; ++i) {
    v.push_back(v.back() * v.front());
  }
}

double grown_in_place(const Series& s, int n) {
  Series copy = s;
  extend(copy.kept, n);
  extend(copy.x, n);
  double sum = 0;
  for (std::size_t i = 0; i < copy.x.size(); ++i) {
    sum += copy.x[i] * copy.kept[i];
  }
  return sum;
}

double in_a_loop(const Chain<std::vector<FixedScale>, Scale>& m, int n) {
  double s = 0;
  for (const FixedScale& each : m.first) {
    for (int i = 1; i <= n; ++i) {
      s += each(i) * m.second(s);
      s = m.second.factor > i ? each(i + 1) : s + each(0.1);
    }
  }
  return s * m.second(1);
}

double powered(const double& x, int n) {
  return n == 0 ? 1 : x * powered(x, n - 1);
}

double recursive(const Model& m, int n) {
  return m.w * powered(m.c, n) + powered(m.w, n);
}

template <class F>
double twice(const F& f, const double& x) {
  return f(f(x));
}

double through_lambdas(const Model& m) {
  const double shift = 0.5;
  const auto fixed = [&m, shift](double x) { return squared(m.c) * x + shift; };
  const auto open = [&m](double x) { return m.w * x; };
  return twice(fixed, m.c) * twice(open, m.w) + twice(fixed, m.w) + twice(open, m.c);
}

double read_so_far = 0;

double noted(const double& x) {
  read_so_far += x;
  return x + 1;
}

double noted_elsewhere(const Model& m) {
  return m.w * m.w * noted(m.c);
}

struct Whole {
  Fixed<Scale> listed;
  Fixed<Scale> left_out;
  double w = 1;
  double operator()(double x) const { return left_out(listed(x)) * w + listed(w) + left_out(w); }
  DDX_DIFFERENTIABLE(Whole, listed, w)
  DDX_NO_DERIVATIVE(left_out)
};

double in_a_class_of_the_user(const Whole& m, int n) {
  return m(0.5 * n) + m.left_out(n) * m(m.w);
}

FixedScale first_of(const Chain<FixedScale, Scale>& m) {
  return m.first;
}

// Objects whose class lists no members, made, copied, assigned, swapped and handed back beside
// active ones.
double objects_without_slopes(const Chain<FixedScale, Scale>& m, double x) {
  const FixedScale handed_back = first_of(m);
  FixedScale copy = m.first;
  FixedScale other{{1.5}};
  std::swap(copy, other);
  Chain<FixedScale, Scale> made{handed_back, {m.second.factor * x}};
  double s = made(x) + other(m.second(0.5));
  made.first = copy;
  s += made(x) * copy(0.5);
  made = m;
  const std::pair<FixedScale, double> pair{copy, x};
  return s + made(0.25) * pair.first(pair.second);
}

double lengthened(const Chain<std::vector<FixedScale>, Scale>& m, double x) {
  Chain<std::vector<FixedScale>, Scale> copy = m;
  copy.first.push_back(m.first.front());
  copy.first.insert(copy.first.end(), FixedScale{{0.75}});
  std::vector<FixedScale> apart;
  for (const FixedScale& each : copy.first) {
    apart.push_back(each);
    x = each(x) * copy.second(each(0.5));
  }
  apart.resize(2);
  return x * apart.back()(x) * m.second(apart.front()(1));
}

double checkpoint(const Model& m) {
  return ddx::checkpointed([](const Model& k) { return squared(k.c) + k.w * squared(k.c); }, m) +
         m.w * ddx::checkpointed([](double x) { return x * x; }, m.c);
}

double inner_gradient(const Model& m) {
  const auto square = [](double x) { return x * x * x; };
  return m.w * ddx::gradient(square, squared(m.c)) + ddx::gradient(square, m.w);
}

using Open = Chain<FixedScale, Scale>;
const Open o1{{{0.7}}, {0.5}};
const Open o2{{{-0.3}}, {1.2}};
const Open o3{{{1.1}}, {-0.4}};

DDX_CHECK_GRADIENT(nothing_active_goes_in, at(o1, 1), at(o2, 2), at(o3, -1))
DDX_CHECK_GRADIENT(something_active_goes_in, at(o1, 0.5), at(o2, 0.9), at(o3, -0.2))
DDX_CHECK_GRADIENT(fixed_last, at(Chain<Scale, FixedScale>{{0.5}, {{0.7}}}, 1),
                   at(Chain<Scale, FixedScale>{{1.2}, {{-0.3}}}, 2),
                   at(Chain<Scale, FixedScale>{{-0.4}, {{1.1}}}, -1))
DDX_CHECK_GRADIENT(fixed_between,
                   at(Chain<Scale, Chain<FixedScale, Scale>>{{0.5}, {{{0.7}}, {0.3}}}, 1),
                   at(Chain<Scale, Chain<FixedScale, Scale>>{{1.2}, {{{-0.3}}, {0.8}}}, 1),
                   at(Chain<Scale, Chain<FixedScale, Scale>>{{-0.4}, {{{1.1}}, {0.6}}}, -1))
DDX_CHECK_GRADIENT(two_fixed,
                   at(Chain<FixedScale, Chain<FixedScale, Scale>>{{{0.5}}, {{{0.7}}, {0.3}}}, 1),
                   at(Chain<FixedScale, Chain<FixedScale, Scale>>{{{1.2}}, {{{-0.3}}, {0.8}}}, 1),
                   at(Chain<FixedScale, Chain<FixedScale, Scale>>{{{-0.4}}, {{{1.1}}, {0.6}}}, -1))
DDX_CHECK_GRADIENT(fixed_on_one_path, at(o1, 1), at(o2, 1), at(o3, -1))

const Model m1{0.5, 0.7, {0.1, -0.4, 0.3}, {1.5, -0.5, 0.25}};
const Model m2{-1.2, 1.3, {0.8, 0.6, -0.3}, {}};
const Model m3{2.0, -0.4, {-0.2, 1.4, 1.1}, {0.75, 2}};

DDX_CHECK_GRADIENT(by_reference, at(m1), at(m2), at(m3))
DDX_CHECK_GRADIENT(by_pointer, at(m1), at(m2), at(m3))
DDX_CHECK_GRADIENT(objects, at(m1), at(m3), at(Model{0.8, 1, {}, {3, 0.5, 1, -1}}))
DDX_CHECK_GRADIENT(changed_in_place, at(m1), at(m2), at(m3))
DDX_CHECK_GRADIENT(grown_in_place, at(Series{{0.5}, {2}}, 3),
                   at(Series{{1.5, -0.3}, {-0.7, 0.5}}, 1), at(Series{{0.6, 2}, {1, 3}}, 0))
DDX_CHECK_GRADIENT(in_a_loop,
                   at(Chain<std::vector<FixedScale>, Scale>{{{{0.7}}, {{0.2}}}, {0.5}}, 2),
                   at(Chain<std::vector<FixedScale>, Scale>{{{{0.3}}, {{0.9}}}, {1.4}}, 1),
                   at(Chain<std::vector<FixedScale>, Scale>{{}, {0.5}}, 2))
DDX_CHECK_GRADIENT(recursive, at(m1, 3), at(m2, 2), at(m3, 1))
DDX_CHECK_GRADIENT(through_lambdas, at(m1), at(m2), at(m3))
DDX_CHECK_GRADIENT(noted_elsewhere, at(m1), at(m2), at(m3))
DDX_CHECK_GRADIENT(in_a_class_of_the_user, at(Whole{{{0.7}}, {{0.3}}, 0.5}, 1),
                   at(Whole{{{0.2}}, {{-0.3}}, 1.2}, 1), at(Whole{{{1.1}}, {{0.4}}, -0.4}, -1))
DDX_CHECK_GRADIENT(objects_without_slopes, at(o1, 0.5), at(o2, 0.9), at(o3, -0.2))
DDX_CHECK_GRADIENT(lengthened,
                   at(Chain<std::vector<FixedScale>, Scale>{{{{0.7}}, {{0.2}}}, {0.5}}, 0.4),
                   at(Chain<std::vector<FixedScale>, Scale>{{{{0.3}}}, {1.4}}, -0.3),
                   at(Chain<std::vector<FixedScale>, Scale>{{{{0.9}}}, {-0.5}}, 0.8))
DDX_CHECK_GRADIENT(checkpoint, at(m1), at(m2), at(m3))
DDX_CHECK_GRADIENT(inner_gradient, at(m1), at(m2), at(m3))

int pullbacks = 0;

double cubed(const double& x) {
  return x * x * x;
}
DDX_DERIVATIVE_OF(cubed) auto cubed_vjp(const double& x) {
  ++pullbacks;
  return ddx::vjp(x * x * x, [x](double dy) { return 3 * x * x * dy; });
}

// Derived by hand: d(w c^3)/dw = c^3, and one more registered derivative for w^3 alone.
#ifndef DDX_THROUGH_MEMORY  // There, pullbacks are made for constants, too.
TEST(LeftOutMembers, NoPullbackIsMadeForThem) {
  const auto of_constant = [](const Model& m) { return m.w * cubed(m.c); };
  EXPECT_EQ(ddx::gradient(of_constant, Model{5, 2, {}, {}}).w, 8);
  EXPECT_EQ(pullbacks, 0);
  const auto of_both = [](const Model& m) { return cubed(m.w) + m.w * cubed(m.c); };
  EXPECT_EQ(ddx::gradient(of_both, Model{5, 2, {}, {}}).w, 83);
  EXPECT_EQ(pullbacks, 1);
}
#endif

struct Cube {
  double factor = 1;
  double operator()(double x) const { return factor * cubed(x); }
  DDX_DIFFERENTIABLE(Cube, factor)
};

// What comes out of a class that lists no members depends only on what goes in. Derived by hand:
// 3 * 2^3 = 24, 24^3 / 8 = 1728, and the last is linear in its factor.
#ifndef DDX_THROUGH_MEMORY  // There, pullbacks are made for constants, too.
TEST(LeftOutMembers, MakeWhatComesOutConstant) {
  pullbacks = 0;
  const Chain<Fixed<Cube>, Chain<Fixed<Cube>, Cube>> chain{{{3}}, {{{0.125}}, {7}}};
  const auto run = [](const auto& m) { return m(2.0); };
  const auto [value, slopes] = ddx::value_with_gradient(run, chain);
  EXPECT_EQ(value, 7 * std::pow(1728.0, 3));
  EXPECT_EQ(slopes.second.second.factor, std::pow(1728.0, 3));
  EXPECT_EQ(pullbacks, 0);
}
#endif

template <class Of>
auto both_modes(const Of& of) {
  const auto run = [](const Of& m) { return m(0.5); };
  return std::pair(ddx::value_with_gradient(run, of),
                   ddx::jvp(run, ddx::along(ddx::TangentOf<Of>{}), of));
}

// With everything left out, the gradient has no members.
TEST(LeftOutMembers, MayBeAllThereIs) {
  const FixedScale fixed{{0.7}};
  const double value = std::sin(0.7 * 0.5) + 0.25;
  const auto [reverse, forward] = both_modes(fixed);
  EXPECT_DOUBLE_EQ(reverse.value, value);
  EXPECT_EQ(std::tuple_size_v<decltype(reverse.gradient.ddx_fields())>, 0U);
  EXPECT_DOUBLE_EQ(forward.value, value);
  EXPECT_EQ(forward.tangent, 0);

  const auto [twice, along] = both_modes(Chain<FixedScale, FixedScale>{fixed, fixed});
  EXPECT_DOUBLE_EQ(twice.value, fixed(value));
  EXPECT_EQ(along.tangent, 0);
}

}  // namespace
