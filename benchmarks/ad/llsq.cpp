#include "ddx/ad.h"

#include "hvp.h"
#include "numbers.h"
#include "problem.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace ddx::bench {
namespace {

using Vector = std::vector<double>;

/// Half the sum of squares of sign(t) - sum_j x_j t^j over `points` points t in [-1, 1].
template <class T>
T least_squares(int points, const std::vector<T>& x) {
  T sum = 0;
  for (int i = 0; i < points; ++i) {
    const double t = -1 + i * 2.0 / (points - 1);
    T residual = t < 0 ? -1.0 : t > 0 ? 1.0 : 0.0;
    double power = 1;
    for (std::size_t j = 0; j < x.size(); ++j) {
      residual -= x[j] * power;
      power *= t;
    }
    sum += residual * residual;
  }
  return 0.5 * sum;
}

double least_squares_by_hand(int points, const Vector& x, Vector& g) {
  double sum = 0;
  Vector powers(x.size());
  for (int i = 0; i < points; ++i) {
    const double t = -1 + i * 2.0 / (points - 1);
    double residual = t < 0 ? -1.0 : t > 0 ? 1.0 : 0.0;
    double power = 1;
    for (std::size_t j = 0; j < x.size(); ++j) {
      powers[j] = power;
      residual -= x[j] * power;
      power *= t;
    }
    sum += residual * residual;
    for (std::size_t j = 0; j < x.size(); ++j) {
      g[j] -= residual * powers[j];
    }
  }
  return 0.5 * sum;
}

}  // namespace

Problem llsq_problem(int points, int terms) {
  Problem problem;
  for (int j = 0; j < terms; ++j) {
    problem.inputs.push_back(1.0 / (j + 2));
  }
  const auto x = std::make_shared<const Vector>(problem.inputs);
  const auto latest = std::make_shared<ddx::ValueWithGradient<double, Vector>>();
  problem.primal = [points, x] { return least_squares(points, *x); };
  problem.dual = [points](const std::vector<Dual>& v) { return least_squares(points, v); };
  problem.gradient = [points, x, latest] {
    *latest = ddx::value_with_gradient(
        [points](const Vector& v) { return least_squares(points, v); }, *x);
  };
  problem.gradient_flat = [latest](Vector& flat) {
    flat = latest->gradient;
    return latest->value;
  };
  problem.hand = [points, x](Vector& g) { return least_squares_by_hand(points, *x, g); };
  add_hvp(problem, [points](const Vector& v) { return least_squares(points, v); }, std::tuple{*x});
  return problem;
}

}  // namespace ddx::bench
