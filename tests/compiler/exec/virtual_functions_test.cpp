/// \file
/// Virtual functions: of objects whose class is known, through parameters and pointers; of constant
/// objects whose class is found at run time; casts to the class that a template is given.

#include "ddx/core/error.h"

#include "gradient_check.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace {
struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual double scaled(double k) const { return k * area(); }
};
struct Circle final : Shape {
  double r;
  explicit Circle(double q) : r(q) {}
  double area() const override { return 3 * r * r; }
};
struct Rect : Shape {
  double a, b = 2;
  Rect(double p, double q) : a(p), b(q * p) {}
  double area() const override { return a * b; }
};
struct Square : Rect {
  explicit Square(double s) : Rect(s, s) {}
  double scaled(double k) const override { return k * k * area() + Rect::scaled(k); }
};
double local_objects(double x) {
  Circle c(x);
  Rect r(x, 2.0);
  Square s(x * x);
  const Shape& t = s;
  const Shape* u = &r;
  return c.area() + t.scaled(x) * u->scaled(2.0);
}
double total(const Shape& a, const Shape* b, double k) {
  return a.scaled(k) * b->area();
}
double through_parameters(double x) {
  Square s(x);
  Circle c(2 * x);
  return total(s, &c, x) + total(c, &s, 2.0) + total(c, &c, x);
}
struct Layer {
  virtual ~Layer() = default;
  virtual double apply(double x) const = 0;
};
struct Scale : Layer {
  double k;
  explicit Scale(double q) : k(q) {}
  double apply(double x) const override { return k * x; }
};
struct Power : Layer {
  int n;
  explicit Power(int q) : n(q) {}
  double apply(double x) const override {
    double y = 1;
    for (int i = 0; i < n; ++i) y *= x;
    return y;
  }
};
struct Twice : Layer {
  std::unique_ptr<Layer> inner;
  explicit Twice(std::unique_ptr<Layer> l) : inner(std::move(l)) {}
  double apply(double x) const override { return inner->apply(inner->apply(x)); }
};
double stack(double x) {
  std::vector<std::unique_ptr<Layer>> v;
  v.push_back(std::make_unique<Scale>(2.0));
  v.push_back(std::make_unique<Power>(3));
  v.push_back(std::make_unique<Twice>(std::make_unique<Scale>(0.5)));
  double y = x;
  for (const auto& l : v) y = l->apply(y) + x;
  for (std::size_t i = 0; i < v.size(); ++i) y += v[i]->apply(x);
  return y;
}
double run(const std::vector<std::unique_ptr<Layer>>& net, double x) {
  for (const auto& l : net) x = l->apply(x);
  return x;
}
double chosen(double x) {
  Scale s(3.0);
  Power p(2);
  const Layer* l = x > 0 ? static_cast<const Layer*>(&s) : &p;
  return l->apply(x);
}
struct Counter {
  double sum = 0;
  virtual ~Counter() = default;
  virtual void add(double v) { sum += v; }
};
struct Squares : Counter {
  void add(double v) override { sum += v * v; }
};
void feed(Counter& c, double x) {
  for (int i = 0; i < 3; ++i) c.add(x * i);
}
double mutates(double x) {
  Squares s;
  Counter c;
  feed(s, x);
  feed(c, x * x);
  return s.sum * c.sum;
}
template <class D>
struct Model {
  double loss(double x) const {
    double s = 0;
    for (int i = 0; i < 3; ++i) {
      if (i == 1)
        continue;
      s += self().value(x * i);
    }
    return s;
  }
  const D& self() const { return static_cast<const D&>(*this); }
  void step(double x) { static_cast<D*>(this)->w += x; }
};
struct Linear : Model<Linear> {
  double w;
  explicit Linear(double q) : w(q) {}
  double value(double x) const { return w * x + 1; }
};
double crtp(double x) {
  Linear m(x);
  m.step(2 * x);
  return m.loss(x) * m.loss(2.0);
}
template <class E>
double eval(const Model<E>& m, double x) {
  if (x < 0)
    return -x;
  return m.self().value(x);
}
double crtp_parameter(double x) {
  Linear m(x);
  return eval(m, x) * eval(m, -x);
}
struct Asked {
  virtual ~Asked() = default;
  virtual double f(double x) const { return x; }
};
struct L1 : Asked {
  double p = 2;
  double f(double x) const override { return p * x; }
};
struct R1 {
  double q = 3;
  virtual ~R1() = default;
  virtual double g(double x) const { return q * x; }
};
struct Both : L1, R1 {
  double g(double x) const override { return q * x * f(x); }
};
double ask(const R1& r, double x) {
  return r.g(x);
}
double two_bases(double x) {
  Both b;
  b.q = x;
  b.p = x * x;
  return ask(b, x);
}
double sliced(Counter counter, double x) {
  counter.add(x);
  return counter.sum;
}
double passed_by_value(double x) {
  Squares squares;
  squares.add(x);
  return sliced(squares, x * x) * squares.sum;
}
// A member that has no derivative, by reference.
struct Weights {
  double w;
  double fixed;
  DDX_DIFFERENTIABLE(Weights, w)
  DDX_NO_DERIVATIVE(fixed)
};
struct Area {
  virtual ~Area() = default;
  virtual double of(const double& by) const = 0;
};
struct Disc : Area {
  double of(const double& by) const override { return 3 * by * by; }
};
double left_out_member(const Weights& m) {
  const Disc disc;
  const Area& area = disc;
  return m.w * area.of(m.fixed) + area.of(m.w);
}
}  // namespace
DDX_CHECK_GRADIENT(left_out_member, at(Weights{0.8, 1.3}), at(Weights{-0.4, 0.6}),
                   at(Weights{1.7, -0.2}))
DDX_CHECK_GRADIENT(passed_by_value, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(local_objects, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(through_parameters, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(stack, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(chosen, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(mutates, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(crtp, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(crtp_parameter, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(two_bases, at(0.83), at(1.7), at(-1.37))

#ifdef __DDX__
TEST(DDX_SUITE, objects_behind_owning_pointers) {
  std::vector<std::unique_ptr<Layer>> net;
  net.push_back(std::make_unique<Scale>(2.0));
  net.push_back(std::make_unique<Power>(3));
  // (2 x)^3 has the derivative 24 x^2.
  EXPECT_DOUBLE_EQ(ddx::gradient([&](double x) { return run(net, x); }, 0.5), 6.0);
}
#endif
