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
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <source_location>
#include <span>
#include <string>
#include <utility>
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
  if (scaling.kind == RotaryScaling::Kind::Listed) {
    for (const double factor : scaling.factors) {
      require_above_zero(name, "factors", factor);
    }
    return;
  }
  require_above_zero(name, "factor", scaling.factor);
  if (scaling.kind == RotaryScaling::Kind::Yarn) {
    require_above_zero(name, "fast_turns", scaling.fast_turns);
    require_above_zero(name, "slow_turns", scaling.slow_turns);
    require_positive(name, "original_places", scaling.original_places);
    if (scaling.magnitude != 0) {
      require_above_zero(name, "magnitude", scaling.magnitude);
    }
  }
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

/// How the pairs of a depth turn.
class Speeds {
 public:
  Speeds(const RotaryOptions& options, std::int64_t depth) : options_(options), depth_(depth) {}

  /// How far pair `i` turns per place.
  [[nodiscard]] double of(std::int64_t i) const {
    const RotaryScaling& scaling = options_.scaling;
    const double speed =
        std::pow(options_.base, -2 * static_cast<double>(i) / static_cast<double>(depth_));
    switch (scaling.kind) {
      case RotaryScaling::Kind::None:
        break;
      case RotaryScaling::Kind::Linear:
        return speed / scaling.factor;
      case RotaryScaling::Kind::Llama3: {
        const double frequency =
            static_cast<double>(scaling.original_places) * speed / (2 * std::numbers::pi);
        return scaled(speed, (frequency - scaling.low_frequency) /
                                 (scaling.high_frequency - scaling.low_frequency));
      }
      case RotaryScaling::Kind::Yarn: {
        const double first = std::max(whole(pair_that_turns(scaling.fast_turns), false), 0.0);
        double last = std::min(whole(pair_that_turns(scaling.slow_turns), true),
                               static_cast<double>(depth_ - 1));
        constexpr double least = 0.001;  // As transformers has it.
        last = first == last ? last + least : last;
        const double scaled_part = (static_cast<double>(i) - first) / (last - first);
        return scaled(speed, 1 - std::clamp(scaled_part, 0.0, 1.0));
      }
      case RotaryScaling::Kind::Listed:
        return speed / scaling.factors[static_cast<std::size_t>(i)];
    }
    return speed;
  }

 private:
  [[nodiscard]] double scaled(double speed, double kept) const {
    kept = std::clamp(kept, 0.0, 1.0);
    return (1 - kept) * speed / options_.scaling.factor + kept * speed;
  }
  /// The number of the pair that turns this often in the original places.
  [[nodiscard]] double pair_that_turns(double turns) const {
    return static_cast<double>(depth_) *
           std::log(static_cast<double>(options_.scaling.original_places) /
                    (turns * 2 * std::numbers::pi)) /
           (2 * std::log(options_.base));
  }
  [[nodiscard]] double whole(double pair, bool up) const {
    return !options_.scaling.whole_pairs ? pair : up ? std::ceil(pair) : std::floor(pair);
  }

  const RotaryOptions& options_;
  std::int64_t depth_;
};

/// What rotated vectors are multiplied by.
double magnitude(const RotaryScaling& scaling) {
  if (scaling.kind != RotaryScaling::Kind::Yarn) {
    return 1;
  }
  constexpr double growth = 0.1;
  return scaling.magnitude != 0 ? scaling.magnitude
                                : 1 + growth * std::log(std::max(scaling.factor, 1.0));
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
  if (options.scaling.kind == RotaryScaling::Kind::Listed &&
      !std::cmp_equal(options.scaling.factors.size(), pairs)) {
    throw UsageError("rotary_embedding",
                     "the scaling lists " + std::to_string(options.scaling.factors.size()) +
                         " factors, shape " + to_string(x) + " has " + std::to_string(pairs) +
                         " pairs",
                     where);
  }
  std::vector<double> speeds;
  const Speeds turning(options, depth);
  for (std::int64_t i = 0; i < pairs; ++i) {
    speeds.push_back(turning.of(i));
  }
  const double length = magnitude(options.scaling);
  auto numbers = host_vector_with_room<double>("rotary_embedding", time * pairs);
  for (std::int64_t place = 0; place < (pairs == 0 ? 0 : time); ++place) {
    for (const double speed : speeds) {
      numbers.push_back(
          length * f((static_cast<double>(options.first) + static_cast<double>(place)) * speed));
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

std::vector<std::int64_t> rotated_sizes(const Shape& x, const RotaryOptions& options,
                                        const std::source_location& where) {
  const std::int64_t depth = x.rank() == 0 ? 0 : x[x.rank() - 1];
  if (options.depth < 0 || options.depth > depth) {
    throw UsageError("rotary_embedding",
                     "depth is " + std::to_string(options.depth) + ", that of shape " +
                         to_string(x) + " is " + std::to_string(depth),
                     where);
  }
  if (options.depth == 0 || options.depth == depth) {
    return {};
  }
  return {options.depth, depth - options.depth};
}

}  // namespace ddx::nn::detail
