#include "ddx/nn/detail/undrawn_weights.h"

#include <utility>

namespace ddx::nn::detail {
namespace {

thread_local bool weights_stay_undrawn = false;

}  // namespace

UndrawnWeights::UndrawnWeights() noexcept : before_(std::exchange(weights_stay_undrawn, true)) {}

UndrawnWeights::~UndrawnWeights() {
  weights_stay_undrawn = before_;
}

bool UndrawnWeights::are_wanted() noexcept {
  return weights_stay_undrawn;
}

}  // namespace ddx::nn::detail
