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

void require_equal_alternatives(const Path& path, int first, int other) {
  const auto text = [](int number) {
    return number < 0 ? std::string("nothing") : "alternative " + std::to_string(number);
  };
  if (first != other) {
    throw UsageError(
        "visit", to_string(path) + " holds " + text(first) + ", its counterpart " + text(other));
  }
}

void throw_no_key(const Path& path, const std::string& key) {
  throw UsageError("visit", to_string(path) + " has the key " + key + ", its counterpart does not");
}

}  // namespace ddx::nn::detail
