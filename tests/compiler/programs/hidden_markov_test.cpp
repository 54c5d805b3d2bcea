// A hidden Markov model: the forward algorithm in logarithms.

#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace {

constexpr std::size_t states = 3;
using Row = std::array<double, states>;
using Table = std::array<Row, states>;

double log_sum_exp(const Row& v) {
  const double m = *std::max_element(v.begin(), v.end());
  double s = 0;
  for (const double e : v) {
    s += std::exp(e - m);
  }
  return m + std::log(s);
}

Row log_softmax(Row v) {
  const double total = log_sum_exp(v);
  for (auto& e : v) {
    e -= total;
  }
  return v;
}

double hidden_markov(const Table& transition, const Row& means, double deviation,
                     const std::vector<double>& observed) {
  Table log_transition;
  for (std::size_t i = 0; i < states; ++i) {
    log_transition[i] = log_softmax(transition[i]);
  }
  const auto emission = [&](std::size_t state, double y) {
    const double z = (y - means[state]) / deviation;
    return -0.5 * z * z - std::log(deviation);
  };
  Row alpha = log_softmax({0.1, 0.2, 0.3});
  for (std::size_t t = 0; t < observed.size(); ++t) {
    Row next;
    for (std::size_t j = 0; j < states; ++j) {
      Row terms;
      for (std::size_t i = 0; i < states; ++i) {
        terms[i] = alpha[i] + log_transition[i][j];
      }
      next[j] = log_sum_exp(terms) + emission(j, observed[t]);
    }
    alpha = next;
  }
  return log_sum_exp(alpha);
}

const Table table{Row{0.5, 0.1, -0.2}, Row{0.3, 0.9, 0.0}, Row{-0.4, 0.2, 0.6}};
DDX_CHECK_GRADIENT(hidden_markov, at(table, Row{0.1, 0.5, 1.2}, 0.6, std::vector{0.2, 0.9, 0.4}),
                   at(table, Row{-0.3, 0.2, 0.7}, 1.1, std::vector<double>{}),
                   at(table, Row{0.0, 1.0, 2.0}, 0.8, std::vector{1.4}))

}  // namespace
