// Pipelines of views: filter, transform, take_while, reverse and join over nested data.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <ranges>
#include <vector>

namespace {

namespace views = std::views;

double view_pipelines(const std::vector<std::vector<double>>& rows, double threshold) {
  double sum = 0;
  for (const double v : rows | views::join | views::filter([](double x) { return x > 0; }) |
                            views::transform([threshold](double x) { return x * x - threshold; })) {
    sum = 0.9 * sum + v;
  }
  const auto running = views::iota(0, 5) | views::transform([&](int i) {
                         return std::exp(-threshold * i) * rows[0][i % rows[0].size()];
                       });
  for (const double v : running | views::reverse | views::drop(1) | views::take(3)) {
    sum += std::sin(v);
  }
  const auto is_small = [&](double x) { return std::fabs(x) < 10 * threshold; };
  for (const auto& row : rows) {
    for (const double v : row | views::take_while(is_small)) {
      sum += threshold * v;
    }
    sum += std::ranges::max(row) * *std::ranges::min_element(row);
  }
  std::vector<double> flat;
  std::ranges::copy(rows | views::join, std::back_inserter(flat));
  std::ranges::sort(flat, std::greater{});
  return std::inner_product(flat.begin(), flat.end(), flat.rbegin(), sum);
}

DDX_CHECK_GRADIENT(view_pipelines,
                   at(std::vector<std::vector<double>>{{0.5, -0.2, 0.9}, {0.1, 0.7}}, 0.3),
                   at(std::vector<std::vector<double>>{{1.2, 0.3}, {-0.6}, {0.8, 0.4}}, 0.07),
                   at(std::vector<std::vector<double>>{{0.3}}, 0.5))

}  // namespace
