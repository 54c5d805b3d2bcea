#include "ddx/ops/site.h"

#include "ddx/core/error.h"

#include <string>

namespace ddx::ops {

void Site::fail(const std::string& facts) const {
  throw UsageError(operation, facts, where);
}

}  // namespace ddx::ops
