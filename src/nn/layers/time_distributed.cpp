#include "ddx/nn/layers/time_distributed.h"

#include "ddx/core/error.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"

#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

namespace ddx::nn::detail {

Indices steps_as_samples(const Shape& x, const std::source_location& where) {
  if (x.rank() < 2) {
    throw UsageError("TimeDistributed", "shape " + to_string(x) + " is not [n, time, ...]", where);
  }
  std::vector<std::int64_t> extents{x[0] * x[1]};
  extents.insert(extents.end(), x.extents().begin() + 2, x.extents().end());
  return Indices(std::span<const std::int64_t>(extents));
}

Indices samples_as_steps(const Shape& y, const Shape& x) {
  std::vector<std::int64_t> extents{x[0], x[1]};
  extents.insert(extents.end(), y.extents().begin() + 1, y.extents().end());
  return Indices(std::span<const std::int64_t>(extents));
}

}  // namespace ddx::nn::detail
