// RUN-FLAGS: -D_GLIBCXX_DEBUG
// The debug mode of libstdc++ replaces the containers by wrappers of the same names: derivatives of
// functions that take, return and hold them, against values by hand.

#include <cstddef>
#include <cstdio>
#include <ddx/ad.h>
#include <vector>

#ifndef _GLIBCXX_DEBUG_VECTOR
#error the containers are not those of the debug mode
#endif

namespace {

// sum of x_i^2: gradient 2 x.
double squared_length(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) {
    sum += v * v;
  }
  return sum;
}

// The states 1, x, x^2, x^3 in a list that grows; their sum weighted by place is x + 2 x^2 + 3 x^3.
double path(double x) {
  std::vector<double> states{1.0};
  for (int i = 0; i < 3; ++i) {
    states.push_back(states.back() * x);
  }
  double sum = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    sum += static_cast<double>(i) * states[i];
  }
  return sum;
}

// The vector (x, x y): a result that is a container.
std::vector<double> pair_of(double x, double y) {
  return {x, x * y};
}

double weighted(double x, double y) {
  const std::vector<double> v = pair_of(x, y);
  return 3 * v[0] + 5 * v.back();
}

int failures = 0;

void expect(const char* what, double found, double right) {
  if (!(found == right)) {
    std::printf("%s: %.17g, not %.17g\n", what, found, right);
    ++failures;
  }
}

}  // namespace

int main() {
  const std::vector<double> slope = ddx::gradient(squared_length, std::vector{1.0, 2.0});
  expect("d/dx0 of the squared length", slope.at(0), 2);
  expect("d/dx1 of the squared length", slope.at(1), 4);
  // 1 + 4 x + 9 x^2 at 2.
  expect("slope of the path", ddx::gradient(path, 2.0), 45);
  const auto [by_x, by_y] = ddx::gradient(weighted, 2.0, 7.0);
  expect("d/dx of the pair", by_x, 38);
  expect("d/dy of the pair", by_y, 10);
  const std::vector<double> none = ddx::gradient(squared_length, std::vector<double>{});
  expect("elements of an empty gradient", static_cast<double>(none.size()), 0);
  return failures;
}
