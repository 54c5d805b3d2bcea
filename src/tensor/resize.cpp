#include "ddx/tensor/resize.h"

#include "ddx/core/checked.h"
#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/host_vector.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include "tensor/detail/dispatch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <numbers>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::detail {
namespace {

/// The points from `first` on that one point of the result is made of.
struct Sum {
  std::int64_t first = 0;
  std::vector<double> weights;
};

/// How far a kernel reaches, and whether points beyond the border count as the last ones.
struct Kernel {
  double radius;
  bool goes_on;
};

Kernel kernel_of(const ResizeOptions& options) {
  switch (options.interpolation) {
    case Interpolation::Nearest:
    case Interpolation::Area:
      return {0.5, true};
    case Interpolation::Bilinear:
      return {1, !options.antialias};
    case Interpolation::Bicubic:
      return {2, !options.antialias};
    case Interpolation::Lanczos3:
      return {3, false};
    case Interpolation::Lanczos5:
      return {5, false};
    case Interpolation::Gaussian:
      return {1.5, false};
    case Interpolation::MitchellCubic:
      return {2, false};
  }
  __builtin_unreachable();
}

double cubic(double d, double a) {
  return d < 1 ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((d - 5) * d + 8) * d * a - 4 * a;
}

double lanczos(double d, double radius) {
  const double x = std::numbers::pi * d;
  return d == 0 ? 1 : radius * std::sin(x) * std::sin(x / radius) / (x * x);
}

double mitchell(double d) {
  return d < 1 ? (7.0 / 6 * d - 2) * d * d + 8.0 / 9
               : ((-7.0 / 18 * d + 2) * d - 10.0 / 3) * d + 16.0 / 9;
}

/// The weight of a point at a distance, not normalised.
double weight(double distance, double radius, const ResizeOptions& options) {
  const double d = std::abs(distance);
  if (d >= radius) {
    return 0;
  }
  switch (options.interpolation) {
    case Interpolation::Nearest:
    case Interpolation::Area:
      return 1;
    case Interpolation::Bilinear:
      return 1 - d;
    case Interpolation::Bicubic:
      return cubic(d, options.antialias ? -0.5 : -0.75);
    case Interpolation::Lanczos3:
    case Interpolation::Lanczos5:
      return lanczos(d, radius);
    case Interpolation::Gaussian:
      return std::exp(-2 * d * d);
    case Interpolation::MitchellCubic:
      return mitchell(d);
  }
  __builtin_unreachable();
}

/// Input points per output point.
double scale_of(std::int64_t in, std::int64_t out, const ResizeOptions& options) {
  if (!options.align_corners) {
    return static_cast<double>(in) / static_cast<double>(out);
  }
  return out == 1 ? 0 : static_cast<double>(in - 1) / static_cast<double>(out - 1);
}

/// The nearest point, in integers: no rounding decides a tie.
Sum nearest(std::int64_t in, std::int64_t out, std::int64_t i, bool align_corners) {
  if (!align_corners) {
    return {(2 * i + 1) * in / (2 * out), {1}};
  }
  return {out == 1 ? 0 : (2 * i * (in - 1) + out - 1) / (2 * (out - 1)), {1}};
}

/// The points [first, last] by `weight_of`, those beyond the border as the last ones, normalised.
template <class WeightOf>
Sum clamped(std::int64_t first, std::int64_t last, std::int64_t in, WeightOf weight_of) {
  Sum sum{std::clamp<std::int64_t>(first, 0, in - 1), {}};
  sum.weights.resize(
      static_cast<std::size_t>(std::clamp<std::int64_t>(last, 0, in - 1) - sum.first + 1));
  double total = 0;
  for (std::int64_t j = first; j <= last; ++j) {
    const double w = weight_of(j);
    sum.weights[static_cast<std::size_t>(std::clamp<std::int64_t>(j, 0, in - 1) - sum.first)] += w;
    total += w;
  }
  for (double& w : sum.weights) {
    w /= total;
  }
  return sum;
}

/// The points by how much of them lies in [begin, begin + scale).
Sum area(std::int64_t in, std::int64_t i, double scale) {
  if (scale == 0) {
    return {0, {1}};
  }
  const double begin = static_cast<double>(i) * scale;
  const double end = static_cast<double>(i + 1) * scale;
  return clamped(static_cast<std::int64_t>(std::floor(begin)),
                 static_cast<std::int64_t>(std::ceil(end)) - 1, in, [&](std::int64_t j) {
                   return std::min(end, static_cast<double>(j + 1)) -
                          std::max(begin, static_cast<double>(j));
                 });
}

/// The points around the place of point `i`, by the kernel.
Sum around(std::int64_t in, std::int64_t i, double scale, const ResizeOptions& options) {
  const Kernel kernel = kernel_of(options);
  const double widening = options.antialias ? std::max(scale, 1.0) : 1;
  const double center = options.align_corners ? static_cast<double>(i) * scale
                                              : (static_cast<double>(i) + 0.5) * scale - 0.5;
  auto first = static_cast<std::int64_t>(std::ceil(center - kernel.radius * widening));
  auto last = static_cast<std::int64_t>(std::floor(center + kernel.radius * widening));
  if (!kernel.goes_on) {
    first = std::max<std::int64_t>(first, 0);
    last = std::min(last, in - 1);
  }
  return clamped(first, last, in, [&](std::int64_t j) {
    return weight((static_cast<double>(j) - center) / widening, kernel.radius, options);
  });
}

std::vector<Sum> sums_of(std::int64_t in, std::int64_t out, const ResizeOptions& options) {
  auto sums = host_vector_with_room<Sum>("resize", out);
  for (std::int64_t i = 0; i < out; ++i) {
    const double scale = scale_of(in, out, options);
    switch (options.interpolation) {
      case Interpolation::Nearest:
        sums.push_back(nearest(in, out, i, options.align_corners));
        break;
      case Interpolation::Area:
        sums.push_back(area(in, i, scale));
        break;
      default:
        sums.push_back(around(in, i, scale, options));
    }
  }
  return sums;
}

/// As tensors: equally many weights for each point, those that are missing 0, all within the input.
Taps taps_of(std::int64_t in, std::int64_t out, const ResizeOptions& options, DType dtype,
             Device device) {
  const std::vector<Sum> sums = sums_of(in, out, options);
  std::size_t width = 0;
  for (const Sum& sum : sums) {
    width = std::max(width, sum.weights.size());
  }
  std::vector<std::int32_t> first;
  std::vector<double> weights = host_vector<double>(
      "resize", checked_product(out, static_cast<std::int64_t>(width), "resize"));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto begin = std::min(sums[i].first, in - static_cast<std::int64_t>(width));
    std::copy(sums[i].weights.begin(), sums[i].weights.end(),
              weights.begin() + (static_cast<std::ptrdiff_t>(i * width) + (sums[i].first - begin)));
    first.push_back(static_cast<std::int32_t>(begin));
  }
  return {Tensor<std::int32_t>({out}, first, device).array(),
          cast(Tensor<double>({out, static_cast<std::int64_t>(width)}, weights, device).array(),
               dtype)};
}

void check_options(const ops::Site& site, const Shape& images, const ResizeOptions& options) {
  using enum Interpolation;
  const Interpolation how = options.interpolation;
  if (images.rank() != 4 && images.rank() != 3) {
    site.fail("shape " + to_string(images) + " is neither [n, h, w, c] nor [h, w, c]");
  }
  const std::size_t rows = images.rank() - 3;
  if (options.height < 1 || options.width < 1 || images[rows] < 1 || images[rows + 1] < 1) {
    site.fail("shape " + to_string(images) + " to " + std::to_string(options.height) + " by " +
              std::to_string(options.width) + " points, both need one or more");
  }
  if (options.antialias && (how == Nearest || how == Area)) {
    site.fail("antialiasing has no meaning for the nearest point or the area");
  }
  if (options.antialias && options.align_corners) {
    site.fail("antialiasing and aligned corners exclude each other");
  }
  if (options.align_corners && how != Nearest && how != Area && how != Bilinear && how != Bicubic) {
    site.fail("corners are aligned for Nearest, Bilinear, Bicubic and Area alone");
  }
  const auto check_axis = [&](std::int64_t in, std::int64_t out) {
    site.check_places(in, images);
    (void)site.product(2 * in, site.shape({&out, 1}).count());
  };
  check_axis(images[rows], options.height);
  check_axis(images[rows + 1], options.width);
  std::vector<std::int64_t> resized(images.extents().begin(), images.extents().end());
  resized[rows] = options.height;
  resized[rows + 1] = options.width;
  (void)site.shape(resized);
}

}  // namespace

ResizeTaps resize_taps(const char* operation, const Shape& images, const ResizeOptions& options,
                       DType dtype, Device device, const std::source_location& where) try {
  check_options({operation, where}, images, options);
  const std::size_t rows = images.rank() - 3;
  return {.rows = taps_of(images[rows], options.height, options, dtype, device),
          .columns = taps_of(images[rows + 1], options.width, options, dtype, device)};
} catch (const std::bad_alloc&) {
  throw_out_of_memory(operation);
}

Array resample(const Array& x, const Taps& taps, std::int64_t axis) {
  std::vector<std::int64_t> extents(x.shape().extents().begin(), x.shape().extents().end());
  extents[static_cast<std::size_t>(axis)] = taps.first.shape()[0];
  return compute(ops::Op::resample, x.dtype(), x.device(),
                 Shape(std::span<const std::int64_t>(extents)), x.dtype(),
                 std::array{x.view(), taps.first.view(), taps.weights.view()},
                 ops::AxisAttributes{static_cast<std::size_t>(axis)});
}

Array resample_gradient(const Array& dy, const Taps& taps, const Shape& shape, std::int64_t axis) {
  return compute(ops::Op::resample_gradient, dy.dtype(), dy.device(), shape, dy.dtype(),
                 std::array{dy.view(), taps.first.view(), taps.weights.view()},
                 ops::AxisAttributes{static_cast<std::size_t>(axis)});
}

}  // namespace ddx::detail
