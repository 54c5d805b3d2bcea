#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace {

/// Constructors with initialiser list and body, private members, member functions.
class Quadratic {
 public:
  Quadratic(double a, double b) : a_(a), b_(b), c_(a * b) {
    if (c_ < 0) {
      c_ *= -2;
    }
    ++built_;
  }
  explicit Quadratic(double a) : Quadratic(a, a * a) { b_ += 1; }

  double operator()(double x) const { return (a_ * x + b_) * x + c_; }
  double at_twice(double x) const { return (*this)(2 * x) * scale_; }
  Quadratic& shift(double by) {
    b_ += 2 * a_ * by;
    c_ += by;
    return *this;
  }
  double& leading() { return a_; }
  static double unit(double x) { return Quadratic(1, 1)(x); }

 private:
  double a_;
  double b_;
  double c_;
  double scale_ = 0.5;
  int built_ = 0;
};

double constructed(double a, double b) {
  return Quadratic(a, b)(b);
}

double delegating_constructor(double a) {
  const Quadratic q(a);
  return q(a) * q.at_twice(0.5 * a);
}

double mutating_members(double a, double b) {
  Quadratic q(a, b);
  q.shift(a).shift(b * b);
  return q(b);
}

double member_returning_reference(double a, double b) {
  Quadratic q(a, b);
  q.leading() *= b;
  q.leading() += 1;
  return q(a);
}

double static_member(double a) {
  return Quadratic::unit(a) * a;
}

/// Base and derived parts without virtual functions.
struct Offset {
  double offset;
  explicit Offset(double o) : offset(o * o) {}
  double moved(double x) const { return x + offset; }
};

struct Line : Offset {
  double slope;
  Line(double s, double o) : Offset(o), slope(s) {}
  double operator()(double x) const { return slope * moved(x) * offset; }
};

double inherited(double s, double o) {
  const Line line(s, o);
  return line(0.3) + line.moved(s);
}

/// Accumulates; `this` changes through several calls.
class Average {
 public:
  void add(double x) {
    ++count_;
    mean_ += (x - mean_) / count_;
    spread_ += (x - mean_) * x;
  }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double spread() const { return count_ > 1 ? spread_ / (count_ - 1) : 0; }

 private:
  int count_ = 0;
  double mean_ = 0;
  double spread_ = 0;
};

double running_statistics(const std::vector<double>& xs) {
  Average average;
  for (const double x : xs) {
    average.add(x);
  }
  return average.mean() * average.mean() + average.spread();
}

/// A class template with a non-type parameter.
template <class T, int N>
class Polynomial {
 public:
  explicit Polynomial(T seed) {
    for (int i = 0; i < N; ++i) {
      coefficients_[i] = seed * (i + 1);
    }
  }
  T operator()(T x) const {
    T r = 0;
    for (int i = N - 1; i >= 0; --i) {
      r = r * x + coefficients_[i];
    }
    return r;
  }
  T& operator[](int i) { return coefficients_[i]; }
  const T& operator[](int i) const { return coefficients_[i]; }

 private:
  T coefficients_[N];
};

double class_template(double x) {
  Polynomial<double, 4> p(x);
  p[1] *= x;
  p[3] = p[1] + p[2];
  const Polynomial<double, 2> q(x * x);
  return p(x) * q(0.5) + q[1];
}

/// Holds a vector member.
struct Signal {
  std::vector<double> samples;
  explicit Signal(std::size_t n) : samples(n) {}
  double& operator[](std::size_t i) { return samples[i]; }
  double operator[](std::size_t i) const { return samples[i]; }
  [[nodiscard]] double energy() const {
    double e = 0;
    for (const double s : samples) {
      e += s * s;
    }
    return e;
  }
};

double vector_member(double x, int n) {
  Signal signal(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    signal[i] = std::cos(i * x);
  }
  signal[0] *= x;
  const Signal copy = signal;
  return signal.energy() * copy[0];
}

/// Differentiable with respect to the object itself.
struct Spring {
  double stiffness = 1;
  double length = 1;
  double force(double x) const { return -stiffness * (x - length) * damping; }
  double damping = 0.9;
  DDX_DIFFERENTIABLE(Spring, stiffness, length)
  DDX_NO_DERIVATIVE(damping)
};

double work(const Spring& spring, double x, int steps) {
  double w = 0;
  for (int i = 0; i < steps; ++i) {
    w += spring.force(x * i / steps) * x / steps;
  }
  return w;
}

double local_class(double x) {
  struct Local {
    double value;
    double squared() const { return value * value; }
  };
  Local local{x + 1};
  local.value *= x;
  return local.squared();
}

DDX_CHECK_GRADIENT(constructed, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(delegating_constructor, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(mutating_members, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(member_returning_reference, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(static_member, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(inherited, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(running_statistics, at(std::vector{1.0, 2.0, 0.5}), at(std::vector{-1.0}),
                   at(std::vector{0.3, 0.2, -0.7, 1.9}))
DDX_CHECK_GRADIENT(class_template, at(0.5), at(-1.2), at(2.0))
DDX_CHECK_GRADIENT(vector_member, at(0.5, 1), at(-1.2, 3), at(2.0, 4))
DDX_CHECK_GRADIENT(work, at(Spring{2, 1}, 0.5, 3), at(Spring{0.5, -1}, -1.0, 4),
                   at(Spring{1, 0}, 2.0, 0))
DDX_CHECK_GRADIENT(local_class, at(0.5), at(-1.2), at(2.0))

}  // namespace
