#include "ddx/nn/attention/rotary_embedding.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/host_vector.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/options.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/array_of.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::nn::detail {

namespace {

void check(const RotaryOptions& options) {
  constexpr const char* name = "rotary_embedding";
  require_above_zero(name, "base", options.base);
  const RotaryScaling& scaling = options.scaling;
  if (scaling.kind == RotaryScaling::Kind::None) {
    return;
  }
  require_above_zero(name, "factor", scaling.factor);
  if (scaling.kind == RotaryScaling::Kind::Llama3) {
    require_above_zero(name, "low_frequency", scaling.low_frequency);
    require_above_zero(name, "high_frequency", scaling.high_frequency);
    require_positive(name, "original_places", scaling.original_places);
    if (scaling.high_frequency <= scaling.low_frequency) {
      throw UsageError(name, "high_frequency is " + std::to_string(scaling.high_frequency) +
                                 ", not above low_frequency, which is " +
                                 std::to_string(scaling.low_frequency));
    }
  }
}

/// How far a pair turns per place that turns by `speed` without scaling.
double scaled(double speed, const RotaryScaling& scaling) {
  switch (scaling.kind) {
    case RotaryScaling::Kind::None:
      break;
    case RotaryScaling::Kind::Linear:
      return speed / scaling.factor;
    case RotaryScaling::Kind::Llama3: {
      const double frequency =
          static_cast<double>(scaling.original_places) * speed / (2 * std::numbers::pi);
      const double kept = std::clamp(
          (frequency - scaling.low_frequency) / (scaling.high_frequency - scaling.low_frequency),
          0.0, 1.0);
      return (1 - kept) * speed / scaling.factor + kept * speed;
    }
  }
  return speed;
}

/// f(angle) of all places and pairs.
template <class F>
ddx::detail::Array of_angles(const Shape& x, const RotaryOptions& options, DType dtype,
                             Device device, const std::source_location& where, F f) {
  check(options);
  if (x.rank() < 2 || x[x.rank() - 1] % 2 != 0) {
    throw UsageError("rotary_embedding",
                     "shape " + to_string(x) + " is not [..., time, depth] of an even depth",
                     where);
  }
  const std::int64_t time = x[x.rank() - 2];
  const std::int64_t depth = x[x.rank() - 1];
  const std::int64_t pairs = depth / 2;
  std::vector<double> speeds;
  for (std::int64_t i = 0; i < depth; i += 2) {
    speeds.push_back(
        scaled(std::pow(options.base, -static_cast<double>(i) / static_cast<double>(depth)),
               options.scaling));
  }
  auto numbers = host_vector_with_room<double>("rotary_embedding", time * pairs);
  for (std::int64_t place = 0; place < (pairs == 0 ? 0 : time); ++place) {
    for (const double speed : speeds) {
      numbers.push_back(
          f((static_cast<double>(options.first) + static_cast<double>(place)) * speed));
    }
  }
  return ddx::detail::array_of(numbers, {time, pairs}, dtype, device);
}

}  // namespace

ddx::detail::Array rotary_cosines(const Shape& x, const RotaryOptions& options, DType dtype,
                                  Device device, const std::source_location& where) {
  return of_angles(x, options, dtype, device, where, [](double angle) { return std::cos(angle); });
}

ddx::detail::Array rotary_sines(const Shape& x, const RotaryOptions& options, DType dtype,
                                Device device, const std::source_location& where) {
  return of_angles(x, options, dtype, device, where, [](double angle) { return std::sin(angle); });
}

Indices paired_extents(const Shape& x) {
  std::vector<std::int64_t> extents(x.extents().begin(), x.extents().end());
  extents.back() /= 2;
  extents.push_back(2);
  return Indices(std::span<const std::int64_t>(extents));
}

}  // namespace ddx::nn::detail
