#include "ddx/train/statistic.h"

#include "ddx/core/shape.h"
#include "ddx/distributed/cross_replica.h"
#include "ddx/distributed/process_group.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/metrics/mean_loss.h"

#include <cstdint>
#include <vector>

namespace ddx::train {

Statistic loss_statistic() {
  return statistic("loss", MeanLoss());
}

std::vector<double> detail::summed(const std::vector<double>& totals,
                                   const distributed::ProcessGroup& group) {
  const Tensor<double> mine(Shape{static_cast<std::int64_t>(totals.size())}, totals);
  return distributed::cross_replica_sum(mine, group).values();
}

}  // namespace ddx::train
