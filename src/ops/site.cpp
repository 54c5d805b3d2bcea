#include "ddx/ops/site.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"

#include <cstdint>
#include <limits>
#include <string>

namespace ddx::ops {

void Site::fail(const std::string& facts) const {
  throw UsageError(operation, facts, where);
}

void Site::check_places(std::int64_t extent, const Shape& x) const {
  if (extent > std::numeric_limits<std::int32_t>::max()) {
    fail("there are more elements, " + std::to_string(extent) +
         ", than indices of 32 bits count; shape " + to_string(x));
  }
}

}  // namespace ddx::ops
