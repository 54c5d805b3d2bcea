/// \file
/// Algorithms of the library that append to a container, by std::back_inserter.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <numeric>
#include <vector>

namespace {

using Vector = std::vector<double>;

double weighed(const Vector& v, double x) {
  double s = 0;
  for (std::size_t i = v.size(); i-- > 0;) {
    s = s * 0.7 + v[i] * v[i] + x;
  }
  return s;
}

double copies(const Vector& given, double x) {
  Vector v{x};
  std::copy(given.begin(), given.end(), std::back_inserter(v));
  std::copy_n(given.begin(), given.size() / 2, std::back_inserter(v));
  std::reverse_copy(given.begin(), given.end(), std::back_inserter(v));
  std::copy_if(given.begin(), given.end(), std::back_inserter(v), [x](double e) { return e < x; });
  std::remove_copy_if(given.begin(), given.end(), std::back_inserter(v),
                      [](double e) { return e < 0; });
  return weighed(v, x);
}
DDX_CHECK_GRADIENT(copies, at(Vector{0.3, 1.2, -0.7}, 0.8), at(Vector{}, 1.1),
                   at(Vector{0.4}, -0.6))

double made(const Vector& given, double x) {
  Vector v;
  std::transform(given.begin(), given.end(), std::back_inserter(v),
                 [x](double e) { return e * e * x; });
  std::transform(given.begin(), given.end(), given.rbegin(), std::back_inserter(v),
                 [](double a, double b) { return std::sin(a) * b; });
  std::fill_n(std::back_inserter(v), 2, x * x);
  double state = x;
  std::generate_n(std::back_inserter(v), 3, [&state] { return state *= 0.5; });
  std::generate_n(v.begin(), 2, [&state] { return state += 1; });
  Vector sums;
  std::partial_sum(v.begin(), v.end(), std::back_inserter(sums));
  std::adjacent_difference(v.begin(), v.end(), std::back_inserter(sums));
  return weighed(sums, x) + state;
}
DDX_CHECK_GRADIENT(made, at(Vector{0.3, 1.2, -0.7}, 0.8), at(Vector{}, 1.1), at(Vector{0.4}, -0.6))

double to_deque(const Vector& given, double x) {
  std::deque<double> queue;
  for (int round = 0; round < 2; ++round) {
    std::transform(given.begin(), given.end(), std::back_inserter(queue),
                   [&](double e) { return e * x + round; });
    x *= 1.5;
  }
  double s = x;
  while (!queue.empty()) {
    s = s * 0.9 + queue.front() * queue.back();
    queue.pop_front();
  }
  return s;
}
DDX_CHECK_GRADIENT(to_deque, at(Vector{0.3, 1.2, -0.7}, 0.8), at(Vector{}, 1.1),
                   at(Vector{0.4}, -0.6))

}  // namespace
