// How objects come to be: braces, defaults, constructors, templates; and vectors inside of them.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace {

using Rows = std::vector<std::vector<double>>;

struct Polynomial {
  std::vector<double> c;
  DDX_DIFFERENTIABLE(Polynomial, c)
};

double vector_in_braces(const std::vector<double>& x) {
  Polynomial p{x};
  p.c[0] *= 2;
  p.c[1] += p.c[0] * p.c[0];
  return p.c[0] * p.c[1];
}

double vectors_in_an_array_of_objects(const std::vector<double>& x) {
  Polynomial p[2] = {{x}, {{x[1], x[0] * x[0]}}};
  p[0].c[1] *= p[1].c[1];
  p[1].c[0] = std::sin(p[0].c[1]);
  return p[1].c[0] * p[0].c[0];
}

struct Matrix {
  int rows = 0;
  int columns = 0;
  std::vector<double> d;
  Matrix(int r, int c) : rows(r), columns(c), d(static_cast<std::size_t>(r * c), 0.0) {}
  DDX_DIFFERENTIABLE(Matrix, d)
  DDX_NO_DERIVATIVE(rows, columns)
};

Matrix transposed(const Matrix& a) {
  Matrix result(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.columns; ++j) {
      result.d[j * a.rows + i] = a.d[i * a.columns + j];
    }
  }
  return result;
}

double constructor_sizes_a_member(double x, double y) {
  Matrix a(2, 3);
  for (int i = 0; i < 6; ++i) {
    a.d[i] = x * i + y;
  }
  const Matrix b = transposed(a);
  return b.d[1] * b.d[2] - b.d[5] * b.d[0];
}

double constructed_in_a_loop(double x, int n) {
  double sum = 0;
  for (int i = 1; i <= n; ++i) {
    Matrix a(i, 2);
    a.d[i] = x * i;
    a.d[i] *= a.d[i];
    sum += transposed(a).d[1] * x + a.d[i];
  }
  return sum;
}

double zero_from_empty_braces(double x) {
  double s{};
  double t{2};
  int n{};
  s += x * x;
  t *= s + n;
  return s * t;
}

struct Defaults {
  double a = 2;
  double b = a * 3;
  double c{1};
  int n = 2;
  int m = n + 1;
  DDX_DIFFERENTIABLE(Defaults, a, b, c)
};

double default_member_from_another(double x) {
  const Defaults d{x};
  const Defaults e{x, x * x};
  return d.b * d.c * d.m + e.b * e.c;
}

double default_member_inside_a_member(double x, double y) {
  struct Outer {
    double a = 1;
    Defaults inner = {a};
    double b = inner.b + a;
  };
  const Outer o{x};
  const Outer p{.a = y, .b = x};
  return o.b * o.inner.b + p.inner.b * p.b;
}

template <class T>
struct Pair {
  T w;
  T x;
  int steps;
  DDX_DIFFERENTIABLE(Pair, w, x)
  DDX_NO_DERIVATIVE(steps)
};

double fields_of_a_class_template(double a) {
  const Pair<double> q{a, 2 * a, 3};
  return q.w * q.x * q.steps;
}

struct Plain {
  double k = 1;
};

struct Derived : Plain {
  double m = 0;
};

struct DerivedTwice : Derived {
  double n = 3;
};

double plain_base_classes(double x, double y) {
  DerivedTwice d;
  d.k = x;
  d.m = y * d.k;
  d.n *= d.m;
  const DerivedTwice copy = d;
  d.k = 0;
  return copy.k * copy.m * copy.n + d.k;
}

struct Samples {
  std::vector<double> v;
};

struct Weighted : Samples {
  double weight = 1;
};

double base_class_with_a_vector(double x) {
  Weighted w;
  w.v = {x, x * x};
  w.weight = std::sin(x);
  w.v[1] *= w.weight;
  const Weighted copy = w;
  w.v[0] = 0;
  return copy.v[0] * copy.v[1] + w.v[0];
}

double copy_of_one_of_two(double x) {
  const Plain a{x * x};
  const Plain b{std::sin(x)};
  Plain c = x > 1 ? a : b;
  c.k *= x;
  const std::vector<double> v = {x, 2};
  const std::vector<double> w = {x * x};
  std::vector<double> u = x > 2 ? v : w;
  u[0] *= c.k;
  return u[0] + c.k;
}

double row_dropped(double x) {
  Rows m;
  m.push_back(std::vector<double>(2, x));
  m.push_back({x, x * x, 1});
  m[0][0] *= 2;
  m[1][1] *= m[0][0];
  double sum = m[1][1] * m[0][1];
  m.pop_back();
  sum += m[0][0] * x;
  m.push_back({std::sin(x)});
  m[1][0] *= m[0][0];
  return sum + m[1][0];
}

double rows_shrunk_and_grown(double x) {
  Rows m = {{x}, {x, x * x}, {1, 2, x}};
  m[2][2] *= m[1][1];
  const double before = m[2][2] * m[0][0];
  m.resize(1);
  m.resize(2);
  m[1].push_back(m[0][0] * x);
  return before * m[1][0];
}

double rows_cleared(double x) {
  Rows m = {{x}, {x, x * x}};
  m[1][0] *= m[0][0];
  const double before = m[1][0] * m[1][1];
  m.clear();
  m.push_back({x, before});
  return m[0][0] * m[0][1];
}

double rows_assigned_anew(double x) {
  Rows m = {{x, 1}};
  m[0][1] *= x * m[0][0];
  const double before = m[0][1];
  m = Rows(2, std::vector<double>(3, 1.5));
  m[1][2] *= m[0][1] * x;
  return before * m[1][2];
}

double rows_resized_in_a_range_for(double x) {
  Rows m(2);
  for (auto& row : m) {
    row.resize(2);
    row[1] = x;
  }
  m[1][0] = m[0][1] * m[1][1];
  return m[1][0] * x;
}

struct Fixed {
  const double product;
  const std::array<double, 2> powers;
  double rest;
  Fixed(double a, double b) : product(a * b), powers{a, b * b}, rest(powers[1]) { rest *= product; }
};
struct FixedPair {
  const double a;
  const double b;
};

// Members that are const are written once, where the object is made.
double const_members(double x) {
  const Fixed fixed(x, 2 * x);
  const Fixed copy = fixed;
  const FixedPair pair{copy.rest, x * x};
  return pair.a * pair.b + fixed.powers[1] * copy.product;
}

struct ConstantElements {
  const double c[2];
};

class ConstantMembers {
 public:
  ConstantMembers(double a, double b) : k_{a, b} {}
  [[nodiscard]] double at(double v) const { return k_[0] * v + k_[1]; }

 private:
  const double k_[2];
};

struct ConstantDefaults {
  double a = 0;
  const double k[2] = {1, 2};
  const double m[2][2] = {{1, 2}, {3, 4}};
};

double constant_arrays(double x) {
  const ConstantElements r{{x, 2.0}};
  const ConstantElements copy = r;
  const ConstantMembers m(x, x * x);
  const ConstantDefaults d{x};
  return r.c[0] * copy.c[0] * r.c[1] * m.at(x) * d.a * d.k[1] * d.m[1][0];
}

DDX_CHECK_GRADIENT(constant_arrays, at(0.7), at(1.3), at(0.4))
DDX_CHECK_GRADIENT(const_members, at(1.3), at(-0.6), at(0.7))
DDX_CHECK_GRADIENT(vector_in_braces, at(std::vector{1.0, 5.0}), at(std::vector{-0.5, 0.3, 2.0}),
                   at(std::vector{2.0, -1.0}))
DDX_CHECK_GRADIENT(vectors_in_an_array_of_objects, at(std::vector{1.0, 0.5}),
                   at(std::vector{-0.5, 0.3}), at(std::vector{1.2, -1.0}))
DDX_CHECK_GRADIENT(constructor_sizes_a_member, at(1.3, 0.5), at(2.2, -1.0), at(0.7, 0.1))
DDX_CHECK_GRADIENT(constructed_in_a_loop, at(1.3, 4), at(2.2, 1), at(0.7, 0))
DDX_CHECK_GRADIENT(zero_from_empty_braces, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(default_member_from_another, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(default_member_inside_a_member, at(1.3, 0.5), at(2.2, -1.0), at(0.7, 0.1))
DDX_CHECK_GRADIENT(fields_of_a_class_template, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(plain_base_classes, at(1.3, 0.5), at(2.2, -1.0), at(0.7, 0.1))
DDX_CHECK_GRADIENT(base_class_with_a_vector, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(copy_of_one_of_two, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(row_dropped, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(rows_shrunk_and_grown, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(rows_cleared, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(rows_assigned_anew, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(rows_resized_in_a_range_for, at(1.3), at(2.2), at(0.7))

}  // namespace

// --- Constructors with default arguments alone.

namespace {

struct Factor {
  double v;
  Factor(double q = 2) : v(q) {}
};

double made_by_default(double x) {
  Factor c;
  c.v *= x;
  Factor d;
  Factor e(x);
  d = e;
  return c.v * d.v;
}

}  // namespace

DDX_CHECK_GRADIENT(made_by_default, at(0.83), at(1.1), at(-1.37))

// --- Constructors that are inherited.

namespace {

struct Held {
  double a;
  std::vector<double> v;
  explicit Held(double x) : a(x), v{x} {}
  Held(double x, const std::vector<double>& w, int n = 2) : a(x * n), v(w) {}
  Held(std::vector<double>&& w, double& out) : a(1), v(std::move(w)) { out *= 2; }
};

struct HeldMore : Held {
  using Held::Held;
  double k = 3;
  double f() const { return a * k * v.back(); }
};

struct HeldMost : HeldMore {
  using HeldMore::HeldMore;
  double g() const { return f() + a; }
};

struct Product {
  double a;
  Product(double x, double y) : a(x * y) {}
};

struct DoubledProduct : Product {
  using Product::Product;
  double m = a * 2;
};

double inherited_with_vector(double x) {
  HeldMore d(x, {x, x * x});
  return d.f();
}

double inherited_with_references(double x) {
  std::vector<double> w{x, x * x};
  double o = x;
  HeldMore d(std::move(w), o);
  return d.f() * o;
}

double inherited_twice(double x) {
  HeldMost d(x);
  return d.g();
}

double inherited_twice_with_default(double x) {
  HeldMost d(x, {x, 2 * x}, 5);
  const Held& b = d;
  return d.g() * b.a;
}

double inherited_and_default_member(double x) {
  DoubledProduct d(x, 2 * x);
  return d.m * d.a;
}

double inherited_in_vector(double x) {
  std::vector<DoubledProduct> v;
  v.emplace_back(x, x);
  v.push_back(DoubledProduct{x, 3});
  return v[0].m * v[1].a;
}

class Counts {
 public:
  Counts(std::initializer_list<int> counts) : first_(*counts.begin()), size_(counts.size()) {}
  [[nodiscard]] double weight() const { return first_ + 10.0 * static_cast<double>(size_); }

 private:
  int first_;
  std::size_t size_;
};

double weighted(const Counts& counts, double x) {
  return counts.weight() * x * x;
}

template <class T>
T from_one_integer_in_braces(T x, int n) {
  return weighted(Counts{n}, x) + weighted(Counts{n, 2}, sin(x));
}

double from_braces_in_template(double x) {
  return from_one_integer_in_braces<double>(x, 3);
}

}  // namespace

DDX_CHECK_GRADIENT(inherited_with_vector, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(inherited_with_references, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(inherited_twice, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(inherited_twice_with_default, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(inherited_and_default_member, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(inherited_in_vector, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(from_braces_in_template, at(0.83), at(1.1), at(0.37))
