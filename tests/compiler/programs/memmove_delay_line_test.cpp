// A filter whose delay line moves by memmove, also over a length of zero, and is cleared by memset.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

namespace {

class DelayLine {
 public:
  explicit DelayLine(std::size_t taps) : taps_(taps) { clear(); }
  void clear() { std::memset(line_, 0, sizeof(line_)); }
  void push(double x) {
    std::memmove(line_ + 1, line_, (taps_ - 1) * sizeof(double));
    line_[0] = x;
  }
  [[nodiscard]] double filtered(const double* weights) const {
    double y = 0;
    for (std::size_t i = 0; i < taps_; ++i) {
      y += weights[i] * line_[i];
    }
    return y;
  }
  void copy_to(double* out) const { std::memcpy(out, line_, taps_ * sizeof(double)); }

 private:
  double line_[8];
  std::size_t taps_;
};

double memmove_delay_line(const std::vector<double>& weights, const std::vector<double>& signal) {
  DelayLine line(weights.size());
  double power = 0;
  for (std::size_t i = 0; i < signal.size(); ++i) {
    line.push(signal[i]);
    const double y = line.filtered(weights.data());
    power = 0.9 * power + y * y;
    if (i == 3) {
      line.clear();
      line.push(std::sin(power));
    }
  }
  double tail[8];
  line.copy_to(tail);
  std::memmove(tail, tail + weights.size() - 1, sizeof(double));
  return power + tail[0] * tail[0];
}

DDX_CHECK_GRADIENT(memmove_delay_line,
                   at(std::vector{0.5, -0.2, 0.3}, std::vector{1.0, 0.4, -0.7, 0.2, 0.9, 0.1}),
                   at(std::vector{0.8}, std::vector{0.3, -0.6}),
                   at(std::vector{0.1, 0.7, 0.2, -0.4}, std::vector{0.6, 1.2, 0.5, -0.8, 0.3}))

}  // namespace
