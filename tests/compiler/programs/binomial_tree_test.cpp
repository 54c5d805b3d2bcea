// An American put by backward induction, early exercise included.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

struct Market {
  double spot;
  double rate;
  double volatility;
  DDX_DIFFERENTIABLE(Market, spot, rate, volatility)
};

enum class Style { European, American };

double price(const Market& market, double strike, double years, int steps, Style style) {
  const double dt = years / steps;
  const double up = std::exp(market.volatility * std::sqrt(dt));
  const double down = 1 / up;
  const double discount = std::exp(-market.rate * dt);
  const double probability = (std::exp(market.rate * dt) - down) / (up - down);
  std::vector<double> value(static_cast<std::size_t>(steps) + 1);
  for (int i = 0; i <= steps; ++i) {
    value[i] = std::max(strike - market.spot * std::pow(up, i) * std::pow(down, steps - i), 0.0);
  }
  for (int n = steps - 1; n >= 0; --n) {
    for (int i = 0; i <= n; ++i) {
      value[i] = discount * (probability * value[i + 1] + (1 - probability) * value[i]);
      if (style == Style::American) {
        const double exercise = strike - market.spot * std::pow(up, 2 * i - n);
        value[i] = std::max(value[i], exercise);
      }
    }
  }
  return value.front();
}

double binomial_tree(const Market& market, double strike) {
  const double american = price(market, strike, 1.0, 7, Style::American);
  const double european = price(market, strike, 1.0, 6, Style::European);
  return american * (1 + 0.5 * (american - european));
}

DDX_CHECK_GRADIENT(binomial_tree, at(Market{1.0, 0.05, 0.3}, 1.07),
                   at(Market{1.2, 0.02, 0.4}, 1.11), at(Market{0.8, 0.08, 0.2}, 0.93))

}  // namespace
