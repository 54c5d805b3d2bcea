#include "ddx/tensor/quantized_matrix.h"

#include "ddx/backend/quantized_product.h"
#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/float16.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/ops/quantized.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/bitwise.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include "backend/cpu/pool.h"
#include "tensor/detail/dispatch.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
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

constexpr auto quantized_operation = "quantized";
constexpr auto product_operation = "quantized_matmul";
constexpr std::int64_t group = backend::quantized_group;

std::int64_t groups_of(std::int64_t columns) {
  return (columns + group - 1) / group;
}

/// The elements of a group; what is behind the last column is 0.
using Group = std::array<float, static_cast<std::size_t>(group)>;

/// The element of the largest magnitude, the first of several; infinite or NaN where one is.
float largest_of(const Group& elements) {
  constexpr std::uint32_t magnitude_bits = 0x7FFFFFFF;  // They have the order of the magnitudes.
  std::uint32_t largest = 0;
  for (const float x : elements) {
    largest = std::max(largest, std::bit_cast<std::uint32_t>(x) & magnitude_bits);
  }
  return *std::ranges::find(
      elements, largest, [](float x) { return std::bit_cast<std::uint32_t>(x) & magnitude_bits; });
}

/// The numbers of a group: those nearest to the elements by the scale, ties to even.
std::array<std::int32_t, static_cast<std::size_t>(group)> numbers_of(const Group& elements,
                                                                     float scale, int bits) {
  // A float of this size has no bits of a fraction: adding it rounds, and leaves the whole number
  // in the last bits. (nearbyint is a call of a function on processors without SSE4.)
  constexpr float rounder = 12582912.0F;  // 1.5 * 2^23
  const std::int32_t zero = ops::quantized_zero(bits) - std::bit_cast<std::int32_t>(rounder);
  const float most = bits == 8 ? 127.0F : 7.0F;
  const float least = bits == 8 ? -127.0F : -8.0F;
  const float divisor = scale == 0 ? 1.0F : scale;
  const float kept = scale == 0 ? 0.0F : 1.0F;
  std::array<std::int32_t, static_cast<std::size_t>(group)> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float ratio = std::min(std::max(kept * elements[i] / divisor, least), most);
    numbers[i] = std::bit_cast<std::int32_t>(ratio + rounder) + zero;
  }
  return numbers;
}

/// Writes the numbers of a group.
void pack(const Group& elements, float scale, int bits, std::uint8_t* into) {
  const auto numbers = numbers_of(elements, scale, bits);
  if (bits == 8) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      into[i] = static_cast<std::uint8_t>(numbers[i]);
    }
    return;
  }
  constexpr std::size_t half = group / 2;
  for (std::size_t i = 0; i < half; ++i) {
    into[i] = static_cast<std::uint8_t>(numbers[i] | numbers[i + half] << 4);
  }
}

backend::QuantizedRows rows_of(const Tensor<std::uint8_t>& numbers, const Tensor<Half>& scales,
                               const QuantizedForm& form) {
  return {.numbers = numbers.elements().data(),
          .scales = scales.elements().data(),
          .rows = scales.shape()[0],
          .groups = scales.shape()[1],
          .bits = form.bits};
}

/// By operations that every device has.
Tensor<float> dequantized_anywhere(const Tensor<std::uint8_t>& numbers, const Tensor<Half>& scales,
                                   const QuantizedForm& form) {
  const std::int64_t rows = scales.shape()[0];
  const std::int64_t groups = scales.shape()[1];
  Tensor<std::uint8_t> all = reshape(numbers, {rows, groups, -1});
  if (form.bits == 4) {
    all = concatenate(std::vector{bitwise_and(all, 15), right_shift(all, 4)}, 2);
  }
  const auto centred = cast<float>(all) - static_cast<float>(ops::quantized_zero(form.bits));
  const auto elements = centred * reshape(cast<float>(scales), {rows, groups, 1});
  return slice(reshape(elements, {rows, groups * group}), {.stop = {rows, form.columns}});
}

/// Some rows of the elements, on `cpu`.
Tensor<float> dequantized_rows(const backend::QuantizedRows& w, std::int64_t columns) {
  Tensor<float> elements(Array(Shape{w.rows, columns}, DType::f32, Device::cpu()));
  backend::dequantize(w, columns, elements.mutable_elements().data());
  return elements;
}

}  // namespace

QuantizedMatrix unset_quantized(std::int64_t rows, const QuantizedForm& form) {
  const std::int64_t groups = groups_of(form.columns);
  const Shape numbers{rows, groups * group * form.bits / 8};
  return {.numbers = Tensor<std::uint8_t>(Array(numbers, DType::u8, Device::cpu())),
          .scales = Tensor<Half>(Array(Shape{rows, groups}, DType::f16, Device::cpu())),
          .form = form};
}

void quantize_rows(QuantizedMatrix& matrix, std::int64_t first_row, std::span<const float> elements,
                   std::source_location where) {
  const auto [columns, bits] = matrix.form;
  const std::int64_t groups = groups_of(columns);
  const std::int64_t group_bytes = group * bits / 8;
  const auto rows = static_cast<std::int64_t>(elements.size()) / columns;
  std::uint8_t* const numbers =
      matrix.numbers.mutable_elements().data() + first_row * groups * group_bytes;
  Half* const scales = matrix.scales.mutable_elements().data() + first_row * groups;
  const auto group_at = [&](std::int64_t i) {
    const std::int64_t first = i % groups * group;
    Group result{};
    std::copy_n(elements.data() + i / groups * columns + first, std::min(group, columns - first),
                result.begin());
    return result;
  };
  std::atomic<std::int64_t> refused = rows * groups;  // The first group that has no scale.
  constexpr std::int64_t grain = 4096;                // Groups of 32: some 0.2 ms.
  backend::cpu::for_each_range(rows * groups, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Group part = group_at(i);
      const float largest = largest_of(part);
      const Half scale = bits == 8 ? Half(std::abs(largest) / 127.0F) : Half(largest / -8.0F);
      if (!std::isfinite(static_cast<float>(scale))) {
        std::int64_t before = refused;
        while (i < before && !refused.compare_exchange_weak(before, i)) {
        }
        continue;
      }
      scales[i] = scale;
      pack(part, static_cast<float>(scale), bits, numbers + i * group_bytes);
    }
  });
  if (const std::int64_t i = refused; i < rows * groups) {
    const auto row = std::to_string(first_row + i / groups);
    throw UsageError(quantized_operation,
                     std::isfinite(largest_of(group_at(i)))
                         ? "a scale of row " + row + " is beyond 65504"
                         : "an element of row " + row + " is not finite",
                     where);
  }
}

QuantizedMatrix quantized(const Tensor<float>& matrix, int bits, std::source_location where) {
  if (bits != 8 && bits != 4) {
    throw UsageError(quantized_operation,
                     std::to_string(bits) + " bits, only 8 and 4 are supported", where);
  }
  if (matrix.rank() != 2 || matrix.shape().is_empty()) {
    throw UsageError(quantized_operation,
                     "shape " + to_string(matrix.shape()) + ", expected [rows, columns]", where);
  }
  auto result = unset_quantized(matrix.shape()[0], {.columns = matrix.shape()[1], .bits = bits});
  quantize_rows(result, 0, matrix.elements(), where);
  const Device device = matrix.device();
  result.numbers = result.numbers.to(device);
  result.scales = result.scales.to(device);
  return result;
}

Tensor<float> dequantized(const Tensor<std::uint8_t>& numbers, const Tensor<Half>& scales,
                          const QuantizedForm& form) {
  if (numbers.device() == Device::cpu()) {
    return dequantized_rows(rows_of(numbers, scales, form), form.columns);
  }
  return dequantized_anywhere(numbers, scales, form);
}

Tensor<float> first_dequantized_row(const Tensor<std::uint8_t>& numbers, const Tensor<Half>& scales,
                                    const QuantizedForm& form) {
  const auto first = [](const auto& rows) { return slice(rows, {.stop = {1, rows.shape()[1]}}); };
  return dequantized(first(numbers), first(scales), form);
}

Array quantized_matmul(const Array& x, const Array& numbers, const Array& scales,
                       const QuantizedForm& form, const Location& where) try {
  const ops::Site site = site_of(ops::Op::quantized_matmul, where);
  if (x.shape().rank() == 0 || x.shape()[x.shape().rank() - 1] != form.columns) {
    site.fail("x " + to_string(x.shape()) + " and w [" + std::to_string(scales.shape()[0]) + ", " +
              std::to_string(form.columns) + "] differ in their last extents");
  }
  const ops::QuantizedAttributes attributes{form.bits};
  const Shape shape =
      ops::quantized_matmul_shape(site, x.shape(), numbers.shape(), scales.shape(), attributes);
  const Device device = common_device(site, {&x, &numbers, &scales});
  return compute(ops::Op::quantized_matmul, x.dtype(), device, shape, x.dtype(),
                 std::array{x.view(), numbers.view(), scales.view()}, attributes, {.site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory(product_operation);
}

Indices with_last(const Shape& shape, std::int64_t extent) {
  std::vector<std::int64_t> extents(shape.extents().begin(), shape.extents().end());
  extents.push_back(extent);
  return Indices(std::span<const std::int64_t>(extents));
}

void throw_no_derivative_by_scales() {
  throw UsageError(product_operation, "there is no derivative by the scales of a quantised matrix");
}

}  // namespace ddx::detail
