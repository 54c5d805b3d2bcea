// A sliding median over a std::multiset, and the distinct levels of a signal in a std::set.

#include "gradient_check.h"

#include <cmath>
#include <iterator>
#include <set>
#include <vector>

namespace {

double sliding_median(const std::vector<double>& signal, double gain) {
  const std::size_t width = 3;
  std::multiset<double> window;
  std::set<double> levels;
  double loss = 0;
  for (std::size_t i = 0; i < signal.size(); ++i) {
    window.insert(gain * signal[i]);
    if (window.size() > width) {
      window.erase(window.find(gain * signal[i - width]));
    }
    const double median = *std::next(window.begin(), static_cast<int>(window.size()) / 2);
    const double range = *window.rbegin() - *window.begin();
    loss += (signal[i] - median) * (signal[i] - median) + 0.1 * range * range;
    levels.insert(median);
  }
  double last = 0;
  for (const double level : levels) {
    loss += 0.2 * level * last;
    last = level;
  }
  const auto above = levels.lower_bound(0.4 * last);
  return above == levels.end() ? loss : loss + std::sin(*above);
}

DDX_CHECK_GRADIENT(sliding_median, at(std::vector{0.5, -0.2, 0.9, 0.1, 0.7, 0.35}, 0.8),
                   at(std::vector{1.2, 0.3}, 1.4), at(std::vector{0.3, 0.6, -0.4, 1.1}, -0.6))

}  // namespace
