#include "ddx/tensor/fourier.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/host_vector.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/array_of.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/fourier_frequencies.h"

#include "tensor/detail/dispatch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::detail {
namespace {

Shape with_extent(const ops::Site& site, const Shape& shape, std::size_t axis,
                  std::int64_t extent) {
  std::array<std::int64_t, Shape::max_rank> extents{};
  std::ranges::copy(shape.extents(), extents.begin());
  extents[axis] = extent;
  return site.shape(std::span<const std::int64_t>(extents.data(), shape.rank()));
}

/// What the sums are multiplied by.
double scale_of(FourierNorm norm, bool inverse, std::int64_t n) {
  const auto count = static_cast<double>(n);
  switch (norm) {
    case FourierNorm::Backward:
      return inverse ? 1 / count : 1;
    case FourierNorm::Ortho:
      return 1 / std::sqrt(count);
    case FourierNorm::Forward:
      return inverse ? 1 : 1 / count;
  }
  __builtin_unreachable();
}

/// A transform of length n, with `in` elements along the axis before and `out` after it.
Array transformed(ops::Op op, const char* operation, const Array& x, bool inverse,
                  const FourierOptions& options, std::int64_t n, const Location& where) {
  const std::size_t axis = resolve_axis(options.axis, x.shape(), operation, where);
  if (n < 1) {
    ops::Site{operation, where}.fail("the length " + std::to_string(n) + " is below 1; axis " +
                                     std::to_string(axis) + " of shape " + to_string(x.shape()));
  }
  const ops::Site site{operation, where};
  const std::int64_t half = n / 2 + 1;
  const Shape whole = with_extent(site, x.shape(), axis, n);
  const Shape shape = op == ops::Op::rfft ? with_extent(site, whole, axis, half) : whole;
  const Array operand =
      resized(x, static_cast<std::int64_t>(axis), op == ops::Op::irfft ? half : n);
  return compute(op, x.dtype(), x.device(), shape, ops::result_dtype(op, x.dtype()),
                 std::array{operand.view()},
                 ops::FourierAttributes{axis, inverse, scale_of(options.norm, inverse, n)},
                 {.site = {operation, where}});
}

/// The length that the options give, or the extent of the axis.
std::int64_t length_of(const Array& x, const char* operation, const FourierOptions& options,
                       const Location& where) {
  const std::size_t axis = resolve_axis(options.axis, x.shape(), operation, where);
  return options.n == 0 ? x.shape()[axis] : options.n;
}

}  // namespace

std::int64_t extent_along(const Shape& shape, std::int64_t axis) {
  return shape[resolve_axis(axis, shape, "fft")];
}

void check_frequencies(const char* operation, std::int64_t n, const std::source_location& where) {
  if (n < 1) {
    ops::Site{operation, where}.fail("the length " + std::to_string(n) + " is below 1");
  }
}

Tensor<std::int32_t> turned_places(const Shape& shape, std::int64_t extent, std::int64_t start,
                                   Device device, const std::source_location& where) {
  ops::Site{"fftshift", where}.check_places(extent, shape);
  // On the host: on a recording device, to write elements would run what has been recorded.
  auto places = zeros<std::int32_t>(Shape{extent}, Device::naive());
  const auto elements = places.mutable_elements();
  for (std::int64_t i = 0; i < extent; ++i) {
    elements[static_cast<std::size_t>(i)] = static_cast<std::int32_t>((i + start) % extent);
  }
  return places.to(device);
}

FourierOptions transposed(const FourierOptions& options, std::int64_t n) {
  return {.n = n, .axis = options.axis, .norm = turned(options.norm)};
}

Array resized(const Array& x, std::int64_t axis, std::int64_t extent) {
  const std::size_t along = resolve_axis(axis, x.shape(), "fft");
  const std::int64_t from = x.shape()[along];
  if (extent == from) {
    return x;
  }
  if (extent < from) {
    return part(x, with_extent({"fft", {}}, x.shape(), along, extent),
                static_cast<std::int64_t>(along), 0);
  }
  std::array<std::int64_t, Shape::max_rank> none{};
  std::array<std::int64_t, Shape::max_rank> behind{};
  behind[along] = extent - from;
  const auto first = [&](const auto& all) {
    return Indices(std::span<const std::int64_t>(all.data(), x.shape().rank()));
  };
  return pad(x, first(none), first(behind), {}, {});
}

Array half_weights(const Shape& shape, std::int64_t axis, std::int64_t n, HalfWeight inner,
                   DType dtype, Device device) {
  const std::size_t along = resolve_axis(axis, shape, "fft");
  const std::int64_t extent = shape[along];
  std::array<std::int64_t, Shape::max_rank> extents{};
  extents.fill(1);
  extents[along] = extent;
  std::vector<double> weights =
      host_vector<double>("fft", extent, inner == HalfWeight::Half ? 0.5 : 2);
  weights[0] = 1;
  if (n % 2 == 0) {
    weights[static_cast<std::size_t>(n / 2)] = 1;
  }
  return array_of(weights, Shape(std::span<const std::int64_t>(extents.data(), shape.rank())),
                  dtype, device);
}

Array fft(const Array& x, bool inverse, const FourierOptions& options, const Location& where) try {
  const char* operation = inverse ? "ifft" : "fft";
  return transformed(ops::Op::fft, operation, x, inverse, options,
                     length_of(x, operation, options, where), where);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("fft");
}

Array rfft(const Array& x, const FourierOptions& options, const Location& where) try {
  return transformed(ops::Op::rfft, "rfft", x, false, options, length_of(x, "rfft", options, where),
                     where);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("rfft");
}

Array irfft(const Array& x, const FourierOptions& options, const Location& where) try {
  const std::int64_t m = length_of(x, "irfft", options, where);
  return transformed(ops::Op::irfft, "irfft", x, true, options,
                     options.n == 0 ? 2 * (m - 1) : options.n, where);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("irfft");
}

}  // namespace ddx::detail
