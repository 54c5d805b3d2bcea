/// \file
/// A data set whose batches are the numbers of their samples.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ddx::testing {

/// So many samples.
struct NumberedData {
  std::int64_t count = 0;

  [[nodiscard]] std::int64_t size() const { return count; }
  [[nodiscard]] std::vector<std::int64_t> batch(std::span<const std::int64_t> samples) const {
    return {samples.begin(), samples.end()};
  }
};

}  // namespace ddx::testing
