// std::function in a map, as a value that changes, and calling itself with a table of results.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

using Unary = std::function<double(double)>;

/// The largest sum of elements of which no two are neighbours.
double best_sum(const std::vector<double>& v, double discount) {
  std::vector<double> memo(v.size(), -1);
  std::function<double(std::size_t)> best = [&](std::size_t i) -> double {
    if (i >= v.size()) {
      return 0;
    }
    if (memo[i] < 0) {
      memo[i] = std::max(discount * best(i + 1), v[i] + discount * best(i + 2));
    }
    return memo[i];
  };
  return best(0);
}

double recursive_functions(const std::vector<double>& v, double discount) {
  std::map<std::string, Unary> table;
  table["scale"] = [discount](double x) { return discount * x; };
  table["bend"] = [&v](double x) { return x * std::sin(v[0] * x); };
  Unary chain = [](double x) { return x; };
  for (const char* name : {"scale", "bend", "scale"}) {
    chain = [inner = chain, outer = table.at(name)](double x) { return outer(inner(x)); };
  }
  Unary power;
  int depth = 0;
  power = [&](double x) { return ++depth < 4 ? 0.5 * x + power(0.7 * x * x) : x; };
  return best_sum(v, discount) * chain(v.back()) + power(discount);
}

DDX_CHECK_GRADIENT(recursive_functions, at(std::vector{0.5, 0.2, 0.9, 1.3}, 0.8),
                   at(std::vector{1.2, 0.3}, 0.6), at(std::vector{0.3, 0.6, 0.4, 1.1, 0.2}, 0.9))

}  // namespace
