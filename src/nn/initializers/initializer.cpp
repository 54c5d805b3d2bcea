#include "ddx/nn/initializers/initializer.h"

#include <cmath>

namespace ddx::nn {

double initial_deviation(Initializer initializer, Fans fans) noexcept {
  const auto in = static_cast<double>(fans.in);
  const auto out = static_cast<double>(fans.out);
  switch (initializer) {
    case Initializer::Zeros:
      break;
    case Initializer::GlorotUniform:
    case Initializer::GlorotNormal:
      return std::sqrt(2 / (in + out));
    case Initializer::HeUniform:
    case Initializer::HeNormal:
      return std::sqrt(2 / in);
  }
  return 0;
}

}  // namespace ddx::nn
