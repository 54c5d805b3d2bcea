/// \file
/// Epochs that a measurement does not see the end of.

#pragma once

#include "ddx/core/random_key.h"

#include <cstdint>
#include <vector>

namespace ddx::bench {

/// The samples in random order, again and again: an order for data::TrainingEpochs.
[[nodiscard]] std::vector<std::int64_t> long_order(std::int64_t count, RandomKey key);

}  // namespace ddx::bench
