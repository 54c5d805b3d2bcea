#include "ddx/train/predictions.h"

#include "ddx/core/error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ddx::train {

double accuracy(std::span<const std::int32_t> predicted, std::span<const std::uint8_t> labels) {
  if (predicted.size() != labels.size()) {
    throw UsageError("accuracy", std::to_string(predicted.size()) + " predictions for " +
                                     std::to_string(labels.size()) + " labels");
  }
  std::size_t right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    right += predicted[i] == labels[i] ? 1U : 0U;
  }
  return labels.empty() ? 0.0 : static_cast<double>(right) / static_cast<double>(labels.size());
}

}  // namespace ddx::train
