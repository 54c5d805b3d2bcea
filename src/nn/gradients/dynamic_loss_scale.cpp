#include "ddx/nn/gradients/dynamic_loss_scale.h"

#include "ddx/nn/detail/options.h"

#include <cmath>

namespace ddx::nn {

DynamicLossScale::DynamicLossScale(const DynamicLossScaleOptions& options)
    : options_(options), value_(options.initial) {
  constexpr const char* name = "DynamicLossScale";
  detail::require_above_zero(name, "initial", options.initial);
  detail::require_within(name, "growth", options.growth, 1, 1e6);
  detail::require_above_zero(name, "backoff", options.backoff);
  detail::require_within(name, "backoff", options.backoff, 0, 1);
  detail::require_positive(name, "growth_interval", options.growth_interval);
}

void DynamicLossScale::adapt(bool finite) noexcept {
  if (!finite) {
    value_ *= options_.backoff;
    good_steps_ = 0;
  } else if (++good_steps_ == options_.growth_interval) {
    const double grown = value_ * options_.growth;
    value_ = std::isfinite(grown) ? grown : value_;
    good_steps_ = 0;
  }
}

}  // namespace ddx::nn
