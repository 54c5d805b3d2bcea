#include "ddx/nn/detail/walk.h"

#include "ddx/core/error.h"
#include "ddx/nn/path.h"

#include <cstddef>
#include <string>

namespace ddx::nn::detail {

void require_equal_lengths(const Path& path, std::size_t first, std::size_t other) {
  if (first != other) {
    throw UsageError("visit", to_string(path) + " has " + std::to_string(first) +
                                  " elements, its counterpart has " + std::to_string(other));
  }
}

}  // namespace ddx::nn::detail
