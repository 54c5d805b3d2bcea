// An Asian option by Monte Carlo: an own random number generator, paths, antithetic pairs.

#include "gradient_check.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  double uniform() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<double>(state_ >> 11) * 0x1.0p-53;
  }

  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
  }

 private:
  std::uint64_t state_;
  bool has_spare_ = false;
  double spare_ = 0;
};

double monte_carlo(double spot, double volatility, double rate, int paths) {
  Random random(20240917);
  const int steps = 6;
  const double dt = 0.25;
  double sum = 0;
  for (int p = 0; p < paths; ++p) {
    double up = spot;
    double down = spot;
    double average_up = 0;
    double average_down = 0;
    for (int i = 0; i < steps; ++i) {
      const double shock = volatility * std::sqrt(dt) * random.normal();
      const double drift = (rate - 0.5 * volatility * volatility) * dt;
      up *= std::exp(drift + shock);
      down *= std::exp(drift - shock);
      average_up += up / steps;
      average_down += down / steps;
    }
    for (const double average : {average_up, average_down}) {
      if (average > 1.0) {
        sum += average - 1.0;
      }
    }
  }
  return std::exp(-rate * dt * steps) * sum / (2 * paths);
}

DDX_CHECK_GRADIENT(monte_carlo, at(1.05, 0.3, 0.05, 7), at(1.3, 0.2, 0.02, 3), at(0.9, 0.5, 0.1, 5))

}  // namespace
