#include "ddx/nn/initializers/initializer.h"

#include <cmath>

namespace ddx::nn::detail {

double scaled_deviation(const Initializer& initializer, Fans fans) noexcept {
  const auto in = static_cast<double>(fans.in);
  const auto out = static_cast<double>(fans.out);
  const double fan = initializer.fan == Initializer::Fan::In ? in : (in + out) / 2;
  return std::sqrt(initializer.first / fan);
}

}  // namespace ddx::nn::detail
