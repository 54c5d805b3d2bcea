/// \file
/// ADBench's mixture of Gaussians, as one would write it with vectors.

#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace ddx::bench {

/// The prior of the covariances.
struct Wishart {
  double gamma = 0;
  int m = 0;
};

/// Dimension of the points, number of components, number of points.
struct MixtureSize {
  int dimension = 0;
  int components = 0;
  int points = 0;

  /// Numbers in one component's inverse covariance factor: logarithms of the diagonal, then the
  /// strict lower triangle by columns.
  [[nodiscard]] int factor() const { return dimension * (dimension + 1) / 2; }
};

/// Sum of squares of `count` elements from `first` on.
template <class T>
T squared_norm(const std::vector<T>& v, int first, int count) {
  T sum = 0;
  for (int i = first; i < first + count; ++i) {
    sum += v[i] * v[i];
  }
  return sum;
}

template <class T>
T largest(const std::vector<T>& v) {
  T result = v[0];
  for (std::size_t i = 1; i < v.size(); ++i) {
    if (result < v[i]) {
      result = v[i];
    }
  }
  return result;
}

template <class T>
T log_sum_exp(const std::vector<T>& v) {
  using std::exp;
  using std::log;
  const T shift = largest(v);
  T sum = 0;
  for (const T& e : v) {
    sum += exp(e - shift);
  }
  return log(sum) + shift;
}

/// result = factor * centred, for the component whose factor begins at `first`.
template <class T>
void apply_factor(const MixtureSize& size, const std::vector<T>& diagonals, int component,
                  const std::vector<T>& factors, const std::vector<T>& centred,
                  std::vector<T>& result) {
  const int d = size.dimension;
  for (int i = 0; i < d; ++i) {
    result[i] = diagonals[component * d + i] * centred[i];
  }
  int next = component * size.factor() + d;
  for (int i = 0; i < d; ++i) {
    for (int j = i + 1; j < d; ++j) {
      result[j] += factors[next] * centred[i];
      ++next;
    }
  }
}

/// Logarithm of the multivariate gamma function.
inline double log_gamma(double a, int p) {
  double result = 0.25 * p * (p - 1) * std::log(std::numbers::pi);
  for (int j = 1; j <= p; ++j) {
    result += std::lgamma(a + 0.5 * (1 - j));
  }
  return result;
}

template <class T>
T log_wishart_prior(const MixtureSize& size, const Wishart& prior, const std::vector<T>& log_traces,
                    const std::vector<T>& diagonals, const std::vector<T>& factors) {
  const int p = size.dimension;
  const int n = p + prior.m + 1;
  const double constant =
      n * p * (std::log(prior.gamma) - 0.5 * std::log(2.0)) - log_gamma(0.5 * n, p);
  T sum = 0;
  for (int k = 0; k < size.components; ++k) {
    const T frobenius = squared_norm(diagonals, k * p, p) +
                        squared_norm(factors, k * size.factor() + p, size.factor() - p);
    sum += 0.5 * prior.gamma * prior.gamma * frobenius - prior.m * log_traces[k];
  }
  return sum - size.components * constant;
}

/// The log-likelihood of the points `x` under weights, means and inverse covariance factors.
template <class T>
T gmm_objective(const MixtureSize& size, const std::vector<T>& weights, const std::vector<T>& means,
                const std::vector<T>& factors, const std::vector<double>& x, const Wishart& prior) {
  using std::exp;
  const int d = size.dimension;
  const int components = size.components;
  std::vector<T> diagonals(static_cast<std::size_t>(d * components));
  std::vector<T> log_traces(static_cast<std::size_t>(components));
  for (int k = 0; k < components; ++k) {
    for (int i = 0; i < d; ++i) {
      const T q = factors[k * size.factor() + i];
      log_traces[k] += q;
      diagonals[k * d + i] = exp(q);
    }
  }
  std::vector<T> centred(static_cast<std::size_t>(d));
  std::vector<T> scaled(static_cast<std::size_t>(d));
  std::vector<T> terms(static_cast<std::size_t>(components));
  T likelihood = 0;
  for (int p = 0; p < size.points; ++p) {
    for (int k = 0; k < components; ++k) {
      for (int i = 0; i < d; ++i) {
        centred[i] = x[p * d + i] - means[k * d + i];
      }
      apply_factor(size, diagonals, k, factors, centred, scaled);
      terms[k] = weights[k] + log_traces[k] - 0.5 * squared_norm(scaled, 0, d);
    }
    likelihood += log_sum_exp(terms);
  }
  const double constant = -size.points * d * 0.5 * std::log(2 * std::numbers::pi);
  return constant + likelihood - size.points * log_sum_exp(weights) +
         log_wishart_prior(size, prior, log_traces, diagonals, factors);
}

}  // namespace ddx::bench
