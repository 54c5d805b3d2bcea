#include "ddx/ops/matmul.h"

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
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ddx::ops {
namespace {

std::string transposed_note(bool transposed) {
  return transposed ? " transposed" : "";
}

/// "; shapes [2, 3] transposed and [4, 2]".
std::string shapes_text(const Shape& a, const Shape& b, const MatmulAttributes& attributes) {
  return "; shapes " + to_string(a) + transposed_note(attributes.transpose_left) + " and " +
         to_string(b) + transposed_note(attributes.transpose_right);
}

/// Fails where an operand is no stack of matrices, or the inner extents differ.
void check_matrices(const Site& site, const Shape& a, const Shape& b,
                    const MatmulAttributes& attributes) {
  if (a.rank() < 2 || b.rank() < 2) {
    site.fail("ranks " + std::to_string(a.rank()) + " and " + std::to_string(b.rank()) +
              " are not both at least 2" + shapes_text(a, b, attributes));
  }
  const std::int64_t inner_left = a[a.rank() - (attributes.transpose_left ? 2 : 1)];
  const std::int64_t inner_right = b[b.rank() - (attributes.transpose_right ? 1 : 2)];
  if (inner_left != inner_right) {
    site.fail("inner extents " + std::to_string(inner_left) + " and " +
              std::to_string(inner_right) + " differ" + shapes_text(a, b, attributes));
  }
}

template <class T>
void matmul(const Call& call) noexcept {
  const auto& attributes = call.attributes<MatmulAttributes>();
  const MatmulExtents e = matmul_extents(call.input(0).shape(), call.input(1).shape(), attributes);
  const std::int64_t row_step = attributes.transpose_left ? 1 : e.inner;
  const std::int64_t inner_step_left = attributes.transpose_left ? e.rows : 1;
  const std::int64_t inner_step_right = attributes.transpose_right ? 1 : e.columns;
  const std::int64_t column_step = attributes.transpose_right ? e.inner : 1;
  for (std::int64_t s = 0; s < e.stack; ++s) {
    const T* a = call.input(0).data<T>() + (e.stacked_left ? s * e.rows * e.inner : 0);
    const T* b = call.input(1).data<T>() + (e.stacked_right ? s * e.inner * e.columns : 0);
    T* y = call.output().mutable_data<T>() + s * e.rows * e.columns;
    for (std::int64_t i = 0; i < e.rows; ++i) {
      detail::sum_tiles(
          y + i * e.columns, e.columns, [&](double* sums, std::int64_t first, std::int64_t width) {
            for (std::int64_t k = 0; k < e.inner; ++k) {
              const auto factor = static_cast<double>(a[i * row_step + k * inner_step_left]);
              detail::add_multiple(sums, width, factor,
                                   b + k * inner_step_right + first * column_step, column_step);
            }
          });
    }
  }
}

}  // namespace

MatmulExtents matmul_extents(const Shape& a, const Shape& b,
                             const MatmulAttributes& attributes) noexcept {
  MatmulExtents e;
  const std::size_t row_axis = a.rank() - (attributes.transpose_left ? 1 : 2);
  const std::size_t column_axis = b.rank() - (attributes.transpose_right ? 2 : 1);
  e.rows = a[row_axis];
  e.inner = a[a.rank() - (attributes.transpose_left ? 2 : 1)];
  e.columns = b[column_axis];
  e.stacked_left = a.rank() > 2;
  e.stacked_right = b.rank() > 2;
  const Shape& stacked = e.stacked_left ? a : b;
  for (std::size_t axis = 0; axis + 2 < stacked.rank(); ++axis) {
    e.stack *= stacked[axis];
  }
  return e;
}

Shape matmul_shape(const Site& site, const Shape& a, const Shape& b,
                   const MatmulAttributes& attributes) {
  check_matrices(site, a, b, attributes);
  const MatmulExtents e = matmul_extents(a, b, attributes);
  const auto leading_a = a.extents().first(a.rank() - 2);
  const auto leading_b = b.extents().first(b.rank() - 2);
  if (e.stacked_left && e.stacked_right && !std::ranges::equal(leading_a, leading_b)) {
    site.fail("leading axes differ" + shapes_text(a, b, attributes));
  }
  const auto leading = e.stacked_left ? leading_a : leading_b;
  std::array<std::int64_t, Shape::max_rank> extents{};
  std::copy(leading.begin(), leading.end(), extents.begin());
  extents[leading.size()] = e.rows;
  extents[leading.size() + 1] = e.columns;
  return site.shape(std::span<const std::int64_t>(extents.data(), leading.size() + 2));
}

Shape matmul_stack(const Site& site, const Shape& a, const Shape& b,
                   const MatmulAttributes& attributes) {
  check_matrices(site, a, b, attributes);
  const auto leading_a = a.extents().first(a.rank() - 2);
  const auto leading_b = b.extents().first(b.rank() - 2);
  std::array<std::int64_t, Shape::max_rank> extents{};
  const std::size_t rank = std::max(leading_a.size(), leading_b.size());
  for (std::size_t axis = 1; axis <= rank; ++axis) {
    const std::int64_t in_a = axis <= leading_a.size() ? leading_a[leading_a.size() - axis] : 1;
    const std::int64_t in_b = axis <= leading_b.size() ? leading_b[leading_b.size() - axis] : 1;
    if (in_a != in_b && in_a != 1 && in_b != 1) {
      site.fail("leading extents " + std::to_string(in_a) + " and " + std::to_string(in_b) +
                " differ" + shapes_text(a, b, attributes));
    }
    extents[rank - axis] = in_a == 1 ? in_b : in_a;
  }
  return Shape(std::span<const std::int64_t>(extents.data(), rank));
}

Kernel matmul_reference(Op op, DType dtype) noexcept {
  if (op != Op::matmul) {
    return nullptr;
  }
  return detail::dispatch_floating(dtype, [](auto element) { return &matmul<decltype(element)>; });
}

}  // namespace ddx::ops
