#include "ddx/train/early_stopping.h"

#include "ddx/core/error.h"

#include <string>

namespace ddx::train::detail {

void check_patience(std::int64_t patience) {
  if (patience < 1) {
    throw UsageError("stop_early",
                     "patience is " + std::to_string(patience) + ", at least 1 epoch is required");
  }
}

}  // namespace ddx::train::detail
