#include "ddx/train/schedule_learning_rate.h"

#include "ddx/core/error.h"

#include <cmath>
#include <string>

namespace ddx::train::detail {

double checked_rate(double rate, std::int64_t step) {
  if (!std::isfinite(rate) || rate < 0) {
    throw UsageError("schedule_learning_rate",
                     "the rate of step " + std::to_string(step) + " is " + std::to_string(rate));
  }
  return rate;
}

}  // namespace ddx::train::detail
