#include "ddx/train/loop.h"

#include "ddx/core/error.h"

#include <limits>
#include <optional>
#include <string>

namespace ddx::train {
namespace {

double mean(double sum, std::int64_t count) noexcept {
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

}  // namespace

const char* to_string(Scope scope) noexcept {
  switch (scope) {
    case Scope::Batch:
      return "batch";
    case Scope::Training:
      return "training";
    case Scope::Validation:
      return "validation";
    case Scope::Epoch:
      return "epoch";
    case Scope::Fit:
      return "fit";
  }
  return "";
}

double Loop::loss() const {
  if (!loss_) {
    throw UsageError("Loop", "no loss is known before the first batch has an answer");
  }
  return *loss_;
}

double Loop::mean_loss() const noexcept {
  return mean(trained_loss_sum_, trained_samples_);
}

std::optional<double> Loop::validation_loss() const noexcept {
  return validated_samples_ == 0 ? std::nullopt
                                 : std::optional(mean(validated_loss_sum_, validated_samples_));
}

bool Loop::is_running(Scope scope) const noexcept {
  return (running_ >> static_cast<unsigned>(scope) & 1U) != 0;
}

void Loop::cancel(Scope scope) {
  if (!is_running(scope)) {
    throw UsageError("Loop", "cannot cancel the " + std::string(to_string(scope)) +
                                 " at this event: none is running");
  }
  if (!cancelled_ || *cancelled_ < scope) {
    cancelled_ = scope;
  }
}

}  // namespace ddx::train
