#include "ddx/nn/gradients/dynamic_loss_scale.h"

#include "ddx/nn/detail/conditional_update.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/runtime_number.h"

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

void DynamicLossScale::adapt(const RuntimeNumber& excess) {
  const RuntimeNumber value = value_.number();
  const RuntimeNumber good_steps = choose_zero(excess, good_steps_.number() + 1, 0);
  const RuntimeNumber missing = static_cast<double>(options_.growth_interval) - good_steps;
  const RuntimeNumber grown = value * options_.growth;
  const RuntimeNumber next =
      choose_zero(missing, choose_zero(detail::excess_of(grown), grown, value), value);
  value_ = choose_zero(excess, next, value * options_.backoff);
  good_steps_ = choose_zero(missing, 0, good_steps);
}

}  // namespace ddx::nn
