#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace {

using Vector = std::vector<double>;

/// Weighs each element by its place.
double weighed(const Vector& v) {
  double s = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    s = s * 0.9 + v[i] * v[i] * static_cast<double>(i + 1);
  }
  return s;
}

double inserted(const Vector& given, double x) {
  Vector v = given;
  v.insert(v.begin(), x);
  const auto at = v.insert(v.begin() + 2, v[1] * x);
  *at *= *at;
  const auto place = static_cast<double>(at - v.begin());
  v.insert(v.end(), v[0]);
  v.emplace(v.begin() + 1, x * x);
  v.insert(v.cbegin() + 1, 2, x + 1);
  v.insert(v.begin(), given.begin(), given.end());
  return weighed(v) * place;
}

double erased(const Vector& given, double x) {
  Vector v = given;
  v.push_back(x);
  const auto next = v.erase(v.begin());
  *next *= x;
  v.push_back(v[0] * x);
  v.erase(v.begin() + 1, v.end() - 1);
  return weighed(v);
}

double filtered_in_place(const Vector& given, double x) {
  Vector v = given;
  for (auto i = v.begin(); i != v.end();) {
    if (*i < 0) {
      i = v.erase(i);
    } else {
      *i *= x;
      ++i;
    }
  }
  v.erase(std::remove_if(v.begin(), v.end(), [](double e) { return e > 2; }), v.end());
  return weighed(v) + x;
}

Vector assigned(const Vector& given, double x) {
  Vector v(given.begin(), given.end());
  Vector w;
  w.assign(v.rbegin(), v.rend());
  v.assign(2, x);
  w.resize(w.size() + 2, x * x);
  v.insert(v.end(), w.begin(), w.end());
  const double a[3] = {x, 2 * x, 1};
  const Vector u(a, a + 2);
  v.insert(v.begin() + 1, u.begin(), u.end());
  return v;
}

double rows(double x) {
  std::vector<Vector> m(2, Vector(2, x));
  m[0][0] *= x;
  m.resize(3, Vector{x, 1, x * x});
  m.insert(m.begin() + 1, m[2]);
  m[1][2] *= 3;
  m.erase(m.begin());
  double s = 1;
  for (const Vector& row : m) {
    s = s * row[0] + weighed(row);
  }
  return s;
}

double exchanged_vectors(const Vector& v, double x) {
  Vector a = v;
  Vector b{x, x * x};
  std::swap(a, b);
  a[0] *= b[0];
  a.swap(b);
  const Vector old = std::exchange(b, Vector{x});
  return weighed(a) * weighed(old) + b[0];
}

struct Item {
  double value;
  double weight;

  Item(double v, double w) : value(v), weight(w * v) {}
};

double emplaced(double x, double y) {
  std::vector<Item> items;
  items.emplace_back(x, y);
  items.emplace_back(items.back().weight, x);
  std::vector<std::pair<double, int>> pairs;
  pairs.emplace_back(x * y, 3);
  Vector v;
  v.emplace_back(x);
  v.emplace_back() += y;
  std::swap(items[0], items[1]);
  std::swap(items[0].value, v[0]);
  return items[0].value * items[1].weight + pairs[0].first * pairs[0].second * v[0] - v[1];
}

double exchanged(double x, double y) {
  double a = x;
  const double before = std::exchange(a, y * x);
  std::array<double, 2> p{x, y};
  std::array<double, 2> q{y * y, 1};
  std::swap(p, q);
  double m[2][2] = {{x, 2}, {y, 1}};
  std::swap(m[0], m[1]);
  std::pair<double, double> one{x, y};
  std::pair<double, double> other{y, 3};
  std::swap(one, other);
  return before * a + p[0] * q[1] + m[0][0] * m[1][0] * x + one.first * other.second * y;
}

const Vector three{0.7, -1.2, 1.9};
const Vector five{1.1, 0.4, -0.8, 1.3, 0.6};
const Vector one{1.4};

DDX_CHECK_GRADIENT(inserted, at(three, 0.7), at(five, 1.3), at(one, -0.4))
DDX_CHECK_GRADIENT(erased, at(three, 0.7), at(five, 1.3), at(one, -0.4))
DDX_CHECK_GRADIENT(filtered_in_place, at(three, 0.7), at(five, 1.3), at(one, 3.0),
                   at(Vector{}, 1.0))
DDX_CHECK_GRADIENT(assigned, at(three, 0.7), at(five, 1.3), at(one, -0.4), at(Vector{}, 1.0))
DDX_CHECK_GRADIENT(rows, at(1.3), at(0.4), at(-0.7))
DDX_CHECK_GRADIENT(exchanged_vectors, at(three, 0.7), at(five, 1.3), at(one, -0.4))
DDX_CHECK_GRADIENT(emplaced, at(1.3, 0.4), at(-0.7, 1.9), at(0.2, -1.1))
DDX_CHECK_GRADIENT(exchanged, at(1.3, 0.4), at(-0.7, 1.9), at(0.2, -1.1))

class Row {
 public:
  Row(std::initializer_list<double> values) : values_(values) {}
  [[nodiscard]] double weighted(double x) const {
    double sum = x;
    for (const double value : values_) {
      sum = 0.7 * sum + value * value * x;
    }
    return sum;
  }

 private:
  std::vector<double> values_;
};

double from_a_list_handed_on(double x, double y) {
  const Row row{x, x * y, 2.0};
  return row.weighted(y) * Row{y}.weighted(x) + Row{}.weighted(x);
}
DDX_CHECK_GRADIENT(from_a_list_handed_on, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

}  // namespace
