#include "ddx/tensor/detail/random_gamma_numbers.h"

#include "ddx/ad/detail/digamma.h"
#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/random_draws.h"

#include <cmath>
#include <cstddef>
#include <new>
#include <source_location>
#include <sstream>
#include <vector>

namespace ddx::detail {
namespace {

/// The logarithm of a gamma variable, after Marsaglia and Tsang; of a concentration a below 1,
/// gamma(a + 1) u^(1/a) with u uniform.
double log_gamma_number(RandomDraws draws, double concentration) noexcept {
  const bool raised = concentration < 1;
  const double d = (raised ? concentration + 1 : concentration) - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = draws.normal();
    const double root = 1 + c * x;
    const double u = draws.uniform();
    if (root <= 0) {
      continue;
    }
    const double v = root * root * root;
    if (std::log(u) < 0.5 * x * x + d * (1 - v + std::log(v))) {
      const double logarithm = std::log(d * v);
      return raised ? logarithm + std::log(draws.uniform()) / concentration : logarithm;
    }
  }
}

/// log_gamma_slope of a large concentration: with e the normal quantile of the variable,
/// x = a + sqrt(a) e + (e^2 - 1) / 3 + ..., so that dx/da = 1 + e / (2 sqrt(a)) up to 1/a^1.5.
///
/// Source:  E. Cornish, R. Fisher, "Moments and cumulants in the specification of distributions",
///          1938.
double log_gamma_slope_of_many(double x, double a) noexcept {
  const double root = std::sqrt(a);
  const double offset = (x - a) / root;
  const double quantile = offset - (offset * offset - 1) / (3 * root);
  return (1 + quantile / (2 * root)) / x;
}

}  // namespace

std::vector<double> log_gamma_numbers(RandomKey key, const char* operation,
                                      const std::vector<double>& concentrations,
                                      const std::source_location& where) {
  std::vector<double> logarithms;
  logarithms.reserve(concentrations.size());
  for (std::size_t i = 0; i < concentrations.size(); ++i) {
    if (!(concentrations[i] > 0) || !std::isfinite(concentrations[i])) {
      std::ostringstream facts;
      facts << "concentration " << i << " is " << concentrations[i]
            << ", expected a finite number above 0";
      throw UsageError(operation, facts.str(), where);
    }
    logarithms.push_back(log_gamma_number(RandomDraws(key, i), concentrations[i]));
  }
  return logarithms;
}

// With x the variable and a the concentration, the distribution function is
// F = x^a e^-x / gamma(a + 1) S, S = sum_n t_n, t_n = x^n / ((a + 1) ... (a + n)), its derivative
// by x is x^(a-1) e^-x / gamma(a), and that of t_n by a is -t_n h_n, h_n = sum_k 1 / (a + k), so
// that dlog x/da = -((log x - psi(a + 1)) S - sum_n t_n h_n) / a.
double log_gamma_slope(double logarithm, double concentration) noexcept {
  const double x = std::exp(logarithm);
  if (concentration > 1e6) {
    return log_gamma_slope_of_many(x, concentration);
  }
  double term = 1;
  double harmonic = 0;
  double sum = 1;
  double slope = 0;
  for (double n = 1; term > 1e-18 * sum || x > concentration + n; ++n) {
    term *= x / (concentration + n);
    harmonic += 1 / (concentration + n);
    sum += term;
    slope -= term * harmonic;
  }
  return -((logarithm - digamma(concentration + 1)) * sum + slope) / concentration;
}

void require_equal_parameters(const Shape& a, const Shape& b,
                              const std::source_location& where) try {
  if (!(a == b)) {
    throw UsageError("random_beta", "a has shape " + to_string(a) + ", b has shape " + to_string(b),
                     where);
  }
} catch (const std::bad_alloc&) {
  throw_out_of_memory("require_equal_parameters");
}

}  // namespace ddx::detail
