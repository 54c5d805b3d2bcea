#include "ddx/ad.h"

#include "hvp.h"
#include "numbers.h"
#include "problem.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

namespace ddx::bench {
namespace {

using Vector = std::vector<double>;

constexpr double step = 0.001;
constexpr double forcing = 8;

/// The right-hand side: dy_i = (y_{i+1} - y_{i-2}) y_{i-1} - y_i + force, on a circle.
///
/// Source: E. N. Lorenz, "Predictability: a problem partly solved", 1996.
template <class T>
void lorenz96(const std::vector<T>& y, std::vector<T>& dy, T force) {
  const std::size_t n = y.size();
  dy[0] = (y[1] - y[n - 2]) * y[n - 1] - y[0] + force;
  dy[1] = (y[2] - y[n - 1]) * y[0] - y[1] + force;
  for (std::size_t i = 2; i + 1 < n; ++i) {
    dy[i] = (y[i + 1] - y[i - 2]) * y[i - 1] - y[i] + force;
  }
  dy[n - 1] = (y[0] - y[n - 3]) * y[n - 2] - y[n - 1] + force;
}

/// The squared length of the state after `steps` steps.
template <class T>
T simulate(const std::vector<T>& start, T force, int steps) {
  std::vector<T> y = start;
  const std::size_t n = y.size();
  std::vector<T> k1(n), k2(n), k3(n), k4(n), between(n);
  for (int s = 0; s < steps; ++s) {
    lorenz96(y, k1, force);
    for (std::size_t i = 0; i < n; ++i) {
      between[i] = y[i] + 0.5 * step * k1[i];
    }
    lorenz96(between, k2, force);
    for (std::size_t i = 0; i < n; ++i) {
      between[i] = y[i] + 0.5 * step * k2[i];
    }
    lorenz96(between, k3, force);
    for (std::size_t i = 0; i < n; ++i) {
      between[i] = y[i] + step * k3[i];
    }
    lorenz96(between, k4, force);
    for (std::size_t i = 0; i < n; ++i) {
      y[i] += step / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
  }
  T energy = 0;
  for (const T& v : y) {
    energy += v * v;
  }
  return energy;
}

/// Adjoint of lorenz96: terms first, then one gather, since a scatter to several offsets does not
/// vectorise. `product` and `difference` have room for n numbers between two at each end.
void lorenz96_reverse(int n, const double* __restrict y, const double* __restrict d_dy,
                      double* __restrict d_y, double* __restrict product,
                      double* __restrict difference, double& d_forcing) {
#pragma clang fp reassociate(on)
  double sum = 0;
  const auto term = [&](int i, int next, int before, int second_before) {
    product[i] = d_dy[i] * y[before];
    difference[i] = d_dy[i] * (y[next] - y[second_before]);
    sum += d_dy[i];
  };
  term(0, 1, n - 1, n - 2);
  term(1, 2, 0, n - 1);
  for (int i = 2; i < n - 1; ++i) {
    product[i] = d_dy[i] * y[i - 1];
    difference[i] = d_dy[i] * (y[i + 1] - y[i - 2]);
    sum += d_dy[i];
  }
  term(n - 1, 0, n - 2, n - 3);
  product[-1] = product[n - 1];
  product[n] = product[0];
  product[n + 1] = product[1];
  difference[n] = difference[0];
  for (int j = 0; j < n; ++j) {
    d_y[j] += product[j - 1] - product[j + 2] + difference[j + 1] - d_dy[j];
  }
  d_forcing += sum;
}

/// Adjoint of between = y + c k; leaves `d_between` zero.
void stage_reverse(int n, double c, double* __restrict d_between, double* __restrict d_y,
                   double* __restrict d_k) {
  for (int i = 0; i < n; ++i) {
    d_y[i] += d_between[i];
    d_k[i] += c * d_between[i];
    d_between[i] = 0;
  }
}

/// The adjoint by hand; adds to `g_start` and `g_force`.
double simulate_by_hand(const Vector& start, double force, int steps, double* g_start,
                        double& g_force) {
  const std::size_t n = start.size();
  const int count = static_cast<int>(n);
  // Four states of every step: y and the three values of `between`.
  std::vector<Vector> saved(static_cast<std::size_t>(4 * steps), Vector(n));
  Vector y = start;
  Vector k1(n), k2(n), k3(n), k4(n);
  for (int s = 0; s < steps; ++s) {
    Vector* stage = &saved[4 * s];
    stage[0] = y;
    lorenz96(y, k1, force);
    for (std::size_t i = 0; i < n; ++i) {
      stage[1][i] = y[i] + 0.5 * step * k1[i];
    }
    lorenz96(stage[1], k2, force);
    for (std::size_t i = 0; i < n; ++i) {
      stage[2][i] = y[i] + 0.5 * step * k2[i];
    }
    lorenz96(stage[2], k3, force);
    for (std::size_t i = 0; i < n; ++i) {
      stage[3][i] = y[i] + step * k3[i];
    }
    lorenz96(stage[3], k4, force);
    for (std::size_t i = 0; i < n; ++i) {
      y[i] += step / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
  }
  double energy = 0;
  Vector d_y(n);
  for (std::size_t i = 0; i < n; ++i) {
    energy += y[i] * y[i];
    d_y[i] = 2 * y[i];
  }
  Vector product(n + 4), difference(n + 4), d_between(n);
  const auto rate_reverse = [&](const Vector& at, const Vector& d_k, Vector& d_at) {
    lorenz96_reverse(count, at.data(), d_k.data(), d_at.data(), product.data() + 2,
                     difference.data() + 2, g_force);
  };
  for (int s = steps - 1; s >= 0; --s) {
    const Vector* stage = &saved[4 * s];
    for (std::size_t i = 0; i < n; ++i) {
      k1[i] = k4[i] = step / 6 * d_y[i];  // From here on, k1 to k4 hold their adjoints.
      k2[i] = k3[i] = 2 * k1[i];
    }
    rate_reverse(stage[3], k4, d_between);
    stage_reverse(count, step, d_between.data(), d_y.data(), k3.data());
    rate_reverse(stage[2], k3, d_between);
    stage_reverse(count, 0.5 * step, d_between.data(), d_y.data(), k2.data());
    rate_reverse(stage[1], k2, d_between);
    stage_reverse(count, 0.5 * step, d_between.data(), d_y.data(), k1.data());
    rate_reverse(stage[0], k1, d_y);
  }
  for (std::size_t i = 0; i < n; ++i) {
    g_start[i] += d_y[i];
  }
  return energy;
}

}  // namespace

Problem rk4_problem(int variables, int steps) {
  Problem problem;
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < variables; ++i) {
    problem.inputs.push_back(forcing + normal(generator));
  }
  const auto start = std::make_shared<const Vector>(problem.inputs);
  problem.inputs.push_back(forcing);
  const auto latest =
      std::make_shared<ddx::ValueWithGradient<double, std::tuple<Vector, double>>>();
  problem.primal = [start, steps] { return simulate(*start, forcing, steps); };
  problem.dual = [steps](const std::vector<Dual>& all) {
    return simulate(part_of(all, 0, all.size() - 1), all.back(), steps);
  };
  problem.gradient = [start, steps, latest] {
    *latest = ddx::value_with_gradient(
        [steps](const Vector& y, double f) { return simulate(y, f, steps); }, *start, forcing);
  };
  problem.gradient_flat = [latest](Vector& flat) {
    const auto& [d_start, d_forcing] = latest->gradient;
    flat = d_start;
    flat.push_back(d_forcing);
    return latest->value;
  };
  problem.hand = [start, steps](Vector& g) {
    return simulate_by_hand(*start, forcing, steps, g.data(), g.back());
  };
  add_hvp(
      problem, [steps](const Vector& y, double f) { return simulate(y, f, steps); },
      std::tuple{*start, forcing});
  return problem;
}

}  // namespace ddx::bench
