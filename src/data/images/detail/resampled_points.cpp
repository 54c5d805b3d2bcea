#include "data/images/detail/resampled_points.h"

#include "ddx/io/image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace ddx::data::detail {
namespace {

/// Four channels, of which the last is not used: one register.
using FourChannels = float __attribute__((vector_size(16)));

FourChannels loaded(const float* values) {
  FourChannels four;
  std::memcpy(&four, values, sizeof four);
  return four;
}

/// The points of one axis that an element of the result is made of.
struct Taps {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The kernels of one axis.
struct Kernels {
  std::vector<Taps> taps;
  std::vector<float> weights;  ///< `stride` of each element.
  std::size_t stride = 0;
};

/// Kernels of `count` elements for the points from `begin` to `end`, which have whole points from
/// `first` to `last`.
Kernels kernels_of(double begin, double end, std::size_t points, std::int64_t count) {
  const double scale = (end - begin) / static_cast<double>(count);
  const double reach = std::max(scale, 1.0);
  const double first_point = std::floor(begin);
  const double last_point = std::min(std::ceil(end), static_cast<double>(points));
  Kernels kernels;
  kernels.stride = static_cast<std::size_t>(std::ceil(2 * reach)) + 1;
  kernels.weights.resize(kernels.stride * static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const double center = begin + (static_cast<double>(i) + 0.5) * scale;
    const double first = std::max(std::floor(center - reach + 0.5), first_point);
    const double last = std::min(std::floor(center + reach + 0.5), last_point);
    const Taps taps{.first = static_cast<std::size_t>(first),
                    .count = static_cast<std::size_t>(last - first)};
    float* weights = kernels.weights.data() + kernels.taps.size() * kernels.stride;
    double sum = 0;
    for (std::size_t k = 0; k < taps.count; ++k) {
      const double distance = std::abs(first + static_cast<double>(k) + 0.5 - center) / reach;
      const double weight = std::max(1 - distance, 0.0);
      weights[k] = static_cast<float>(weight);
      sum += weight;
    }
    for (std::size_t k = 0; k < taps.count; ++k) {
      weights[k] = static_cast<float>(weights[k] / sum);
    }
    kernels.taps.push_back(taps);
  }
  return kernels;
}

/// A row of the result before its columns are resized: `bytes` values of each of the rows that
/// begin `stride` bytes apart.
void combine_rows(const std::uint8_t* first, std::size_t stride, std::span<const float> weights,
                  std::span<float> row) {
  const std::size_t count = row.size();
  for (std::size_t i = 0; i < count; ++i) {
    row[i] = weights[0] * static_cast<float>(first[i]);
  }
  for (std::size_t k = 1; k < weights.size(); ++k) {
    const std::uint8_t* bytes = first + k * stride;
    const float weight = weights[k];
    for (std::size_t i = 0; i < count; ++i) {
      row[i] += weight * static_cast<float>(bytes[i]);
    }
  }
}

}  // namespace

void resample(const io::Image& image, const Resampling& what, std::span<float> into) {
  constexpr std::size_t channels = 3;
  const auto rows = kernels_of(what.top, what.bottom, image.height(), what.height);
  const auto columns = kernels_of(what.left, what.right, image.width(), what.width);
  const auto width = static_cast<std::size_t>(what.width);
  const std::size_t begin = columns.taps.front().first;
  const std::size_t end = columns.taps.back().first + columns.taps.back().count;
  const std::size_t stride = channels * image.width();
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(image.points().data());
  const FourChannels scale = {what.scale[0], what.scale[1], what.scale[2], 0};
  const FourChannels shift = {what.shift[0], what.shift[1], what.shift[2], 0};
  // The last point is read as four channels.
  std::vector<float> row(channels * (end - begin) + 1);
  float* next = into.data();
  for (std::size_t y = 0; y < rows.taps.size(); ++y) {
    const auto [first, count] = rows.taps[y];
    combine_rows(bytes + first * stride + channels * begin, stride,
                 {rows.weights.data() + y * rows.stride, count},
                 std::span(row).first(channels * (end - begin)));
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t from = what.is_flipped ? width - 1 - x : x;
      const auto taps = columns.taps[from];
      const float* weights = columns.weights.data() + from * columns.stride;
      const float* values = row.data() + channels * (taps.first - begin);
      FourChannels sum = {};
      for (std::size_t k = 0; k < taps.count; ++k) {
        sum += weights[k] * loaded(values + channels * k);
      }
      sum = sum * scale + shift;
      std::memcpy(next, &sum, channels * sizeof(float));
      next += channels;
    }
  }
}

}  // namespace ddx::data::detail
