#include "ddx/ad.h"

#include "hvp.h"
#include "problem.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <vector>

namespace ddx::bench {
namespace {

using Vector = std::vector<double>;

template <class T>
T log_of_exponentials(const std::vector<T>& x) {
  using std::exp;
  using std::log;
  T largest = x[0];
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (x[i] > largest) {
      largest = x[i];
    }
  }
  T sum = 0;
  for (const T& v : x) {
    sum += exp(v - largest);
  }
  return largest + log(sum);
}

double log_of_exponentials_by_hand(const Vector& x, Vector& g) {
  const double largest = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    g[i] = std::exp(x[i] - largest);
    sum += g[i];
  }
  const double scale = 1 / sum;
  for (double& v : g) {
    v *= scale;
  }
  return largest + std::log(sum);
}

}  // namespace

Problem lse_problem(int count) {
  Problem problem;
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < count; ++i) {
    problem.inputs.push_back(normal(generator));
  }
  const auto x = std::make_shared<const Vector>(problem.inputs);
  const auto latest = std::make_shared<ddx::ValueWithGradient<double, Vector>>();
  problem.primal = [x] { return log_of_exponentials(*x); };
  problem.dual = [](const std::vector<Dual>& v) { return log_of_exponentials(v); };
  problem.gradient = [x, latest] {
    *latest = ddx::value_with_gradient([](const Vector& v) { return log_of_exponentials(v); }, *x);
  };
  problem.gradient_flat = [latest](Vector& flat) {
    flat = latest->gradient;
    return latest->value;
  };
  problem.hand = [x](Vector& g) { return log_of_exponentials_by_hand(*x, g); };
  problem.hvp_tolerance = 1e-3;  // The gradient is a quotient of sums over all numbers.
  add_hvp(problem, [](const Vector& v) { return log_of_exponentials(v); }, std::tuple{*x});
  return problem;
}

}  // namespace ddx::bench
