#include "ddx/ops/quantized.h"

#include "ddx/core/dtype.h"
#include "ddx/core/float16.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include "ops/detail/dispatch_dtype.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace ddx::ops {
namespace {

/// An element of a row, without its scale.
int quantized_number(const std::uint8_t* row, std::int64_t column, std::int64_t bits) noexcept {
  if (bits == 8) {
    return row[column] - quantized_zero(bits);
  }
  const std::int64_t half = quantized_group / 2;
  const std::int64_t place = column % quantized_group;
  const std::uint8_t both = row[column / quantized_group * half + place % half];
  return (place < half ? both & 15 : both >> 4) - quantized_zero(bits);
}

// Operands x, numbers, scales; result y. See ddx::quantized_matmul.
template <class T>
void quantized_matmul(const Call& call) noexcept {
  const QuantizedExtents e(call);
  const auto* x = call.input(0).data<T>();
  const auto* numbers = call.input(1).data<std::uint8_t>();
  const auto* scales = call.input(2).data<Half>();
  auto* y = call.output().mutable_data<T>();
  for (std::int64_t i = 0; i < e.count; ++i) {
    for (std::int64_t row = 0; row < e.rows; ++row) {
      const std::uint8_t* const of_row = numbers + row * e.groups * quantized_group * e.bits / 8;
      double sum = 0;
      for (std::int64_t column = 0; column < e.columns; ++column) {
        const auto scale = static_cast<double>(scales[row * e.groups + column / quantized_group]);
        sum += static_cast<double>(x[i * e.columns + column]) * scale *
               quantized_number(of_row, column, e.bits);
      }
      y[i * e.rows + row] = static_cast<T>(sum);
    }
  }
}

}  // namespace

QuantizedExtents::QuantizedExtents(const Call& call) noexcept
    : rows(call.input(2).shape()[0]),
      groups(call.input(2).shape()[1]),
      bits(call.attributes<QuantizedAttributes>().bits) {
  const Shape& x = call.input(0).shape();
  columns = x[x.rank() - 1];
  for (std::size_t axis = 0; axis + 1 < x.rank(); ++axis) {
    count *= x[axis];
  }
}

Shape quantized_matmul_shape(const Site& site, const Shape& x, const Shape& numbers,
                             const Shape& scales, const QuantizedAttributes& a) {
  if (a.bits != 8 && a.bits != 4) {
    site.fail(std::to_string(a.bits) + " bits, only 8 and 4 are supported");
  }
  const bool is_matrix = scales.rank() == 2 && numbers.rank() == 2 && numbers[0] == scales[0] &&
                         numbers[1] == scales[1] * quantized_group * a.bits / 8;
  if (!is_matrix) {
    site.fail("numbers " + to_string(numbers) + " and scales " + to_string(scales) +
              " are not [rows, groups " + std::to_string(quantized_group * a.bits / 8) +
              "] and [rows, groups]");
  }
  const std::size_t rank = x.rank();
  const bool fits = rank > 0 && (x[rank - 1] + quantized_group - 1) / quantized_group == scales[1];
  if (!fits) {
    site.fail("x " + to_string(x) + " and w of " + std::to_string(scales[1]) + " groups of " +
              std::to_string(quantized_group) + " columns differ in their last extents");
  }
  std::array<Shape::Extent, Shape::max_rank> extents{};
  std::ranges::copy(x.extents(), extents.begin());
  extents[rank - 1] = scales[0];
  return site.shape(std::span<const Shape::Extent>(extents.data(), rank));
}

Kernel quantized_reference(Op op, DType dtype) noexcept {
  if (op != Op::quantized_matmul) {
    return nullptr;
  }
  return dtype == DType::f32   ? &quantized_matmul<float>
         : dtype == DType::f64 ? &quantized_matmul<double>
                               : nullptr;
}

}  // namespace ddx::ops
