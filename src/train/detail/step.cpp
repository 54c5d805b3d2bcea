#include "ddx/train/detail/step.h"

#include "ddx/core/error.h"
#include "ddx/train/position.h"

#include <cmath>
#include <string>

namespace ddx::train::detail {

void check_loss(double loss, const Position& position) {
  if (!std::isfinite(loss)) {
    throw UsageError("fit", "the loss is " + std::to_string(loss) + " in epoch " +
                                std::to_string(position.epoch + 1) + ", step " +
                                std::to_string(position.step + 1) +
                                "; a smaller learning rate may help");
  }
}

}  // namespace ddx::train::detail
