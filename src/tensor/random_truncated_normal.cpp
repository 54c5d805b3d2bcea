#include "ddx/tensor/random_truncated_normal.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/host_vector.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ops/creation.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/array_of.h"
#include "ddx/tensor/detail/normal_quantile.h"
#include "ddx/tensor/detail/recorded_keys.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <numbers>
#include <source_location>
#include <string>
#include <vector>

namespace ddx::detail {
namespace {

/// The probability that a standard normal variable stays below x.
double normal_probability(double x) noexcept {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

}  // namespace

Array random_truncated_normal(RandomKey key, const Shape& shape,
                              const TruncatedNormalOptions& options, DType dtype, Device device,
                              const std::source_location& where) try {
  // Probabilities near 0 have digits that those near 1 lack: bounds above the mean are mirrored.
  const bool mirrored = options.low > 0;
  const double low = mirrored ? -options.high : options.low;
  const double high = mirrored ? -options.low : options.high;
  const double below = normal_probability(low);
  const double width = normal_probability(high) - below;
  if (!(width > 0)) {
    throw UsageError("random_truncated_normal",
                     "nothing lies between " + std::to_string(options.low) + " and " +
                         std::to_string(options.high) + " deviations; shape " + to_string(shape),
                     where);
  }
  if (!(options.deviation >= 0) || !std::isfinite(options.deviation)) {
    throw UsageError("random_truncated_normal",
                     "deviation " + std::to_string(options.deviation) +
                         " is not a finite number of at least 0; shape " + to_string(shape),
                     where);
  }
  const auto draw = [=](const RandomKey& own) {
    const auto count = static_cast<std::uint64_t>(shape.count());
    auto numbers = host_vector_with_room<double>("random_truncated_normal", shape.count());
    for (std::uint64_t i = 0; i < count; ++i) {
      const double quantile =
          std::clamp(normal_quantile(below + ops::uniform_f64(own, i) * width), low, high);
      numbers.push_back(options.mean + options.deviation * (mirrored ? -quantile : quantile));
    }
    return array_of(numbers, shape, dtype, device);
  };
  return drawn(key, device, draw);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("random_truncated_normal");
}

}  // namespace ddx::detail
