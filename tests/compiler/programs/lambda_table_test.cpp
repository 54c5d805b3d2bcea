// Lambdas in containers: composed, with state of their own, kept in a vector, a map and an array.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

namespace {

using Function = std::function<double(double)>;

Function compose(Function outer, Function inner) {
  return [outer = std::move(outer), inner = std::move(inner)](double x) { return outer(inner(x)); };
}

Function polynomial(std::vector<double> c) {
  return [c = std::move(c)](double x) {
    double y = 0;
    for (auto it = c.rbegin(); it != c.rend(); ++it) {
      y = y * x + *it;
    }
    return y;
  };
}

auto counter(double start, double step) {
  return [value = start, step]() mutable { return value += step * value; };
}

double lambda_table(const std::vector<double>& c, double x) {
  std::vector<Function> stages{polynomial(c), [&c](double v) { return v * c[0]; },
                               [x](double v) { return std::sin(x + v); }};
  std::map<int, Function> by_order;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    by_order[static_cast<int>(7 * i) % 5] = compose(stages[i], stages[(i + 1) % stages.size()]);
  }
  auto grow = counter(x, 0.1);
  std::array<std::function<double()>, 2> sources{grow, [&grow] { return grow() + 1; }};
  double sum = 0;
  for (int round = 0; round < 3; ++round) {
    for (const auto& [order, f] : by_order) {
      sum = 0.8 * sum + f(0.3 * order + sources[round % 2]());
    }
    stages[0].swap(stages[2]);
  }
  return sum * stages[0](x);
}

DDX_CHECK_GRADIENT(lambda_table, at(std::vector{0.5, -0.2, 0.3}, 0.8), at(std::vector{1.2}, -0.5),
                   at(std::vector{0.3, 0.6, -0.4, 0.1}, 0.6))

}  // namespace
