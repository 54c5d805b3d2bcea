#include "ddx/nn/attention/positions.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/host_vector.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/array_of.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

namespace ddx::nn::detail {

void require_places(const char* layer, const Shape& x, std::int64_t first, std::int64_t count,
                    std::int64_t features, const std::source_location& where) {
  if (x.rank() < 2) {
    throw UsageError(layer, "shape " + to_string(x) + " is not [..., time, features]", where);
  }
  if (first < 0) {
    throw UsageError(
        layer, "the first place is " + std::to_string(first) + "; shape " + to_string(x), where);
  }
  const std::int64_t end = first + x[x.rank() - 2];
  if (count >= 0 && (end > count || x[x.rank() - 1] != features)) {
    throw UsageError(layer,
                     "shape " + to_string(x) + " from place " + std::to_string(first) +
                         " on is not [..., time, features] of at most " + std::to_string(count) +
                         " places and " + std::to_string(features) + " features",
                     where);
  }
}

ddx::detail::Array sinusoids(std::int64_t count, std::int64_t features, DType dtype, Device device,
                             const std::source_location& where) {
  if (count < 0 || features < 1 || features % 2 != 0) {
    throw UsageError("sinusoidal_positions",
                     "count is " + std::to_string(count) + ", features is " +
                         std::to_string(features) +
                         ": at least 0 and an even number of at least 2 are required",
                     where);
  }
  const Shape shape(std::array{count, features}, "sinusoidal_positions", where);
  auto numbers = host_vector_with_room<double>("sinusoidal_positions", shape.count());
  for (std::int64_t place = 0; place < count; ++place) {
    for (std::int64_t i = 0; i < features; i += 2) {
      const double angle =
          static_cast<double>(place) *
          std::pow(10000.0, -static_cast<double>(i) / static_cast<double>(features));
      numbers.push_back(std::sin(angle));
      numbers.push_back(std::cos(angle));
    }
  }
  return ddx::detail::array_of(numbers, shape, dtype, device);
}

}  // namespace ddx::nn::detail
