#include "ddx/data/images/resize.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "data/images/detail/image_extents.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::data {
namespace {

constexpr auto operation = "resized";

/// One point of the input and how much of it goes into a point of the output.
struct Tap {
  std::size_t from;
  float weight;
};

/// The taps of each point of the output, along one axis.
using Taps = std::vector<std::vector<Tap>>;

double triangle(double x) {
  return std::max(0.0, 1 - std::abs(x));
}

double cubic(double x, double a) {
  const double d = std::abs(x);
  if (d < 1) {
    return ((a + 2) * d - (a + 3)) * d * d + 1;
  }
  return d < 2 ? ((d - 5) * d + 8) * d * a - 4 * a : 0;
}

double kernel(double x, const ResizeOptions& options) {
  return options.interpolation == Interpolation::Bilinear
             ? triangle(x)
             : cubic(x, options.antialias ? -0.5 : -0.75);
}

Taps nearest_taps(std::int64_t in, std::int64_t out) {
  Taps taps;
  for (std::int64_t i = 0; i < out; ++i) {
    // floor((i + 1/2) in / out) in integers: no rounding decides a tie.
    taps.push_back({{static_cast<std::size_t>((2 * i + 1) * in / (2 * out)), 1.0F}});
  }
  return taps;
}

Taps kernel_taps(std::int64_t in, std::int64_t out, const ResizeOptions& options) {
  const double scale = static_cast<double>(in) / static_cast<double>(out);
  const double widening = options.antialias ? std::max(scale, 1.0) : 1;
  const double support = (options.interpolation == Interpolation::Bilinear ? 1 : 2) * widening;
  Taps taps;
  for (std::int64_t i = 0; i < out; ++i) {
    const double center = (static_cast<double>(i) + 0.5) * scale - 0.5;
    auto first = static_cast<std::int64_t>(std::ceil(center - support));
    auto last = static_cast<std::int64_t>(std::floor(center + support));
    if (options.antialias) {  // Beyond the border nothing counts.
      first = std::max<std::int64_t>(first, 0);
      last = std::min(last, in - 1);
    }
    std::vector<Tap> of_point;
    double sum = 0;
    std::vector<double> weights;
    for (std::int64_t j = first; j <= last; ++j) {
      weights.push_back(kernel((static_cast<double>(j) - center) / widening, options));
      sum += weights.back();
    }
    for (std::int64_t j = first; j <= last; ++j) {
      const auto from = std::clamp<std::int64_t>(j, 0, in - 1);
      of_point.push_back({static_cast<std::size_t>(from),
                          static_cast<float>(weights[static_cast<std::size_t>(j - first)] / sum)});
    }
    taps.push_back(std::move(of_point));
  }
  return taps;
}

/// Interpolates along the middle axis of [outer, in, inner].
std::vector<float> interpolated(std::span<const float> values, std::size_t outer, std::size_t in,
                                std::size_t inner, const Taps& taps) {
  std::vector<float> result(outer * taps.size() * inner, 0.0F);
  auto* to = result.data();
  for (std::size_t o = 0; o < outer; ++o) {
    for (const auto& of_point : taps) {
      for (const auto& tap : of_point) {
        const auto* from = values.data() + (o * in + tap.from) * inner;
        for (std::size_t i = 0; i < inner; ++i) {
          to[i] += tap.weight * from[i];
        }
      }
      to += inner;
    }
  }
  return result;
}

}  // namespace

Tensor<float> resized(const Tensor<float>& images, const ResizeOptions& options,
                      std::source_location where) {
  const auto extents = detail::image_extents(images, operation, where);
  const bool is_nearest = options.interpolation == Interpolation::Nearest;
  if (options.height < 1 || options.width < 1 || extents.height < 1 || extents.width < 1) {
    throw UsageError(operation,
                     "shape " + to_string(images.shape()) + " to " +
                         std::to_string(options.height) + " by " + std::to_string(options.width) +
                         " points, both need one or more",
                     where);
  }
  if (is_nearest && options.antialias) {
    throw UsageError(operation, "antialiasing has no meaning for the nearest point", where);
  }
  const auto taps = [&](std::int64_t in, std::int64_t out) {
    return is_nearest ? nearest_taps(in, out) : kernel_taps(in, out, options);
  };
  const auto count = static_cast<std::size_t>(extents.count);
  const auto height = static_cast<std::size_t>(extents.height);
  const auto width = static_cast<std::size_t>(extents.width);
  const auto channels = static_cast<std::size_t>(extents.channels);
  const auto rows = interpolated(images.elements(), count * height, width, channels,
                                 taps(extents.width, options.width));
  const auto values =
      interpolated(rows, count, height, static_cast<std::size_t>(options.width) * channels,
                   taps(extents.height, options.height));
  return detail::image_tensor({extents.count, options.height, options.width, extents.channels},
                              values, images);
}

}  // namespace ddx::data
