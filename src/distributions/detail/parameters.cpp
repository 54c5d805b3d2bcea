#include "ddx/distributions/detail/parameters.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <sstream>
#include <vector>

namespace ddx::distributions::detail {

void throw_not_above(const char* distribution, const char* parameter, std::size_t place,
                     double value, const std::source_location& where) {
  std::ostringstream facts;
  facts << "element " << place << " of " << parameter << " is " << value
        << ", expected a number above 0";
  throw UsageError(distribution, facts.str(), where);
}

void require_fitting_shapes(const char* distribution, const Shape& first, const Shape& second,
                            const std::source_location& where) {
  (void)broadcast(first, second, distribution, where);
}

Shape sample_shape(const Shape& asked, const Shape& parameters) {
  std::vector<std::int64_t> extents(asked.extents().begin(), asked.extents().end());
  extents.insert(extents.end(), parameters.extents().begin(), parameters.extents().end());
  return Shape(std::span<const std::int64_t>(extents));
}

}  // namespace ddx::distributions::detail
