#include "ddx/ops/normalization.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include "ops/detail/pick.h"
#include "ops/detail/tile.h"

#include <cmath>
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

/// y = scale (x - mean) / sqrt(variance + epsilon) + offset
template <class T>
void normalize(const Extents& e, const T* x, const T* scale, const T* offset, const T* mean,
               const T* variance, double epsilon, T* y) noexcept {
  for (std::int64_t row = 0; row < e.rows; ++row) {
    for (std::int64_t c = 0; c < e.channels; ++c) {
      const double centred =
          static_cast<double>(x[row * e.channels + c]) - static_cast<double>(mean[c]);
      const double factor = static_cast<double>(scale[c]) *
                            inverse_deviation(static_cast<double>(variance[c]), epsilon);
      y[row * e.channels + c] = static_cast<T>(centred * factor + static_cast<double>(offset[c]));
    }
  }
}

template <class T>
void batch_norm_training(const Call& call) noexcept {
  const Extents e(call.input(0).shape());
  const auto* x = call.input(0).data<T>();
  auto* mean = call.output(1).mutable_data<T>();
  auto* variance = call.output(2).mutable_data<T>();
  const auto rows = static_cast<double>(e.rows);
  detail::sum_tiles(mean, e.channels, [&](double* sums, std::int64_t first, std::int64_t width) {
    for (std::int64_t row = 0; row < e.rows; ++row) {
      detail::add_multiple(sums, width, 1 / rows, x + row * e.channels + first);
    }
  });
  detail::sum_tiles(
      variance, e.channels, [&](double* sums, std::int64_t first, std::int64_t width) {
        for (std::int64_t row = 0; row < e.rows; ++row) {
          for (std::int64_t i = 0; i < width; ++i) {
            const double centred = static_cast<double>(x[row * e.channels + first + i]) -
                                   static_cast<double>(mean[first + i]);
            sums[i] += centred * centred / rows;
          }
        }
      });
  normalize(e, x, call.input(1).data<T>(), call.input(2).data<T>(), mean, variance,
            call.attributes<EpsilonAttributes>().epsilon, call.output(0).mutable_data<T>());
}

template <class T>
void batch_norm_inference(const Call& call) noexcept {
  normalize(Extents(call.input(0).shape()), call.input(0).data<T>(), call.input(1).data<T>(),
            call.input(2).data<T>(), call.input(3).data<T>(), call.input(4).data<T>(),
            call.attributes<EpsilonAttributes>().epsilon, call.output().mutable_data<T>());
}

// Operands x, scale, mean, variance, dy; results dx, dscale, doffset. See ddx::batch_norm_training.
template <class T>
void batch_norm_training_gradient(const Call& call) noexcept {
  const Extents e(call.input(0).shape());
  const auto* x = call.input(0).data<T>();
  const auto* scale = call.input(1).data<T>();
  const auto* mean = call.input(2).data<T>();
  const auto* variance = call.input(3).data<T>();
  const auto* dy = call.input(4).data<T>();
  auto* dx = call.output(0).mutable_data<T>();
  auto* dscale = call.output(1).mutable_data<T>();
  auto* doffset = call.output(2).mutable_data<T>();
  const double epsilon = call.attributes<EpsilonAttributes>().epsilon;
  const auto inverse = [&](std::int64_t c) {
    return inverse_deviation(static_cast<double>(variance[c]), epsilon);
  };
  const auto centred = [&](std::int64_t row, std::int64_t c) {
    return static_cast<double>(x[row * e.channels + c]) - static_cast<double>(mean[c]);
  };
  detail::sum_tiles(doffset, e.channels, [&](double* sums, std::int64_t first, std::int64_t width) {
    for (std::int64_t row = 0; row < e.rows; ++row) {
      detail::add_multiple(sums, width, 1, dy + row * e.channels + first);
    }
  });
  detail::sum_tiles(dscale, e.channels, [&](double* sums, std::int64_t first, std::int64_t width) {
    for (std::int64_t row = 0; row < e.rows; ++row) {
      for (std::int64_t i = 0; i < width; ++i) {
        sums[i] += static_cast<double>(dy[row * e.channels + first + i]) * centred(row, first + i) *
                   inverse(first + i);
      }
    }
  });
  const auto rows = static_cast<double>(e.rows);
  for (std::int64_t row = 0; row < e.rows; ++row) {
    for (std::int64_t c = 0; c < e.channels; ++c) {
      const std::int64_t at = row * e.channels + c;
      const double z = centred(row, c) * inverse(c);
      const double through_mean = static_cast<double>(doffset[c]) / rows;
      const double through_variance = z * static_cast<double>(dscale[c]) / rows;
      dx[at] = static_cast<T>(static_cast<double>(scale[c]) * inverse(c) *
                              (static_cast<double>(dy[at]) - through_mean - through_variance));
    }
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
    call.output(1).mutable_data<T>()[row] = static_cast<T>(mean);
    call.output(2).mutable_data<T>()[row] = static_cast<T>(variance);
  }
}

/// One row of the operands of layer_norm_gradient.
template <class T>
struct NormalizedRow {
  NormalizedRow(const Call& call, const Extents& e, std::int64_t row) noexcept
      : x(call.input(0).data<T>() + row * e.channels),
        scale(call.input(1).data<T>()),
        dy(call.input(4).data<T>() + row * e.channels),
        mean(static_cast<double>(call.input(2).data<T>()[row])),
        inverse(inverse_deviation(static_cast<double>(call.input(3).data<T>()[row]),
                                  call.attributes<EpsilonAttributes>().epsilon)) {}

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
  double mean;
  double inverse;
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
    return detail::pick_floating(
        dtype, [](auto element) { return &batch_norm_training<decltype(element)>; });
  }
  if (op == Op::batch_norm_training_gradient) {
    return detail::pick_floating(
        dtype, [](auto element) { return &batch_norm_training_gradient<decltype(element)>; });
  }
  if (op == Op::batch_norm_inference) {
    return detail::pick_floating(
        dtype, [](auto element) { return &batch_norm_inference<decltype(element)>; });
  }
  if (op == Op::layer_norm) {
    return detail::pick_floating(dtype,
                                 [](auto element) { return &layer_norm<decltype(element)>; });
  }
  if (op == Op::layer_norm_gradient) {
    return detail::pick_floating(
        dtype, [](auto element) { return &layer_norm_gradient<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops
