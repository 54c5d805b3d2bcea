// Scalar replacement: objects that keep references, pointers, lambdas or functions are represented
// by their members.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

namespace {

// --- References.

struct View {
  double& target;
  void scale(double by) { target *= by; }
};

double written_through(double x, double y) {
  double a = x * y;
  View view{a};
  view.target *= 3;
  view.scale(x);
  return a * view.target + y;
}

class Accumulator {
 public:
  Accumulator(double& sum, double weight) : sum_(sum), weight_(weight) {}
  void add(double x) {
    sum_ += weight_ * x * x;
    weight_ *= 0.5;
    ++count_;
  }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] double weight() const {
    if (count_ > 3) {
      return 2 * weight_;
    }
    return weight_;
  }

 private:
  double& sum_;
  double weight_;
  int count_ = 0;
};

void feed(Accumulator& into, const std::vector<double>& values) {
  for (const double value : values) {
    if (value < 0) {
      continue;
    }
    into.add(value);
  }
}

double accumulated(const std::vector<double>& values, double weight) {
  double sum = weight;
  Accumulator accumulator(sum, weight);
  feed(accumulator, values);
  Accumulator copy = accumulator;
  copy.add(values.empty() ? 1.5 : values[0]);
  accumulator.add(0.5);
  return sum * accumulator.weight() + copy.count() * copy.weight();
}

// --- A functor that keeps data, and the class that keeps the functor.

struct Residual {
  const std::vector<double>& times;
  const std::vector<double>& samples;
  double operator()(double rate, std::size_t i) const {
    if (i >= times.size()) {
      return rate;
    }
    return samples[i] - std::exp(-rate * times[i]);
  }
};

template <class F>
struct Squared {
  const F& inner;
  double weight;
  double operator()(double rate, std::size_t i) const {
    const double r = inner(rate, i);
    return weight * r * r;
  }
};

double fitted(double rate, const std::vector<double>& times, const std::vector<double>& samples) {
  const Residual residual{times, samples};
  const Squared<Residual> loss{residual, 0.5 * rate};
  double sum = 0;
  for (std::size_t i = 0; i <= times.size(); ++i) {
    sum = 0.9 * sum + loss(rate, i);
  }
  return sum;
}

// --- One object by two names: what one writes the other reads.

struct Both {
  double& one;
  double& two;
  double mix() {
    one = one * two + 1;
    two = one * two;
    return one - 0.5 * two;
  }
};

double aliased(double x, double y) {
  double a = x;
  double b = y;
  Both same{a, a};
  const double first = same.mix();
  Both apart{a, b};
  return first * apart.mix() + a * b;
}

// --- Pointers and views.

struct Row {
  const double* data;
  int n;
  [[nodiscard]] double at(int i) const { return data[i % n]; }
  [[nodiscard]] double sum() const {
    double s = 0;
    for (int i = 0; i < n; ++i) {
      s = 0.8 * s + data[i] * data[i];
    }
    return s;
  }
};

double rows(const std::vector<double>& m, int n) {
  double total = 0;
  for (int r = 0; (r + 1) * n <= static_cast<int>(m.size()); ++r) {
    const Row row{m.data() + r * n, n};
    total = 0.7 * total * row.at(r) + row.sum();
  }
  return total;
}

class Reader {
 public:
  Reader(const double* from, int count) : at_(from), left_(count) {}
  double next() {
    --left_;
    return *at_++;
  }
  [[nodiscard]] bool done() const { return left_ <= 0; }

 private:
  const double* at_;
  int left_;
};

double read_all(const std::vector<double>& values) {
  Reader reader(values.data(), static_cast<int>(values.size()));
  double s = 1;
  while (!reader.done()) {
    const double value = reader.next();
    s = s * value + 0.5 * value;
  }
  return s;
}

struct Segment {
  std::span<const double> values;
  [[nodiscard]] double weighted(double w) const {
    double s = 0;
    for (const double v : values) {
      s = w * s + v * v;
    }
    return s;
  }
};

double segments(const std::vector<double>& values, double w) {
  const std::span<const double> all(values);
  const Segment front{all.first(values.size() / 2)};
  const Segment back{all.subspan(values.size() / 2)};
  return front.weighted(w) * back.weighted(1 - w);
}

// --- Lambdas and functions as members.

template <class F>
class Repeated {
 public:
  Repeated(F step, int times) : step_(step), times_(times) {}
  double operator()(double x) const {
    for (int i = 0; i < times_; ++i) {
      x = step_(x);
    }
    return x;
  }

 private:
  F step_;
  int times_;
};

template <class F>
Repeated<F> repeat(F step, int times) {
  return Repeated<F>(step, times);
}

double lambda_member(double x, double k) {
  const auto twice = repeat([k, x](double y) { return std::sin(k * y) + 0.3 * y * x; }, 2);
  const auto often = repeat([&](double y) { return twice(y) * k; }, 3);
  return often(x) + twice(k);
}

struct Cell {
  std::function<double(double)> activation;
  double (*gain)(double);
  double bias;
  [[nodiscard]] double operator()(double x) const { return gain(activation(x) + bias); }
};

double halved(double x) {
  return 0.5 * x * x;
}

double function_members(double x, double b) {
  const Cell cell{[b](double v) { return std::tanh(b * v); }, halved, b * b};
  const Cell other{cell.activation, [](double v) { return v * v * v; }, x};
  return cell(x) * other(cell(b));
}

// --- Views of views, made by functions and operators.

struct Point {
  double x, y;
};

struct Shifted {
  const Point& point;
  Point by;
  [[nodiscard]] double x() const { return point.x + by.x; }
  [[nodiscard]] double y() const { return point.y + by.y; }
};

template <class P>
struct Turned {
  P inner;
  double angle;
  [[nodiscard]] double x() const {
    return inner.x() * std::cos(angle) - inner.y() * std::sin(angle);
  }
  [[nodiscard]] double y() const {
    return inner.x() * std::sin(angle) + inner.y() * std::cos(angle);
  }
};

Shifted operator+(const Point& p, const Point& by) {
  return {p, by};
}
template <class P>
Turned<P> turned(const P& p, double angle) {
  return {p, angle};
}

double composed(double x, double y, double angle) {
  Point p{x, y * x};
  const Point by{angle, 0.25};
  const auto seen = turned(turned(p + by, angle), 0.5 * x);
  const double before = seen.x();
  p.x *= 2;  // Seen through the reference; `by` is a copy.
  return before * seen.x() + seen.y();
}

// --- Recursion, bases, defaults, nests, loops.

struct Recursive {
  const std::vector<double>& times;
  double shift;
  double operator()(double rate, std::size_t i) const {
    if (i >= times.size())
      return rate * shift;
    return shift - std::exp(-rate * times[i]) + (*this)(rate * 0.5, i + 1);
  }
};
double recursive(double r, const std::vector<double>& t) {
  Recursive f{t, r * r};
  return f(r, 0) * f.shift;
}
struct Weighted {
  double w;
  double weight() const {
    if (w > 100)
      return 1;
    return w * w;
  }
  double plain() const { return 3 * w; }
};
struct Derived : Weighted {
  double& t;
  Derived(double& x, double w0) : Weighted{w0}, t(x) { t *= 2; }
  double go() {
    t += w;
    return weight_twice();
  }
  double weight_twice() const { return plain() * t; }
};
double with_base(double x, double y) {
  double a = x;
  Derived d(a, y);
  d.w *= x;
  const double r = d.go() + d.go();
  return r * a + d.plain();
}
struct WithDefault {
  double& t;
  double half = 0.5 * t;
  double q = half * half + 1;
};
double defaults(double x) {
  double a = x * x;
  WithDefault w{a};
  a = 3;
  return w.half * w.q * w.t + x * a;
}
struct Inner {
  double& v;
};
struct Outer {
  Inner in;
  const Inner& other;
  double k;
  double f() {
    in.v += other.v * k;
    return in.v;
  }
};
double nested_references(double x, double y) {
  double a = x, b = y;
  Inner i{a};
  Inner j{b};
  Outer o{i, j, x * y};
  const double p = o.f();
  b *= 2;
  Outer o2{Inner{b}, i, 0.5};
  return p * o.f() * o2.f() + a;
}
double made_in_loop(const std::vector<double>& v) {
  double s = 0.3;
  for (std::size_t i = 0; i < v.size(); ++i) {
    double local = v[i] * s;
    Inner in{local};
    auto f = [in, &s](double z) {
      in.v *= z;
      s += in.v;
    };
    f(v[i]);
    f(0.5);
    Inner& again = in;
    again.v += 1;
    s = s * 0.9 + local;
    if (s > 4)
      break;
  }
  return s;
}
template <class F>
double apply(const F& f, double x) {
  return f(x);
}
struct Scale {
  const double& k;
  double operator()(double x) const { return k * x * x; }
};
double function_objects(double x, double k) {
  std::function<double(double)> g = Scale{k};
  const Scale s{k};
  return g(x) * apply(s, x) + apply(Scale{x}, k);
}
double by_value(Scale s, double x) {
  return s(x) + (x > 0 ? s.k : 2 * s.k);
}
double passed_on(double x, double k) {
  return by_value(Scale{k}, x) * by_value({x}, k);
}

DDX_CHECK_GRADIENT(written_through, at(0.7, 1.2), at(-0.4, 0.3), at(1.5, -2.0))
DDX_CHECK_GRADIENT(accumulated, at(std::vector{0.5, -0.2, 1.1}, 0.8),
                   at(std::vector<double>{}, 0.6), at(std::vector{0.5, 0.2, 1.1, 0.7, 0.9}, -0.4))
DDX_CHECK_GRADIENT(fitted, at(0.8, std::vector{0.5, 1.0, 2.0}, std::vector{0.6, 0.5, 0.1}),
                   at(1.3, std::vector<double>{}, std::vector<double>{}),
                   at(-0.2, std::vector{0.3}, std::vector{0.9}))
DDX_CHECK_GRADIENT(aliased, at(0.7, 1.2), at(-0.4, 0.3), at(1.5, -2.0))
DDX_CHECK_GRADIENT(rows, at(std::vector{0.5, -0.2, 1.1, 0.4, 0.9, 0.3}, 2),
                   at(std::vector{0.5, -0.2, 1.1, 0.4, 0.9, 0.3}, 3), at(std::vector{0.5, 0.7}, 1))
DDX_CHECK_GRADIENT(read_all, at(std::vector{0.5, -0.2, 1.1}), at(std::vector{0.4}),
                   at(std::vector{0.9, 1.7, 0.2, -0.6}))
DDX_CHECK_GRADIENT(segments, at(std::vector{0.5, -0.2, 1.1}, 0.3), at(std::vector{0.4, 0.6}, 0.8),
                   at(std::vector{0.9, 1.7, 0.2, -0.6}, -0.5))
DDX_CHECK_GRADIENT(lambda_member, at(0.7, 1.2), at(-0.4, 0.3), at(0.9, -0.6))
DDX_CHECK_GRADIENT(function_members, at(0.7, 1.2), at(-0.4, 0.3), at(1.5, -1.0))
DDX_CHECK_GRADIENT(composed, at(0.7, 1.2, 0.3), at(-0.4, 0.3, 1.2), at(1.5, -1.0, -0.4))
DDX_CHECK_GRADIENT(recursive, at(0.7, std::vector{0.3, 0.5}), at(0.2, std::vector<double>{}),
                   at(1.1, std::vector{1.3}))
DDX_CHECK_GRADIENT(with_base, at(0.7, 1.2), at(-0.4, 0.3), at(1.5, -2.0))
DDX_CHECK_GRADIENT(defaults, at(0.7), at(-0.4), at(1.5))
DDX_CHECK_GRADIENT(nested_references, at(0.7, 1.2), at(-0.4, 0.3), at(1.5, -2.0))
DDX_CHECK_GRADIENT(made_in_loop, at(std::vector{0.7, 1.2}), at(std::vector<double>{}),
                   at(std::vector{1.5, -2.0, 0.4, 3.0, 5.0}))
DDX_CHECK_GRADIENT(function_objects, at(0.7, 1.2), at(-0.4, 0.3), at(1.5, -2.0))
DDX_CHECK_GRADIENT(passed_on, at(0.7, 1.2), at(-0.4, 0.3), at(1.5, -2.0))
TEST(ScalarReplacement, ADifferentiatedFunctionObjectMayKeepReferences) {
  std::vector<double> t{0.3};
  const Recursive f{t, 0.5};
  EXPECT_NEAR(ddx::gradient([&](double r) { return f(r, 0); }, 0.7),
              0.3 * std::exp(-0.7 * 0.3) + 0.5 * 0.5, 1e-9);
  const Scale s{t[0]};
  EXPECT_NEAR(ddx::gradient(s, 0.7), 2 * 0.3 * 0.7, 1e-9);
  EXPECT_NEAR(ddx::derivative(s, 0.7), 2 * 0.3 * 0.7, 1e-9);
}

}  // namespace

// A member function that differentiates a lambda which captures its object, one that keeps
// references.

namespace {

struct Scaled {
  double factor;
  double operator()(double x, double y) const { return factor * x * y + std::sin(x); }
};

struct Asked {
  const double& other;
  const Scaled& judge;
  double offset;

  [[nodiscard]] auto slope(double x) const {
    return ddx::value_with_gradient([&](double at) { return judge(at, other) + offset * at; }, x);
  }
  [[nodiscard]] double forwards(double x) const {
    return ddx::derivative([this](double at) { return judge(at, other) + offset * at; }, x);
  }
};

}  // namespace

TEST(ScalarReplacement, ALambdaMayCaptureAnObjectThatKeepsReferences) {
  const double other = 3;
  const Scaled judge{2};
  const Asked asked{other, judge, 0.25};
  const auto [value, slope] = asked.slope(1.5);
  EXPECT_DOUBLE_EQ(value, 2 * 1.5 * 3 + std::sin(1.5) + 0.25 * 1.5);
  EXPECT_DOUBLE_EQ(slope, 2 * 3 + std::cos(1.5) + 0.25);
  EXPECT_DOUBLE_EQ(asked.forwards(1.5), slope);
}
