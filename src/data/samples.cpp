#include "ddx/data/samples.h"

#include "ddx/core/error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ddx::data::detail {

void check_places(const char* operation, std::span<const std::int64_t> places, std::size_t size) {
  for (const auto place : places) {
    if (place < 0 || static_cast<std::size_t>(place) >= size) {
      throw UsageError(operation,
                       "sample " + std::to_string(place) + " of " + std::to_string(size));
    }
  }
}

}  // namespace ddx::data::detail
