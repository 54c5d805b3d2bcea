#include "ddx/nn/attention/attention_cache.h"

#include "ddx/core/error.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn::detail {

Indices head_extents(const char* layer, const Shape& x, std::int64_t heads,
                     const std::source_location& where) {
  if (x.rank() != 3) {
    throw UsageError(layer, "shape " + to_string(x) + " is not [n, time, features]", where);
  }
  return {x[0], x[1], heads, x[2] / heads};
}

Indices joined_extents(const Shape& x) {
  return {x[0], x[2], x[1] * x[3]};
}

}  // namespace ddx::nn::detail
