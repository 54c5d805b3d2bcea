/// What is left of vectors and deques that are moved from: nothing. Maps: maps_test.

#include "gradient_check.h"

#include <array>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace {

using Vector = std::vector<double>;

struct Parts {
  Vector a;
  double k = 1;
  Vector b;
};

double taken(Vector v) {
  double sum = 0;
  for (double e : v) sum += e * e;
  return sum;
}

Vector drained(Vector& v) {
  return std::move(v);
}

Vector passed(Vector&& v) {
  return std::move(v);
}

double declared(double x) {
  std::vector<double> a{x}, b = std::move(a);
  a.push_back(x);
  return a[0] + b[0] * static_cast<double>(a.size());
}

double appended_rows(double x) {
  std::vector<std::vector<double>> rows;
  std::vector<double> row;
  for (int i = 0; i < 4; ++i) {
    row.push_back(x * i);
    if (i % 2)
      rows.push_back(std::move(row));
  }
  double s = 0;
  for (auto& r : rows)
    for (double e : r) s += e * x;
  return s;
}

double assigned(double x) {
  Vector a{x, x * x}, b;
  b = std::move(a);
  a.push_back(x * 3);
  a.push_back(x);
  return a[0] * b[1] + static_cast<double>(a.size()) * x * a[1];
}

double element(double x) {
  std::vector<Vector> m{{x}, {x * x, x}};
  m[0] = std::move(m[1]);
  m[1].push_back(x * 5);
  return m[0][0] * m[1][0] + m[0][1];
}

double handed_over(double x) {
  Vector a{x, 2 * x};
  double s = taken(std::move(a));
  a.push_back(x);
  return s * a[0];
}

double returned_from_a_reference(double x) {
  Vector a{x, 2 * x};
  Vector b = drained(a);
  a.push_back(x * x);
  return b[0] * a[0] + b[1];
}

double passed_through(double x) {
  Vector a{x, 2 * x};
  Vector b = passed(std::move(a));
  a.push_back(x * x);
  return b[0] * a[0] + b[1];
}

double members(double x) {
  Parts s{{x, x * x}, x, {2 * x}};
  Parts t = std::move(s);
  s.a.push_back(x);
  s.b.push_back(3 * x);
  return t.a[1] * s.a[0] + t.k * s.k + t.b[0] * s.b[0];
}

double pair_made(double x) {
  Vector a{x};
  auto p = std::make_pair(std::move(a), x);
  a.push_back(x * x);
  return p.first[0] * a[0] * p.second;
}

double optional_made(double x) {
  Vector a{x};
  std::optional<Vector> o = std::move(a);
  a.push_back(x * x);
  return (*o)[0] * a[0];
}

double deque(double x) {
  std::deque<double> a{x, x * x}, b = std::move(a);
  a.push_back(3 * x);
  return a[0] * b[1];
}

double captured(double x) {
  Vector buf{x, x};
  auto f = [w = std::move(buf)](double y) { return w[0] * y; };
  buf.push_back(x * x);
  return f(x) * buf[0];
}

double array_of_vectors(double x) {
  std::array<Vector, 2> a{Vector{x}, Vector{x * x}};
  auto b = std::move(a);
  a[0].push_back(2 * x);
  return a[0][0] * b[1][0];
}

double to_and_fro(double x) {
  Vector a{x, x * x};
  Vector b;
  for (int i = 0; i < 3; ++i) {
    b = std::move(a);
    a = std::move(b);
    a.push_back(x);
  }
  return a[0] * a[1] * a[4];
}

double not_named_again(double x) {
  Vector a{x, x * x};
  Vector b = std::move(a);
  return b[0] * b[1];
}

double declared_in_the_loop(double x) {
  std::vector<Vector> rows;
  for (int i = 0; i < 3; ++i) {
    Vector row{x * i, x};
    rows.push_back(std::move(row));
  }
  return rows[2][0] * rows[1][1];
}

double given_a_new_value(double x) {
  Vector a{x, x * x}, b{3 * x};
  std::swap(a, b);
  Vector c = std::move(b);
  b = {x};
  return a[0] * c[1] * b[0];
}

double in_a_branch(double x) {
  Vector a{x};
  Vector b;
  b.push_back(x);
  if (x > 0)
    b = std::move(a);
  a.push_back(2 * x);
  a.push_back(x * x);
  return b[0] * a.back() * static_cast<double>(a.size());
}

}  // namespace

DDX_CHECK_GRADIENT(declared, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(appended_rows, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(assigned, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(element, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(handed_over, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(returned_from_a_reference, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(passed_through, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(members, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(pair_made, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(optional_made, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(deque, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(captured, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(array_of_vectors, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(to_and_fro, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(not_named_again, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(declared_in_the_loop, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(given_a_new_value, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(in_a_branch, at(0.83), at(1.1), at(-1.37))
