#include "ddx/train/metrics/top_k_accuracy.h"

#include "ddx/core/error.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <source_location>
#include <string>

namespace ddx::train {

TopKAccuracy::TopKAccuracy(std::int64_t k, std::source_location where)
    : k_(std::min<std::int64_t>(k, std::numeric_limits<std::int32_t>::max())) {
  if (k < 1) {
    throw UsageError("TopKAccuracy", "k is " + std::to_string(k) + ", at least 1 is required",
                     where);
  }
}

}  // namespace ddx::train
