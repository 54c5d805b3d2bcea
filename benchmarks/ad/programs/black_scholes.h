/// \file
/// Prices of European options by the formula of Black and Scholes; the gradient is all the Greeks.

#pragma once

#include "programs/case.h"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <tuple>
#include <vector>

namespace ddx::bench {

template <class T>
T normal_distribution_function(const T& x) {
  using std::erfc;
  return 0.5 * erfc(-x / std::numbers::sqrt2);
}

/// Source: F. Black, M. Scholes, "The pricing of options and corporate liabilities", 1973.
template <class T>
T option_price(bool call, const T& spot, const T& strike, const T& rate, const T& volatility,
               const T& maturity) {
  using std::exp;
  using std::log;
  using std::sqrt;
  const T spread = volatility * sqrt(maturity);
  const T d1 = (log(spot / strike) + (rate + 0.5 * volatility * volatility) * maturity) / spread;
  const T d2 = d1 - spread;
  const T discounted = strike * exp(-rate * maturity);
  if (call) {
    return spot * normal_distribution_function<T>(d1) -
           discounted * normal_distribution_function<T>(d2);
  }
  return discounted * normal_distribution_function<T>(-d2) -
         spot * normal_distribution_function<T>(-d1);
}

/// The price of a portfolio with one of each option, puts and calls in turn.
struct PortfolioPrice {
  template <class T>
  T operator()(const std::vector<T>& spot, const std::vector<T>& strike, const std::vector<T>& rate,
               const std::vector<T>& volatility, const std::vector<T>& maturity) const {
    T sum = 0;
    for (std::size_t i = 0; i < spot.size(); ++i) {
      sum += option_price(i % 2 == 0, spot[i], strike[i], rate[i], volatility[i], maturity[i]);
    }
    return sum;
  }
};

inline auto black_scholes_case(int options) {
  std::mt19937 generator(23);
  const auto random = [&](double least, double most) {
    std::uniform_real_distribution<double> uniform(least, most);
    std::vector<double> numbers(static_cast<std::size_t>(options));
    for (double& v : numbers) {
      v = uniform(generator);
    }
    return numbers;
  };
  // One after the other, so that every compiler draws the same numbers.
  const auto spot = random(80, 120);
  const auto strike = random(80, 120);
  const auto rate = random(0.01, 0.05);
  const auto volatility = random(0.1, 0.4);
  const auto maturity = random(0.25, 2);
  return Case{PortfolioPrice{}, std::tuple{spot, strike, rate, volatility, maturity}};
}

}  // namespace ddx::bench
