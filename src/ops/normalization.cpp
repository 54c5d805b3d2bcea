#include "ddx/ops/normalization.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/tile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace ddx::ops {
namespace {

/// An array seen as [rows, channels].
struct Extents {
  explicit Extents(const Shape& x) noexcept
      : channels(x[x.rank() - 1]), rows(channels == 0 ? 0 : x.count() / channels) {}

  std::int64_t channels;
  std::int64_t rows;
};

double inverse_deviation(double variance, double epsilon) noexcept {
  return 1 / std::sqrt(variance + epsilon);
}

/// The mean of one channel and the mean of the squared distances from it.
struct Statistics {
  double mean = 0;
  double variance = 0;
};

/// Calls body(first, width) for tiles of the channels.
template <class Body>
void for_each_tile(const Extents& e, Body body) noexcept {
  for (std::int64_t first = 0; first < e.channels; first += detail::tile_width) {
    body(first, std::min(detail::tile_width, e.channels - first));
  }
}

using TileStatistics = std::array<Statistics, static_cast<std::size_t>(detail::tile_width)>;

/// Those of the channels of a tile, in double: squares of f32 elements do not overflow.
template <class T>
void find_statistics(const Extents& e, const T* x, std::int64_t first, std::int64_t width,
                     TileStatistics& found) noexcept {
  const auto rows = static_cast<double>(e.rows);
  const auto each = [&](auto add) {
    for (std::int64_t row = 0; row < e.rows; ++row) {
      for (std::int64_t i = 0; i < width; ++i) {
        add(found[static_cast<std::size_t>(i)],
            static_cast<double>(x[row * e.channels + first + i]));
      }
    }
  };
  found.fill({});
  each([=](Statistics& of, double element) { of.mean += element / rows; });
  each([=](Statistics& of, double element) {
    const double distance = element - of.mean;
    of.variance += distance * distance / rows;
  });
}

/// The statistics given, of one channel or row. A variance that is too large for its type is
/// computed again.
template <class T>
Statistics given_statistics(const Call& call, std::int64_t place, const T* x, std::int64_t count,
                            std::int64_t stride) noexcept {
  using Wide = WideScalar<T>;
  Statistics given{static_cast<double>(call.input(2).data<Wide>()[place]),
                   static_cast<double>(call.input(3).data<Wide>()[place])};
  if (std::isinf(given.variance)) {
    given.variance = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const double distance = static_cast<double>(x[i * stride]) - given.mean;
      given.variance += distance * distance / static_cast<double>(count);
    }
  }
  return given;
}

/// y = scale (x - mean) / sqrt(variance + epsilon) + offset for the channels of a tile.
template <class T>
void normalize(const Call& call, const Extents& e, std::int64_t first, std::int64_t width,
               const TileStatistics& statistics) noexcept {
  const auto* x = call.input(0).data<T>();
  const auto* scale = call.input(1).data<T>();
  const auto* offset = call.input(2).data<T>();
  auto* y = call.output(0).mutable_data<T>();
  const double epsilon = call.attributes<EpsilonAttributes>().epsilon;
  for (std::int64_t row = 0; row < e.rows; ++row) {
    for (std::int64_t c = first; c < first + width; ++c) {
      const auto& [mean, variance] = statistics[static_cast<std::size_t>(c - first)];
      const double centred = static_cast<double>(x[row * e.channels + c]) - mean;
      const double factor = static_cast<double>(scale[c]) * inverse_deviation(variance, epsilon);
      y[row * e.channels + c] = static_cast<T>(centred * factor + static_cast<double>(offset[c]));
    }
  }
}

template <class T>
void batch_norm_training(const Call& call) noexcept {
  const Extents e(call.input(0).shape());
  auto* mean = call.output(1).mutable_data<WideScalar<T>>();
  auto* variance = call.output(2).mutable_data<WideScalar<T>>();
  for_each_tile(e, [&](std::int64_t first, std::int64_t width) {
    TileStatistics statistics;
    find_statistics(e, call.input(0).data<T>(), first, width, statistics);
    normalize<T>(call, e, first, width, statistics);
    for (std::int64_t i = 0; i < width; ++i) {
      const Statistics& own = statistics[static_cast<std::size_t>(i)];
      mean[first + i] = static_cast<WideScalar<T>>(own.mean);
      variance[first + i] = static_cast<WideScalar<T>>(own.variance);
    }
  });
}

template <class T>
void batch_norm_inference(const Call& call) noexcept {
  const Extents e(call.input(0).shape());
  const auto* mean = call.input(3).data<WideScalar<T>>();
  const auto* variance = call.input(4).data<WideScalar<T>>();
  for_each_tile(e, [&](std::int64_t first, std::int64_t width) {
    TileStatistics statistics;
    for (std::int64_t i = 0; i < width; ++i) {
      statistics[static_cast<std::size_t>(i)] = {static_cast<double>(mean[first + i]),
                                                 static_cast<double>(variance[first + i])};
    }
    normalize<T>(call, e, first, width, statistics);
  });
}

// Operands x, scale, mean, variance, dy; results dx, dscale, doffset. See ddx::batch_norm_training.
template <class T>
void batch_norm_training_gradient(const Call& call) noexcept {
  const Extents e(call.input(0).shape());
  const auto* scale = call.input(1).data<T>();
  const double epsilon = call.attributes<EpsilonAttributes>().epsilon;
  const auto rows = static_cast<double>(e.rows);
  for (std::int64_t c = 0; c < e.channels; ++c) {
    const auto* x = call.input(0).data<T>() + c;
    const auto* dy = call.input(4).data<T>() + c;
    const auto [mean, variance] = given_statistics(call, c, x, e.rows, e.channels);
    const double inverse = inverse_deviation(variance, epsilon);
    const auto z = [&](std::int64_t row) {
      return (static_cast<double>(x[row * e.channels]) - mean) * inverse;
    };
    double doffset = 0;
    double dscale = 0;
    for (std::int64_t row = 0; row < e.rows; ++row) {
      const auto slope = static_cast<double>(dy[row * e.channels]);
      doffset += slope;
      dscale += slope * z(row);
    }
    auto* dx = call.output(0).mutable_data<T>() + c;
    for (std::int64_t row = 0; row < e.rows; ++row) {
      dx[row * e.channels] = static_cast<T>(
          static_cast<double>(scale[c]) * inverse *
          (static_cast<double>(dy[row * e.channels]) - doffset / rows - z(row) * dscale / rows));
    }
    call.output(1).mutable_data<T>()[c] = static_cast<T>(dscale);
    call.output(2).mutable_data<T>()[c] = static_cast<T>(doffset);
  }
}

/// y = scale z + offset with z = (x - mean) / sqrt(variance + epsilon) of each row; results y,
/// mean, variance.
template <class T>
void layer_norm(const Call& call) noexcept {
  const Extents e(call.input(0).shape());
  const auto* scale = call.input(1).data<T>();
  const auto* offset = call.input(2).data<T>();
  const double epsilon = call.attributes<EpsilonAttributes>().epsilon;
  const auto count = static_cast<double>(e.channels);
  // Rows without elements have statistics too: zeros.
  const auto rows = static_cast<std::int64_t>(call.output(1).shape().count());
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto* x = call.input(0).data<T>() + row * e.channels;
    auto* y = call.output(0).mutable_data<T>() + row * e.channels;
    double mean = 0;
    for (std::int64_t c = 0; c < e.channels; ++c) {
      mean += static_cast<double>(x[c]) / count;
    }
    double variance = 0;
    for (std::int64_t c = 0; c < e.channels; ++c) {
      const double centred = static_cast<double>(x[c]) - mean;
      variance += centred * centred / count;
    }
    for (std::int64_t c = 0; c < e.channels; ++c) {
      const double z = (static_cast<double>(x[c]) - mean) * inverse_deviation(variance, epsilon);
      y[c] = static_cast<T>(z * static_cast<double>(scale[c]) + static_cast<double>(offset[c]));
    }
    call.output(1).mutable_data<WideScalar<T>>()[row] = static_cast<WideScalar<T>>(mean);
    call.output(2).mutable_data<WideScalar<T>>()[row] = static_cast<WideScalar<T>>(variance);
  }
}

/// One row of the operands of layer_norm_gradient.
template <class T>
struct NormalizedRow {
  NormalizedRow(const Call& call, const Extents& e, std::int64_t row) noexcept
      : x(call.input(0).data<T>() + row * e.channels),
        scale(call.input(1).data<T>()),
        dy(call.input(4).data<T>() + row * e.channels) {
    const Statistics given = given_statistics(call, row, x, e.channels, 1);
    mean = given.mean;
    inverse = inverse_deviation(given.variance, call.attributes<EpsilonAttributes>().epsilon);
  }

  [[nodiscard]] double z(std::int64_t c) const noexcept {
    return (static_cast<double>(x[c]) - mean) * inverse;
  }
  /// The cotangent of z.
  [[nodiscard]] double dz(std::int64_t c) const noexcept {
    return static_cast<double>(dy[c]) * static_cast<double>(scale[c]);
  }

  const T* x;
  const T* scale;
  const T* dy;
  double mean = 0;
  double inverse = 0;
};

// Operands x, scale, mean, variance, dy; results dx, dscale, doffset. See ddx::layer_norm.
template <class T>
void layer_norm_gradient(const Call& call) noexcept {
  const Extents e(call.input(0).shape());
  const auto* dy = call.input(4).data<T>();
  detail::sum_tiles(call.output(2).mutable_data<T>(), e.channels,
                    [&](double* sums, std::int64_t first, std::int64_t width) {
                      for (std::int64_t row = 0; row < e.rows; ++row) {
                        detail::add_multiple(sums, width, 1, dy + row * e.channels + first);
                      }
                    });
  detail::sum_tiles(call.output(1).mutable_data<T>(), e.channels,
                    [&](double* sums, std::int64_t first, std::int64_t width) {
                      for (std::int64_t row = 0; row < e.rows; ++row) {
                        const NormalizedRow<T> at(call, e, row);
                        for (std::int64_t i = 0; i < width; ++i) {
                          sums[i] += static_cast<double>(at.dy[first + i]) * at.z(first + i);
                        }
                      }
                    });
  const auto count = static_cast<double>(e.channels);
  for (std::int64_t row = 0; row < e.rows; ++row) {
    const NormalizedRow<T> at(call, e, row);
    double through_mean = 0;
    double through_variance = 0;
    for (std::int64_t c = 0; c < e.channels; ++c) {
      through_mean += at.dz(c) / count;
      through_variance += at.dz(c) * at.z(c) / count;
    }
    auto* dx = call.output(0).mutable_data<T>() + row * e.channels;
    for (std::int64_t c = 0; c < e.channels; ++c) {
      dx[c] = static_cast<T>(at.inverse * (at.dz(c) - through_mean - at.z(c) * through_variance));
    }
  }
}

}  // namespace

Shape channel_shape(const Site& site, const Shape& x,
                    std::initializer_list<const Shape*> per_channel) {
  if (x.rank() == 0) {
    site.fail("a scalar has no channels; shape []");
  }
  const Shape channels{x[x.rank() - 1]};
  for (const Shape* shape : per_channel) {
    if (*shape != channels) {
      site.fail("shapes " + to_string(x) + " and " + to_string(*shape) +
                " do not fit: one value per channel is " + to_string(channels));
    }
  }
  return channels;
}

Shape row_shape(const Shape& x) noexcept {
  return Shape(x.extents().first(x.rank() - 1));
}

Kernel normalization_reference(Op op, DType dtype) noexcept {
  if (op == Op::batch_norm_training) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &batch_norm_training<decltype(element)>; });
  }
  if (op == Op::batch_norm_training_gradient) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &batch_norm_training_gradient<decltype(element)>; });
  }
  if (op == Op::batch_norm_inference) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &batch_norm_inference<decltype(element)>; });
  }
  if (op == Op::layer_norm) {
    return detail::dispatch_floating(dtype,
                                     [](auto element) { return &layer_norm<decltype(element)>; });
  }
  if (op == Op::layer_norm_gradient) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &layer_norm_gradient<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
