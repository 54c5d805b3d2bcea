#include "ddx/nn/detail/options.h"

#include "ddx/core/error.h"

#include <cstdint>
#include <sstream>
#include <string>

namespace ddx::nn::detail {

void require_positive(const char* layer, const char* option, std::int64_t value) {
  if (value < 1) {
    throw UsageError(
        layer, std::string(option) + " is " + std::to_string(value) + ", at least 1 is required");
  }
}

void require_fraction(const char* layer, const char* option, double value) {
  // Written so that a NaN is refused too.
  if (!(value >= 0 && value < 1)) {
    std::ostringstream facts;
    facts << option << " is " << value << ", expected 0 <= " << option << " < 1";
    throw UsageError(layer, facts.str());
  }
}

}  // namespace ddx::nn::detail
