#include "gmm.h"

#include "ddx/ad.h"

#include "hvp.h"
#include "numbers.h"
#include "problem.h"

#include <fmt/format.h>
#include <memory>
#include <tuple>
#include <utility>

namespace ddx::bench {
namespace {

using Vector = std::vector<double>;

struct Mixture {
  MixtureSize size;
  Vector weights, means, factors, points;
  Wishart prior;
};

Mixture read_mixture(const std::filesystem::path& path) {
  NumberReader reader(path);
  Mixture m;
  m.size = {reader.next<int>(), reader.next<int>(), reader.next<int>()};
  m.weights = reader.next(m.size.components);
  m.means = reader.next(m.size.components * m.size.dimension);
  m.factors = reader.next(m.size.components * m.size.factor());
  m.points = reader.next(m.size.points * m.size.dimension);
  m.prior = {reader.next<double>(), reader.next<int>()};
  return m;
}

/// The adjoint by hand: one pass over the points, since the likelihood is a sum over them.
/// Adds to `g_weights`, `g_means`, `g_factors`.
double gmm_by_hand(const Mixture& m, double* __restrict g_weights, double* __restrict g_means,
                   double* __restrict g_factors) {
  const auto [d, components, points] = m.size;
  const int sz = m.size.factor();
  const double* __restrict factors = m.factors.data();
  const double* __restrict means = m.means.data();
  Vector diagonals(static_cast<std::size_t>(d * components));
  Vector g_diagonals(diagonals.size());
  Vector log_traces(static_cast<std::size_t>(components));
  Vector g_traces(log_traces.size());
  Vector centred(diagonals.size());
  Vector scaled(diagonals.size());
  Vector terms(log_traces.size());
  Vector g(static_cast<std::size_t>(d));
  for (int k = 0; k < components; ++k) {
    for (int i = 0; i < d; ++i) {
      log_traces[k] += factors[k * sz + i];
      diagonals[k * d + i] = std::exp(factors[k * sz + i]);
    }
  }
  double likelihood = 0;
  for (int p = 0; p < points; ++p) {
    double shift = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < components; ++k) {
      double* __restrict c = &centred[k * d];
      double* __restrict q = &scaled[k * d];
      const double* __restrict l = factors + k * sz + d;
      for (int i = 0; i < d; ++i) {
        c[i] = m.points[p * d + i] - means[k * d + i];
        q[i] = diagonals[k * d + i] * c[i];
      }
      for (int i = 0; i < d; ++i) {
        for (int j = i + 1; j < d; ++j) {
          q[j] += *l++ * c[i];
        }
      }
      double square = 0;
      for (int i = 0; i < d; ++i) {
        square += q[i] * q[i];
      }
      terms[k] = m.weights[k] + log_traces[k] - 0.5 * square;
      shift = std::max(shift, terms[k]);
    }
    double sum = 0;
    for (double& t : terms) {
      t = std::exp(t - shift);
      sum += t;
    }
    likelihood += std::log(sum) + shift;
    for (int k = 0; k < components; ++k) {
      const double t = terms[k] / sum;
      g_weights[k] += t;
      g_traces[k] += t;
      double* __restrict c = &centred[k * d];
      double* __restrict q = &scaled[k * d];
      const double* __restrict l = factors + k * sz + d;
      double* __restrict g_l = g_factors + k * sz + d;
      for (int i = 0; i < d; ++i) {
        q[i] *= -t;
        g[i] = q[i] * diagonals[k * d + i];
        g_diagonals[k * d + i] += q[i] * c[i];
      }
      for (int i = 0; i < d; ++i) {
#pragma clang fp reassociate(on)
        double a = 0;
        for (int j = i + 1; j < d; ++j) {
          *g_l++ += q[j] * c[i];
          a += q[j] * *l++;
        }
        g[i] += a;
      }
      for (int i = 0; i < d; ++i) {
        g_means[k * d + i] -= g[i];
      }
    }
  }
  const double log_total = log_sum_exp(m.weights);
  const double gamma2 = m.prior.gamma * m.prior.gamma;
  for (int k = 0; k < components; ++k) {
    g_weights[k] -= points * std::exp(m.weights[k] - log_total);
    g_traces[k] -= m.prior.m;
    for (int i = 0; i < d; ++i) {
      const double q = diagonals[k * d + i];
      g_factors[k * sz + i] += g_traces[k] + (g_diagonals[k * d + i] + gamma2 * q) * q;
    }
    for (int i = d; i < sz; ++i) {
      g_factors[k * sz + i] += gamma2 * factors[k * sz + i];
    }
  }
  return -points * d * 0.5 * std::log(2 * std::numbers::pi) + likelihood - points * log_total +
         log_wishart_prior(m.size, m.prior, log_traces, diagonals, m.factors);
}

}  // namespace

Problem gmm_problem(const std::filesystem::path& folder, int dimensions, int components) {
  const auto file = fmt::format("gmm_d{}_K{}.txt", dimensions, components);
  const auto m = std::make_shared<const Mixture>(read_mixture(folder / "gmm" / file));
  using Gradient = std::tuple<Vector, Vector, Vector>;
  const auto latest = std::make_shared<ddx::ValueWithGradient<double, Gradient>>();
  const std::size_t means_at = m->weights.size();
  const std::size_t factors_at = means_at + m->means.size();

  Problem problem;
  problem.inputs = joined<double>({m->weights, m->means, m->factors});
  problem.primal = [m] {
    return gmm_objective(m->size, m->weights, m->means, m->factors, m->points, m->prior);
  };
  problem.dual = [m, means_at, factors_at](const std::vector<Dual>& all) {
    return gmm_objective(m->size, part_of(all, 0, means_at),
                         part_of(all, means_at, m->means.size()),
                         part_of(all, factors_at, m->factors.size()), m->points, m->prior);
  };
  problem.gradient = [m, latest] {
    *latest = ddx::value_with_gradient(
        [&m = *m](const Vector& weights, const Vector& means, const Vector& factors) {
          return gmm_objective(m.size, weights, means, factors, m.points, m.prior);
        },
        m->weights, m->means, m->factors);
  };
  problem.gradient_flat = [latest](std::vector<double>& flat) {
    const auto& [weights, means, factors] = latest->gradient;
    flat = joined<double>({weights, means, factors});
    return latest->value;
  };
  problem.hand = [m, means_at, factors_at](std::vector<double>& flat) {
    return gmm_by_hand(*m, flat.data(), flat.data() + means_at, flat.data() + factors_at);
  };
  add_hvp(
      problem,
      [&m = *m](const Vector& weights, const Vector& means, const Vector& factors) {
        return gmm_objective(m.size, weights, means, factors, m.points, m.prior);
      },
      std::tuple{m->weights, m->means, m->factors});
  return problem;
}

}  // namespace ddx::bench
