#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

struct State {
  double position;
  double velocity;
};

State rate(const State& s, double stiffness) {
  return {s.velocity, -stiffness * std::sin(s.position) - 0.1 * s.velocity};
}

State moved(const State& s, double h, const State& r) {
  return {s.position + h * r.position, s.velocity + h * r.velocity};
}

double runge_kutta(double start, double stiffness, int steps) {
  State s{start, 0};
  const double h = 0.1;
  for (int i = 0; i < steps; ++i) {
    const State a = rate(s, stiffness);
    const State b = rate(moved(s, h / 2, a), stiffness);
    const State c = rate(moved(s, h / 2, b), stiffness);
    const State d = rate(moved(s, h, c), stiffness);
    s.position += h / 6 * (a.position + 2 * b.position + 2 * c.position + d.position);
    s.velocity += h / 6 * (a.velocity + 2 * b.velocity + 2 * c.velocity + d.velocity);
  }
  return s.position * s.position + s.velocity;
}

/// The root moves with c only through the last secant correction: branches are constants.
double bisection(double c) {
  double lo = 0;
  double hi = 4;
  while (hi - lo > 0.3) {
    const double mid = (lo + hi) / 2;
    if (mid * mid * mid < c) {
      lo = mid;
    } else {
      hi = mid;
    }
  }
  const double flo = lo * lo * lo - c;
  const double fhi = hi * hi * hi - c;
  return lo - flo * (hi - lo) / (fhi - flo);
}

double horner(const std::vector<double>& coefficients, double x) {
  double r = 0;
  for (std::size_t i = coefficients.size(); i > 0; --i) {
    r = r * x + coefficients[i - 1];
  }
  return r;
}

double prefix_sums(const std::vector<double>& x) {
  std::vector<double> sums(x.size() + 1);
  for (std::size_t i = 0; i < x.size(); ++i) {
    sums[i + 1] = sums[i] + x[i] * x[i];
  }
  double product = 1;
  for (std::size_t i = 1; i < sums.size(); i += 2) {
    product *= sums[i] + 1;
  }
  return product;
}

/// An American put on a recombining tree, in place.
double binomial_tree(double spot, double volatility, int steps) {
  const double dt = 1.0 / steps;
  const double up = std::exp(volatility * std::sqrt(dt));
  const double p = (std::exp(0.05 * dt) - 1 / up) / (up - 1 / up);
  std::vector<double> value(static_cast<std::size_t>(steps) + 1);
  for (int i = 0; i <= steps; ++i) {
    const double price = spot * std::pow(up, 2 * i - steps);
    value[i] = price < 100 ? 100 - price : 0;
  }
  for (int k = steps - 1; k >= 0; --k) {
    for (int i = 0; i <= k; ++i) {
      const double hold = std::exp(-0.05 * dt) * (p * value[i + 1] + (1 - p) * value[i]);
      const double exercise = 100 - spot * std::pow(up, 2 * i - k);
      value[i] = hold > exercise ? hold : exercise;
    }
  }
  return value[0];
}

double heat_equation(const std::vector<double>& start, double diffusivity, int steps) {
  std::vector<double> u = start;
  std::vector<double> next = start;
  for (int s = 0; s < steps; ++s) {
    for (std::size_t i = 1; i + 1 < u.size(); ++i) {
      next[i] = u[i] + diffusivity * (u[i - 1] - 2 * u[i] + u[i + 1]) * (1 + u[i]);
    }
    u = next;
  }
  double energy = 0;
  for (const double v : u) {
    energy += v * v;
  }
  return energy;
}

double log_sum_exp(const std::vector<double>& x) {
  double largest = x[0];
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (x[i] > largest) {
      largest = x[i];
    }
  }
  double s = 0;
  for (const double v : x) {
    s += std::exp(v - largest);
  }
  return largest + std::log(s);
}

double edit_path(const std::vector<double>& a, const std::vector<double>& b) {
  const std::size_t width = b.size() + 1;
  std::vector<double> cost((a.size() + 1) * width);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const double d = a[i - 1] - b[j - 1];
      const double up = cost[(i - 1) * width + j];
      const double left = cost[i * width + j - 1];
      const double diagonal = cost[(i - 1) * width + j - 1];
      double best = diagonal;
      if (up < best) {
        best = up;
      }
      if (left < best) {
        best = left;
      }
      cost[i * width + j] = d * d + 0.9 * best;
    }
  }
  return cost.back();
}

double logistic_map(double r, int steps) {
  double x = 0.4;
  for (int i = 0; i < steps; ++i) {
    x = r * x * (1 - x);
  }
  return x;
}

double continued_fraction(double x, int depth) {
  double f = 1;
  for (int k = depth; k > 0; --k) {
    f = 1 + k * x / f;
  }
  return 1 / f;
}

double many_body(const std::vector<double>& x) {
  std::vector<double> force(x.size());
  double energy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double d = x[i] - x[j];
      const double pull = 1 / (d * d + 0.1);
      energy -= pull;
      force[i] += pull * d;
      force[j] -= pull * d;
    }
  }
  for (const double f : force) {
    energy += f * f;
  }
  return energy;
}

const std::vector<double> x1{0.5, -1.0, 2.0, 0.25, 0.7};
const std::vector<double> x2{1.5};
const std::vector<double> x3{-0.7, 0.9, 1.1};

DDX_CHECK_GRADIENT(runge_kutta, at(0.5, 1.0, 5), at(1.2, 2.0, 0), at(-0.3, 0.7, 8))
DDX_CHECK_GRADIENT(bisection, at(3.0), at(10.1), at(0.3))
DDX_CHECK_GRADIENT(horner, at(x1, 0.5), at(std::vector<double>{}, 2.0), at(x3, -1.5))
DDX_CHECK_GRADIENT(prefix_sums, at(x1), at(x2), at(x3))
DDX_CHECK_GRADIENT(binomial_tree, at(98.3, 0.21, 4), at(92.0, 0.31, 1), at(107.0, 0.43, 6))
DDX_CHECK_GRADIENT(heat_equation, at(x1, 0.2, 3), at(x2, 0.1, 2), at(x3, 0.3, 0))
DDX_CHECK_GRADIENT(log_sum_exp, at(x1), at(x2), at(x3))
DDX_CHECK_GRADIENT(edit_path, at(x1, x3), at(x2, x2), at(x3, x1))
DDX_CHECK_GRADIENT(logistic_map, at(2.5, 10), at(3.3, 6), at(1.2, 0))
DDX_CHECK_GRADIENT(continued_fraction, at(2.5, 10), at(0.3, 6), at(1.2, 0))
DDX_CHECK_GRADIENT(many_body, at(x1), at(x2), at(x3))

}  // namespace
