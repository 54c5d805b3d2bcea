#include "ddx/tensor/ranges.h"

#include "ddx/core/shape.h"
#include "ddx/ops/site.h"

#include <cmath>
#include <cstdint>
#include <source_location>
#include <string>

namespace ddx::detail {

std::int64_t range_count(double start, double stop, double step,
                         const std::source_location& where) {
  const double count = std::ceil((stop - start) / step);
  if (step == 0 || !std::isfinite(start) || !std::isfinite(count) ||
      count > static_cast<double>(Shape::max_count)) {
    ops::Site{"arange", where}.fail("there is no end from " + std::to_string(start) + " to " +
                                    std::to_string(stop) + " in steps of " + std::to_string(step));
  }
  return count > 0 ? static_cast<std::int64_t>(count) : 0;
}

void check_linspace(std::int64_t count, const std::source_location& where) {
  if (count < 0) {
    ops::Site{"linspace", where}.fail("count " + std::to_string(count) + " is negative");
  }
  (void)ops::Site{"linspace", where}.shape({&count, 1});
}

}  // namespace ddx::detail
