#include "ddx/core/checked.h"

#include "ddx/core/error.h"

#include <cstdint>
#include <source_location>
#include <string>

namespace ddx::detail {

void throw_overflow(std::int64_t a, const char* sign, std::int64_t b, const char* operation,
                    const std::source_location& where) {
  throw UsageError(
      operation,
      std::to_string(a) + " " + sign + " " + std::to_string(b) + " does not fit in 64 bits", where);
}

}  // namespace ddx::detail
