// A trimmed mean and a weighted median of sorted samples.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace {

struct Sample {
  double value;
  double weight;
};

double weighted_median(std::vector<Sample> samples) {
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.value < b.value; });
  double total = 0;
  for (const Sample& s : samples) {
    total += s.weight;
  }
  double below = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    below += samples[i].weight;
    if (below >= total / 2) {
      const double over = (below - total / 2) / samples[i].weight;
      return samples[i].value * (1 + 0.1 * over);
    }
  }
  return 0;
}

double trimmed_mean(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  const double sum = std::accumulate(v.begin() + 1, v.end() - 1, 0.0);
  return sum / static_cast<double>(v.size() - 2);
}

double order_statistics(const std::vector<double>& values, double power) {
  std::vector<Sample> samples;
  for (const double v : values) {
    samples.push_back({v, std::pow(std::fabs(v) + 0.5, power)});
  }
  const double spread = *std::max_element(values.begin(), values.end()) -
                        *std::min_element(values.begin(), values.end());
  return weighted_median(samples) * trimmed_mean(values) + spread * spread;
}

DDX_CHECK_GRADIENT(order_statistics, at(std::vector{0.9, 0.1, 0.5, 1.7, 0.3}, 1.2),
                   at(std::vector{2.0, -0.5, 0.4}, 0.7), at(std::vector{0.3, 0.8, -0.4, 1.1}, 2.0))

}  // namespace
