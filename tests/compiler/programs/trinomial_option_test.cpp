// An American option on a trinomial tree: jagged rows from malloc, a table of pay-offs by function
// pointer.

#include "gradient_check.h"

#include <cmath>
#include <cstdlib>

namespace {

struct Market {
  double rate;
  double volatility;
  double years;
};

double put(double spot, double strike) {
  return spot < strike ? strike - spot : 0;
}

double straddle(double spot, double strike) {
  return spot < strike ? strike - spot : spot - strike;
}

double price(const Market* m, double spot, double strike, double (*payoff)(double, double),
             int steps) {
  const double dt = m->years / steps;
  const double up = std::exp(m->volatility * std::sqrt(2 * dt));
  const double a = std::exp(0.5 * m->rate * dt);
  const double b = std::exp(m->volatility * std::sqrt(0.5 * dt));
  const double rise = (a - 1 / b) / (b - 1 / b) * (a - 1 / b) / (b - 1 / b);
  const double fall = (b - a) / (b - 1 / b) * (b - a) / (b - 1 / b);
  auto** rows = static_cast<double**>(std::malloc((steps + 1) * sizeof(double*)));
  if (rows == nullptr) {
    return 0;
  }
  for (int s = steps; s >= 0; --s) {
    rows[s] = static_cast<double*>(std::malloc((2 * s + 1) * sizeof(double)));
    for (int i = 0; i <= 2 * s; ++i) {
      const double exercise = payoff(spot * std::pow(up, i - s), strike);
      if (s == steps) {
        rows[s][i] = exercise;
        continue;
      }
      const double* next = rows[s + 1] + i;
      const double hold =
          std::exp(-m->rate * dt) * (fall * next[0] + (1 - rise - fall) * next[1] + rise * next[2]);
      rows[s][i] = hold > exercise ? hold : exercise;
    }
  }
  const double value = rows[0][0] + 0.1 * (rows[1][2] - rows[1][0]);
  for (int s = 0; s <= steps; ++s) {
    std::free(rows[s]);
  }
  std::free(rows);
  return value;
}

double trinomial_option(double spot, double strike, double rate, double volatility) {
  const Market market{rate, volatility, 0.8};
  return price(&market, spot, strike, put, 6) + price(&market, strike, spot, straddle, 3);
}

DDX_CHECK_GRADIENT(trinomial_option, at(1.05, 1.2, 0.12, 0.45), at(1.37, 1.2, 0.06, 0.28),
                   at(0.8, 0.93, 0.1, 0.4))

}  // namespace
