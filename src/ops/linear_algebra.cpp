#include "ddx/ops/linear_algebra.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include "ops/detail/linear_algebra_kernels.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace ddx::ops {
namespace {

/// The leading axes of x, then these.
Shape with_last(const Shape& x, std::initializer_list<std::int64_t> last) {
  std::array<std::int64_t, Shape::max_rank> extents{};
  const auto leading = x.extents().first(x.rank() - 2);
  const auto next = std::copy(leading.begin(), leading.end(), extents.begin());
  std::copy(last.begin(), last.end(), next);
  return Shape(std::span<const std::int64_t>(extents.data(), leading.size() + last.size()));
}

}  // namespace

MatrixStack matrix_stack(const Shape& x) noexcept {
  MatrixStack m;
  m.rows = x[x.rank() - 2];
  m.columns = x[x.rank() - 1];
  for (std::size_t axis = 0; axis + 2 < x.rank(); ++axis) {
    m.stack *= x[axis];
  }
  return m;
}

MatrixStack checked_matrices(const Site& site, const Shape& x) {
  if (x.rank() < 2) {
    site.fail("the operand is no matrix; shape " + to_string(x));
  }
  return matrix_stack(x);
}

MatrixStack checked_square(const Site& site, const Shape& x) {
  const MatrixStack m = checked_matrices(site, x);
  if (m.rows != m.columns) {
    site.fail("the matrices are not square; shape " + to_string(x));
  }
  return m;
}

Shape with_matrices(const Shape& x, std::int64_t rows, std::int64_t columns) {
  return with_last(x, {rows, columns});
}

Shape with_vectors(const Shape& x, std::int64_t extent) {
  return with_last(x, {extent});
}

void check_system(const Site& site, const Shape& matrix, const Shape& rhs) {
  const MatrixStack m = checked_square(site, matrix);
  const auto shapes = [&] { return "; shapes " + to_string(matrix) + " and " + to_string(rhs); };
  if (rhs.rank() < 2) {
    site.fail("the right-hand side is no matrix" + shapes());
  }
  const std::int64_t rows = rhs[rhs.rank() - 2];
  if (rows != m.rows) {
    site.fail("matrix of " + std::to_string(m.rows) + " rows with a right-hand side of " +
              std::to_string(rows) + shapes());
  }
  if (!std::ranges::equal(matrix.extents().first(matrix.rank() - 2),
                          rhs.extents().first(rhs.rank() - 2))) {
    site.fail("leading axes differ" + shapes());
  }
}

std::string place_in_stack(const Shape& x, std::int64_t matrix) {
  std::string place;
  for (std::size_t axis = x.rank() - 2; axis-- > 0;) {
    place = std::to_string(matrix % x[axis]) + (place.empty() ? "" : ", ") + place;
    matrix /= x[axis];
  }
  return place.empty() ? "" : " [" + place + "]";
}

Kernel linear_algebra_reference(Op op, DType dtype) noexcept {
  switch (op) {
    case Op::cholesky:
    case Op::lu:
    case Op::triangular_solve:
      return detail::elimination_reference(op, dtype);
    case Op::qr:
      return detail::qr_reference(dtype);
    case Op::svd:
    case Op::svdvals:
      return detail::svd_reference(op, dtype);
    case Op::eigh:
    case Op::eigvalsh:
      return detail::eigh_reference(op, dtype);
    default:
      return nullptr;
  }
}

}  // namespace ddx::ops
