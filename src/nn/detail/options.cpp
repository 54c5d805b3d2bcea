#include "ddx/nn/detail/options.h"

#include "ddx/core/error.h"

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>

namespace ddx::nn::detail {
namespace {

[[noreturn]] void refuse(const char* owner, const char* option, double value,
                         const std::string& expected) {
  std::ostringstream facts;
  facts << option << " is " << value << ", expected " << expected;
  throw UsageError(owner, facts.str());
}

}  // namespace

void require_positive(const char* layer, const char* option, std::int64_t value) {
  require_at_least(layer, option, value, 1);
}

void require_at_least(const char* owner, const char* option, std::int64_t value,
                      std::int64_t least) {
  if (value < least) {
    throw UsageError(owner, std::string(option) + " is " + std::to_string(value) + ", at least " +
                                std::to_string(least) + " is required");
  }
}

void require_fraction(const char* layer, const char* option, double value) {
  // Written so that a NaN is refused too.
  if (!(value >= 0 && value < 1)) {
    refuse(layer, option, value, std::string("0 <= ") + option + " < 1");
  }
}

void require_not_negative(const char* owner, const char* option, double value) {
  if (!(value >= 0 && std::isfinite(value))) {
    refuse(owner, option, value, "a finite number of at least 0");
  }
}

void require_above_zero(const char* owner, const char* option, double value) {
  if (!(value > 0 && std::isfinite(value))) {
    refuse(owner, option, value, "a finite number above 0");
  }
}

void require_within(const char* owner, const char* option, double value, double low, double high) {
  if (!(value >= low && value <= high)) {
    std::ostringstream expected;
    expected << low << " <= " << option << " <= " << high;
    refuse(owner, option, value, expected.str());
  }
}

}  // namespace ddx::nn::detail
