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

#include <cmath>
#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

namespace ddx::nn::detail {

namespace {

/// f(angle) of all places and pairs.
template <class F>
ddx::detail::Array of_angles(const Shape& x, const RotaryOptions& options, DType dtype,
                             Device device, const std::source_location& where, F f) {
  require_above_zero("rotary_embedding", "base", options.base);
  if (x.rank() < 2 || x[x.rank() - 1] % 2 != 0) {
    throw UsageError("rotary_embedding",
                     "shape " + to_string(x) + " is not [..., time, depth] of an even depth",
                     where);
  }
  const std::int64_t time = x[x.rank() - 2];
  const std::int64_t depth = x[x.rank() - 1];
  const std::int64_t pairs = depth / 2;
  auto numbers = host_vector_with_room<double>("rotary_embedding", time * pairs);
  for (std::int64_t place = 0; place < (pairs == 0 ? 0 : time); ++place) {
    for (std::int64_t i = 0; i < depth; i += 2) {
      const double speed =
          std::pow(options.base, -static_cast<double>(i) / static_cast<double>(depth));
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
