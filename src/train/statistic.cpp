#include "ddx/train/statistic.h"

#include "ddx/train/metrics/mean_loss.h"

namespace ddx::train {

Statistic loss_statistic() {
  return statistic("loss", MeanLoss());
}

}  // namespace ddx::train
