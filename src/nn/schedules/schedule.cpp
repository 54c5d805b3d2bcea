#include "ddx/nn/schedules/schedule.h"

#include "ddx/nn/detail/options.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace ddx::nn::detail {

double checked_step(const char* schedule, std::int64_t step) {
  require_at_least(schedule, "step", step, 0);
  return static_cast<double>(step);
}

double elapsed_share(const char* schedule, std::int64_t step, std::int64_t count) {
  return std::min(1.0, checked_step(schedule, step) / static_cast<double>(count));
}

double cosine_between(double first, double last, double share) {
  return last + (first - last) * (1 + std::cos(std::numbers::pi * share)) / 2;
}

}  // namespace ddx::nn::detail
