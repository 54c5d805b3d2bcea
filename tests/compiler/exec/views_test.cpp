#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <numeric>
#include <span>
#include <vector>

namespace {

using Vector = std::vector<double>;

double sum_of_squares(std::span<const double> values) {
  double s = 0;
  for (const double v : values) {
    s = s * 0.9 + v * v;
  }
  return s;
}

void scale(std::span<double> values, double by) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] *= by + values.front();
  }
}

double spans(const Vector& given, double x) {
  Vector v = given;
  const double a[3] = {x, 2 * x, x * x};
  std::array<double, 2> b{x, 3};
  scale(v, x);
  scale(b, a[1]);
  scale(std::span<double>(v).subspan(1), x);
  return sum_of_squares(v) * sum_of_squares(a) + sum_of_squares({b.data(), 1}) * b[1];
}

double parts_of_spans(const Vector& v) {
  const std::span all(v);
  const auto head = all.first(2);
  const auto tail = all.last(2);
  const auto inner = all.subspan(1, v.size() - 2);
  double s = head[0] * tail.back() + head.back() * tail[0];
  if (all.size() > 3) {
    const auto fixed = all.first<3>().subspan<1>();
    s += fixed[0] * all.last<2>()[1] * all.subspan<1, 2>().front() * std::span(v).last<1>()[0];
  }
  for (auto i = inner.begin(); i != inner.end(); ++i) {
    s += s * *i;
  }
  for (auto i = all.rbegin(); i != all.rend(); ++i) {
    s = s * 0.5 + *i;
  }
  return s * static_cast<double>(all.size()) + (inner.empty() ? v[0] : 2 * v[1]);
}

double split(std::span<const double> values) {
  if (values.size() <= 1) {
    return values.empty() ? 1.0 : values[0];
  }
  const std::size_t half = values.size() / 2;
  return split(values.first(half)) * 0.5 + split(values.subspan(half)) * values[0];
}

double recursion(const Vector& v) {
  return split(v);
}

std::span<double> row(Vector& m, std::size_t columns, std::size_t r) {
  return {m.data() + r * columns, columns};
}

double rows(const Vector& v, double x) {
  Vector m(2 * v.size());
  std::copy(v.begin(), v.end(), row(m, v.size(), 1).begin());
  for (double& e : row(m, v.size(), 0)) {
    e = x;
  }
  const auto last = row(m, v.size(), 1);
  const auto first = row(m, v.size(), 0);
  std::transform(last.begin(), last.end(), first.begin(), first.begin(),
                 [](double a, double b) { return a * b + a; });
  return std::accumulate(m.begin(), m.end(), x) *
         std::inner_product(first.begin(), first.end(), last.begin(), 1.0);
}

double captured(const Vector& v) {
  const std::span<const double> s = v;
  const auto at = [s](std::size_t i) { return s[i] * s[s.size() - 1 - i]; };
  const auto total = [&s] { return std::accumulate(s.begin(), s.end(), 0.5); };
  return at(0) * total() + at(1);
}

// Parts that begin in the middle, where nothing else says so: their iterators are compared, and
// handed to the library with nothing active in them.

double of_the_rest(std::span<const double> values, double x) {
  const std::span<const double> rest = values.last(2);
  double s = 0;
  for (auto i = rest.begin(); i != rest.end(); ++i) {
    s = s * x + *i;
  }
  return s * std::inner_product(rest.begin(), rest.end(), rest.begin(), values[0]) +
         std::accumulate(rest.rbegin(), rest.rend(), x);
}

double of_a_pointer(double* values, double x) {
  const std::span<double> rest(values + 1, 2);
  const std::span<double> same(values + 1, values + 3);
  for (auto i = rest.begin(); i != rest.end(); ++i) {
    *i *= x * std::accumulate(same.begin(), same.end(), 0.5);
  }
  return std::accumulate(same.begin(), same.end(), x);
}

const double table[4] = {0.5, -1.5, 2.0, 0.75};

double begun_elsewhere(const Vector& v, double x) {
  Vector mine = v;
  Vector constants(table, table + 4);
  return of_the_rest(v, x) + of_the_rest(table, x) + of_a_pointer(mine.data(), x) * mine[1] +
         of_a_pointer(constants.data(), x) * constants[2];
}

double sum(std::initializer_list<double> list) {
  double s = 1;
  for (const double e : list) {
    s = s * e + 1;
  }
  return s * std::accumulate(list.begin(), list.end(), 0.0) * static_cast<double>(list.size());
}

double lists(double x, double y) {
  double s = sum({x, x * y, 2.0}) + sum({});
  for (const double e : {x, y, x * y}) {
    s += s * e;
  }
  for (const int i : {1, 2, 3}) {
    s += x * i;
  }
  const auto list = {x, y * 2};
  s *= *(list.begin() + 1) + static_cast<double>(std::size(list));
  return s;
}

double greatest(double x, double y) {
  const double most = std::max({x, y, x * y});
  const double least = std::min({2 * x, y - 1, x + y}, [](double a, double b) { return a < b; });
  return most * least + std::max({y});
}

const Vector three{0.7, -1.2, 1.9};
const Vector five{1.1, 0.4, -0.8, 1.3, 0.6};

DDX_CHECK_GRADIENT(spans, at(three, 0.7), at(five, 1.3), at(Vector{1.4, 0.2}, -0.4))
DDX_CHECK_GRADIENT(parts_of_spans, at(three), at(five), at(Vector{1.4, 0.2}))
DDX_CHECK_GRADIENT(recursion, at(three), at(five), at(Vector{1.4}), at(Vector{}))
DDX_CHECK_GRADIENT(rows, at(three, 0.7), at(five, 1.3), at(Vector{1.4, 0.2}, -0.4))
DDX_CHECK_GRADIENT(captured, at(three), at(five), at(Vector{1.4, 0.2}))
DDX_CHECK_GRADIENT(begun_elsewhere, at(three, 0.7), at(five, 1.3), at(three, -0.4))
DDX_CHECK_GRADIENT(lists, at(1.3, 0.4), at(-0.7, 1.9), at(0.2, -1.1))
DDX_CHECK_GRADIENT(greatest, at(1.3, 0.4), at(-0.7, 1.9), at(0.2, -1.1))

}  // namespace
