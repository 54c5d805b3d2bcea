#include "ddx/core/host_vector.h"

#include "ddx/core/error.h"

#include <cstdint>
#include <string>

namespace ddx::detail {

void throw_no_memory(const char* operation, std::int64_t count) {
  throw EnvironmentError(operation,
                         "the system has no memory for " + std::to_string(count) + " elements");
}

}  // namespace ddx::detail
