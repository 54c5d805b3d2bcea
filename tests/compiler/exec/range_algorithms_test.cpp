/// Algorithms of namespace std::ranges, with and without projections; pointers to members passed to
/// functions.

#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace {

using Vector = std::vector<double>;

struct Body {
  double mass;
  double speed;
};
using Bodies = std::vector<Body>;

Bodies bodies_of(const Vector& x) {
  Bodies bodies;
  for (std::size_t i = 0; i < x.size(); ++i) {
    bodies.push_back({x[i], x[i] * x[(i + 1) % x.size()]});
  }
  return bodies;
}

/// A sum that depends on the order.
double in_order(const Vector& v) {
  double sum = 0;
  for (const double number : v) {
    sum = 0.7 * sum * number + std::sin(number);
  }
  return sum;
}

double sorted(Vector v) {
  std::ranges::sort(v);
  double sum = in_order(v);
  std::ranges::sort(v, std::greater{});
  sum += 2 * in_order(v);
  std::ranges::stable_sort(v, {}, [](double a) { return a * a; });
  sum += 3 * in_order(v);
  std::ranges::reverse(v);
  return sum + 4 * in_order(v);
}

double sorted_by_members(const Vector& x) {
  Bodies bodies = bodies_of(x);
  double sum = 0;
  std::ranges::sort(bodies, std::ranges::greater{}, &Body::mass);
  for (const Body& body : bodies) {
    sum = 0.6 * sum * body.mass + body.speed;
  }
  std::ranges::sort(bodies, {}, &Body::speed);
  for (const Body& body : bodies) {
    sum = 0.6 * sum * body.speed + body.mass;
  }
  return sum;
}

double element_by_element(const Vector& x) {
  Bodies bodies = bodies_of(x);
  std::ranges::for_each(bodies, [](double& mass) { mass *= mass; }, &Body::mass);
  Vector products(x.size());
  std::ranges::transform(
      bodies, x, products.begin(), [](double speed, double number) { return speed * number; },
      &Body::speed);
  double sum = in_order(products);
  std::ranges::transform(
      bodies, products.begin(), [&](double mass) { return mass * sum; }, &Body::mass);
  Vector copies(x.size() + 1, x.size() > 1 ? x[1] : 2.0);
  std::ranges::copy(products, copies.begin());
  sum += in_order(copies);
  std::ranges::fill(products, sum);
  sum += in_order(products);
  std::ranges::generate(copies, [t = sum]() mutable { return t *= 0.5; });
  return sum + in_order(copies);
}

double searched(const Vector& x) {
  Bodies bodies = bodies_of(x);
  std::ranges::max_element(bodies, {}, &Body::mass)->speed *= 3;
  double sum = std::ranges::min_element(bodies, std::less<>{}, &Body::speed)->mass;
  const auto found = std::ranges::find_if(x, [](double a) { return a > 0.5; });
  sum += found == x.end() ? 1.0 : *found * sum;
  const auto many = std::ranges::count_if(bodies, [](double a) { return a > 0; }, &Body::speed);
  sum *= static_cast<double>(many);
  sum += std::ranges::max(x) * std::ranges::min(x, std::greater<>{});
  sum += std::ranges::any_of(x, [](double a) { return a < 0; }) ? x[0] : 0.0;
  sum += std::ranges::all_of(x, [](double a) { return a < 9; }) ? 2 * x[0] : 0.0;
  sum += std::ranges::none_of(x, [](double a) { return a < 0; }) ? 4 * x[0] : 0.0;
  for (const Body& body : bodies) {
    sum += body.speed * body.mass;
  }
  return sum;
}

double of_arrays(double x) {
  std::array<double, 4> fixed{x, -x * x, 0.5, std::sin(x)};
  double local[3] = {x * x, 1.0, x};
  std::ranges::sort(fixed);
  std::ranges::sort(local, std::ranges::greater{});
  std::ranges::for_each(local, [&](double& a) { a *= fixed[1]; });
  std::ranges::copy(local, fixed.begin() + 1);
  return fixed[0] * fixed[1] + fixed[2] * fixed[3] * local[0];
}

double power_of(const Body& body, double Body::* member, int n) {
  double power = 1;
  for (int i = 0; i < n; ++i) {
    power *= body.*member;
  }
  return power;
}
template <class Member>
double squares_of(const Bodies& bodies, Member member) {
  double sum = 0;
  for (const Body& body : bodies) {
    sum += (body.*member) * (body.*member);
  }
  return sum;
}
double members_handed_on(const Vector& x) {
  const Bodies bodies = bodies_of(x);
  return power_of(bodies[0], &Body::mass, 2) * power_of(bodies[0], &Body::speed, 3) +
         squares_of(bodies, &Body::mass) * squares_of(bodies, &Body::speed);
}

}  // namespace

DDX_CHECK_GRADIENT(sorted, at(Vector{0.9, -0.4, 1.7, 0.2}), at(Vector{0.3, 0.8}), at(Vector{1.1}),
                   at(Vector{}))
DDX_CHECK_GRADIENT(sorted_by_members, at(Vector{0.9, -0.4, 1.7, 0.2}), at(Vector{0.3, 0.8}),
                   at(Vector{1.1}), at(Vector{}))
DDX_CHECK_GRADIENT(element_by_element, at(Vector{0.9, -0.4, 1.7, 0.2}), at(Vector{0.3, 0.8}),
                   at(Vector{1.1}), at(Vector{}))
DDX_CHECK_GRADIENT(searched, at(Vector{0.9, -0.4, 1.7, 0.2}), at(Vector{0.3, 0.8}), at(Vector{1.1}))
DDX_CHECK_GRADIENT(of_arrays, at(0.83), at(1.7), at(-0.37))
DDX_CHECK_GRADIENT(members_handed_on, at(Vector{0.9, -0.4, 1.7}), at(Vector{0.3, 0.8}),
                   at(Vector{1.1}))
