#include "ddx/models/generate.h"

#include "ddx/core/error.h"

#include <cmath>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>

namespace ddx::models::detail {

void check_generate(std::span<const std::int32_t> beginning, const GenerateOptions& options,
                    const std::source_location& where) {
  if (beginning.empty()) {
    throw UsageError("generate", "the beginning has no tokens", where);
  }
  if (options.count < 0) {
    throw UsageError("generate", "count is " + std::to_string(options.count), where);
  }
  if (!(options.temperature > 0) || !std::isfinite(options.temperature)) {
    throw UsageError("generate", "temperature is " + std::to_string(options.temperature), where);
  }
}

}  // namespace ddx::models::detail
