#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <list>
#include <numeric>
#include <vector>

namespace {

using Vector = std::vector<double>;

double sums(const Vector& v) {
  const double plain = std::accumulate(v.begin(), v.end(), 0.5);
  const double product = std::accumulate(v.rbegin(), v.rend(), 1.0, std::multiplies<>{});
  const double horner =
      std::accumulate(v.begin(), v.end(), 0.0, [](double s, double e) { return s * 0.7 + e * e; });
  return plain * product + horner;
}

double reductions(const Vector& v) {
  return std::reduce(v.begin(), v.end()) * std::reduce(v.begin(), v.end(), 2.0) +
         std::transform_reduce(v.begin(), v.end(), 1.0, std::plus<double>(),
                               [](double e) { return std::exp(e); });
}

double products(const Vector& v) {
  const double squares = std::inner_product(v.begin(), v.end(), v.begin(), 1.0);
  const double crossed = std::inner_product(
      v.begin(), v.end(), v.rbegin(), 0.0, [](double a, double b) { return std::sin(a) + b; },
      std::minus<double>{});
  return squares * crossed + std::transform_reduce(v.begin(), v.end(), v.begin(), 0.0);
}

double sum_of_captured(const Vector& v, double scale) {
  int calls = 0;
  const double s = std::accumulate(v.begin(), v.end(), scale, [&](double t, const double& e) {
    ++calls;
    return t * e + scale;
  });
  return s * calls;
}

Vector transformed(const Vector& v, double by) {
  Vector w(v.size());
  std::transform(v.begin(), v.end(), w.begin(), [by](double e) { return e * e * by; });
  std::transform(w.begin(), w.end(), v.begin(), w.begin(),
                 [](double a, double b) { return a * b + b; });
  std::transform(w.begin(), w.end(), w.begin(), std::negate<>{});
  return w;
}

double square(double x) {
  return x * x;
}

double transformed_by_name(const Vector& v) {
  Vector w(v.size() + 1, 2.0);
  const auto end = std::transform(v.begin(), v.end(), w.begin(), square);
  *end *= std::accumulate(w.begin(), end, 1.0);
  return std::accumulate(w.begin(), w.end(), 0.0, std::plus<>());
}

double for_each_element(const Vector& given) {
  Vector v = given;
  double s = 1;
  std::for_each(v.begin(), v.end(), [&s](double& e) {
    e *= s;
    s += e;
  });
  std::for_each(v.begin(), v.end(), [&s](double e) { s = s * 0.5 + e * e; });
  return s;
}

Vector scans(const Vector& v) {
  Vector w(v.size());
  std::partial_sum(v.begin(), v.end(), w.begin());
  std::partial_sum(w.begin(), w.end(), w.begin(), std::multiplies<double>());
  Vector d(v.size());
  std::adjacent_difference(w.begin(), w.end(), d.begin());
  std::exclusive_scan(d.begin(), d.end(), d.begin(), 0.5);
  std::inclusive_scan(d.begin(), d.end(), w.begin());
  return w;
}

Vector filled(const Vector& v, double x) {
  Vector w = v;
  std::fill(w.begin(), w.begin() + 1, x * x);
  std::fill_n(w.rbegin(), 1, x);
  Vector u(v.size());
  std::iota(u.begin(), u.end(), x);
  double next = x;
  std::generate(w.begin() + 1, w.begin() + 2, [&next] { return next *= 2; });
  std::copy(u.begin() + 1, u.end(), w.begin() + 1);
  std::copy_backward(w.begin(), w.end() - 1, w.end());
  std::copy_n(u.begin(), 1, w.begin() + 1);
  std::replace_if(w.begin(), w.end(), [](double e) { return e > 2; }, next);
  return w;
}

Vector turned(const Vector& v) {
  Vector w = v;
  std::reverse(w.begin() + 1, w.end());
  for (double& e : w) {
    e *= w.front();
  }
  std::rotate(w.begin(), w.begin() + 1, w.end());
  std::iter_swap(w.begin(), w.end() - 1);
  Vector u(w.size());
  std::reverse_copy(w.begin(), w.end(), u.begin());
  std::swap_ranges(u.begin(), u.begin() + 1, w.begin());
  w[0] *= u[0];
  return w;
}

Vector sorted(const Vector& v) {
  Vector w = v;
  std::sort(w.begin(), w.end());
  double weight = 1;
  for (double& e : w) {
    e *= weight;
    weight += e;
  }
  std::sort(w.begin(), w.end(), [](double a, double b) { return std::fabs(a) > std::fabs(b); });
  std::sort(w.rbegin(), w.rend(), std::greater<>());
  return w;
}

struct Item {
  double value = 0;
  double weight = 0;
  int rank = 0;
};

double sorted_items(const Vector& v, double x) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < v.size(); ++i) {
    Item item;
    item.value = v[i] * x;
    item.weight = x + static_cast<double>(i);
    item.rank = static_cast<int>(i % 2);
    items.push_back(item);
  }
  // Equal ranks keep their order.
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.rank < b.rank; });
  double s = 1;
  for (const Item& item : items) {
    s = s * item.weight + item.value;
  }
  std::sort(items.begin(), items.end(),
            [](const Item& a, const Item& b) { return a.value < b.value; });
  return s * items.front().weight + items.back().value;
}

double middle_of(const Vector& v) {
  Vector w = v;
  const auto middle = w.begin() + static_cast<long>(w.size() / 2);
  std::nth_element(w.begin(), middle, w.end());
  const double median = *middle;
  std::partial_sort(w.begin(), w.begin() + 1, w.end(), std::greater<double>());
  return median * median + w[0];
}

double extremes(const Vector& given) {
  Vector v = given;
  auto largest = std::max_element(v.begin(), v.end());
  const auto smallest =
      std::min_element(v.cbegin(), v.cend(), [](double a, double b) { return a * a < b * b; });
  *largest *= *smallest * 2;
  return *largest * v[0] + static_cast<double>(largest - v.begin()) * *smallest;
}

double searches(const Vector& v, double x) {
  const auto positive = std::find_if(v.begin(), v.end(), [](double e) { return e > 0.5; });
  const double first = positive == v.end() ? x : *positive;
  Vector w = v;
  std::sort(w.begin(), w.end());
  const auto above = std::lower_bound(w.begin(), w.end(), x);
  const auto past = std::upper_bound(w.begin(), w.end(), x);
  const double found = above != w.end() ? *above : 2 * x;
  return first * found * x + static_cast<double>(past - w.begin()) * x;
}

double counts(const Vector& v, double x) {
  const double limit = x;
  const auto above = std::count_if(v.begin(), v.end(), [&](double e) { return e > limit; });
  double s = static_cast<double>(above) * x;
  if (std::any_of(v.begin(), v.end(), [&](double e) { return e < -limit; })) {
    s *= v[0];
  }
  if (std::all_of(v.begin(), v.end(), [](double e) { return e > -5; }) &&
      std::none_of(v.begin(), v.end(), [](double e) { return e > 5; })) {
    s += x * x;
  }
  return s;
}

double kept(const Vector& v, double x) {
  Vector w = v;
  const auto end = std::remove_if(w.begin(), w.end(), [](double e) { return e < 0; });
  double s = x;
  for (auto i = w.begin(); i != end; ++i) {
    s = s * x + *i * *i;
  }
  Vector u(v.size());
  const auto last = std::copy_if(v.begin(), v.end(), u.begin(), [](double e) { return e < 1; });
  return s * std::accumulate(u.begin(), last, x);
}

double integers_alongside(const Vector& v) {
  std::vector<int> places(v.size());
  std::iota(places.begin(), places.end(), 0);
  std::sort(places.begin(), places.end(), [](int a, int b) { return a > b; });
  double s = 0;
  for (const int place : places) {
    s = s * 0.5 + v[static_cast<std::size_t>(place)];
  }
  // The order of the values, by their places.
  std::vector<std::size_t> order(v.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return v[a] < v[b]; });
  return s * v[order[0]];
}

double on_arrays(double x) {
  double a[4] = {x, 3, x * x, 0.1};
  std::sort(std::begin(a), std::end(a));
  std::reverse(a, a + 4);
  const double s = std::accumulate(a, a + 3, 1.0);
  return s * a[3] + *std::max_element(a, a + 4) * a[1];
}

double other_iterators(double x) {
  const std::list<double> l{1, 2, 4};
  const Vector from_list(l.begin(), l.end());
  return x * std::accumulate(l.begin(), l.end(), 0.5) +
         *std::max_element(l.begin(), l.end()) * x * from_list[1];
}

const Vector three{0.7, -1.2, 1.9};
const Vector five{1.1, 0.4, -0.8, 1.3, 0.6};
const Vector one{1.4};
const Vector equal{0.5, 1.5, 0.5, 1.5, 0.25};

DDX_CHECK_GRADIENT(sums, at(three), at(five), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(reductions, at(three), at(five), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(products, at(three), at(five), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(sum_of_captured, at(three, 1.5), at(five, 0.4), at(one, 2.0), at(Vector{}, 1.0))
DDX_CHECK_GRADIENT(transformed, at(three, 1.5), at(five, 0.4), at(one, 2.0), at(Vector{}, 1.0))
DDX_CHECK_GRADIENT(transformed_by_name, at(three), at(five), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(for_each_element, at(three), at(five), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(scans, at(three), at(five), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(filled, at(three, 1.5), at(five, 0.4), at(Vector{1.0, 2.5}, 0.7))
DDX_CHECK_GRADIENT(turned, at(three), at(five), at(one))
DDX_CHECK_GRADIENT(sorted, at(three), at(five), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(sorted_items, at(three, 1.5), at(five, 0.4), at(one, 2.0))
DDX_CHECK_GRADIENT(middle_of, at(three), at(five), at(one))
DDX_CHECK_GRADIENT(extremes, at(three), at(five), at(one))
DDX_CHECK_GRADIENT(searches, at(three, 1.0), at(five, 0.5), at(one, 2.0), at(Vector{}, 1.5))
DDX_CHECK_GRADIENT(counts, at(three, 1.0), at(five, 0.5), at(one, 2.0), at(Vector{}, 1.5))
DDX_CHECK_GRADIENT(kept, at(three, 1.2), at(five, 0.5), at(one, 2.0), at(Vector{}, 1.5))
DDX_CHECK_GRADIENT(integers_alongside, at(three), at(five), at(one))
DDX_CHECK_GRADIENT(other_iterators, at(1.3), at(0.4), at(2.2))
DDX_CHECK_GRADIENT(on_arrays, at(1.3), at(0.4), at(2.2))

// The function object that std::for_each returns has seen the elements; the one given has not.
struct Folding {
  double sum;
  double factor;
  void operator()(double a) {
    sum = sum * factor + a * a;
    factor *= a;
  }
};
double result_of_for_each(double x) {
  const std::vector<double> v{x, 2 * x, 0.5};
  const Folding given{1.0, x};
  const auto seen = std::for_each(v.begin(), v.end(), given);
  std::for_each(v.begin(), v.end(), seen);
  return seen.sum * seen.factor + given.factor + std::for_each(v.begin(), v.begin() + 2, seen).sum;
}
DDX_CHECK_GRADIENT(result_of_for_each, at(0.83), at(1.1), at(-0.7))

}  // namespace
