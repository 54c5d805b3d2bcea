#include "ddx/models/blocks/routed_dense.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"

#include <cstdint>
#include <source_location>
#include <string>

namespace ddx::models::detail {

std::int64_t routed_experts(const Shape& scores, std::int64_t used,
                            const std::source_location& where) {
  if (scores.rank() == 0 || scores.count() == 0) {
    throw UsageError("balance_loss", "shape " + to_string(scores) + " has no scores of experts",
                     where);
  }
  const std::int64_t experts = scores[scores.rank() - 1];
  if (used < 1 || used > experts) {
    throw UsageError("balance_loss",
                     "used is " + std::to_string(used) + ", it is not in [1, " +
                         std::to_string(experts) + "], the number of experts",
                     where);
  }
  return experts;
}

}  // namespace ddx::models::detail
