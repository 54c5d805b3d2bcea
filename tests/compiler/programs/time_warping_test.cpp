// Dynamic programming: the soft and the hard time-warping distance of two curves.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {

double soft_min(double a, double b, double c, double gamma) {
  const double m = std::min({a, b, c});
  return m - gamma * std::log(std::exp((m - a) / gamma) + std::exp((m - b) / gamma) +
                              std::exp((m - c) / gamma));
}

double time_warping(const std::vector<double>& a, const std::vector<double>& b, double gamma) {
  const std::size_t n = a.size();
  const std::size_t m = b.size();
  constexpr double far = 50;
  std::vector<std::vector<double>> soft(n + 1, std::vector<double>(m + 1, far));
  std::vector<std::vector<double>> hard = soft;
  soft[0][0] = hard[0][0] = 0;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t j = 1; j <= m; ++j) {
      const double cost = (a[i - 1] - b[j - 1]) * (a[i - 1] - b[j - 1]);
      soft[i][j] = cost + soft_min(soft[i - 1][j], soft[i][j - 1], soft[i - 1][j - 1], gamma);
      hard[i][j] = cost + std::min(std::min(hard[i - 1][j], hard[i][j - 1]), hard[i - 1][j - 1]);
    }
  }
  return soft[n][m] + 0.5 * hard[n][m] * hard[n][m];
}

DDX_CHECK_GRADIENT(time_warping,
                   at(std::vector{0.1, 0.7, 1.3}, std::vector{0.2, 0.9, 1.1, 1.6}, 0.5),
                   at(std::vector{0.5}, std::vector{0.9, -0.2}, 0.3),
                   at(std::vector{1.0, 0.3}, std::vector{0.4, 0.8, 1.9}, 1.0))

}  // namespace
