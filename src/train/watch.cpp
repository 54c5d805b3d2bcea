#include "ddx/train/watch.h"

#include "ddx/core/error.h"
#include "ddx/train/loop.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace ddx::train {

double watched_loss(const Loop& loop) {
  return loop.validation_loss().value_or(loop.mean_loss());
}

Best::Best(Watch watch, std::optional<double> value) : watch_(std::move(watch)), value_(value) {
  if (!(watch_.min_delta >= 0)) {
    throw UsageError(
        "Watch", "min_delta is " + std::to_string(watch_.min_delta) + ", at least 0 is required");
  }
}

bool Best::take(double value) {
  const bool is_better = !value_ ? !std::isnan(value)
                         : watch_.better == Watch::Better::Lower
                             ? value < *value_ - watch_.min_delta
                             : value > *value_ + watch_.min_delta;
  if (is_better) {
    value_ = value;
  }
  return is_better;
}

}  // namespace ddx::train
