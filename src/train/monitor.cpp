#include "ddx/train/monitor.h"

#include "ddx/core/error.h"
#include "ddx/train/loop.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace ddx::train {

double monitored_loss(const Loop& loop) {
  return loop.validation_loss().value_or(loop.mean_loss());
}

Best::Best(Monitor monitor, std::optional<double> value)
    : monitor_(std::move(monitor)), value_(value) {
  if (!(monitor_.min_delta >= 0)) {
    throw UsageError("Monitor", "min_delta is " + std::to_string(monitor_.min_delta) +
                                    ", at least 0 is required");
  }
}

bool Best::take(double value) {
  const bool is_better = !value_ ? !std::isnan(value)
                         : monitor_.better == Monitor::Better::Lower
                             ? value < *value_ - monitor_.min_delta
                             : value > *value_ + monitor_.min_delta;
  if (is_better) {
    value_ = value;
  }
  return is_better;
}

}  // namespace ddx::train
