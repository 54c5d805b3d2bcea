#include "ddx/tensor/solve.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/linear_algebra.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/dispatch.h"
#include "tensor/detail/matrices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace ddx::detail {
namespace {

using ops::matrix_stack;
using ops::MatrixStack;
using ops::Op;

/// The first place on the diagonal with a zero, or -1.
constexpr auto zero_pivot = [](const auto* matrix, const MatrixStack& m) {
  for (std::int64_t i = 0; i < m.rows; ++i) {
    if (matrix[i * (m.columns + 1)] == 0) {
      return i;
    }
  }
  return std::int64_t{-1};
};

/// Stretches the leading axes of the matrices to those of `to`.
Array stretched(const Array& x, const Shape& to) {
  const Shape shape = stretched_matrices(x.shape(), to);
  return x.shape() == shape ? x : broadcast_to(x, shape, {});
}

/// Whether each axis is the same for both, or 1 for one of them.
bool can_broadcast(const Shape& a, const Shape& b) {
  for (std::size_t i = 1; i <= std::min(a.rank(), b.rank()); ++i) {
    const std::int64_t in_a = a[a.rank() - i];
    const std::int64_t in_b = b[b.rank() - i];
    if (in_a != in_b && in_a != 1 && in_b != 1) {
      return false;
    }
  }
  return true;
}

/// Both operands of a system with the same leading axes.
std::pair<Array, Array> system_of(const ops::Site& site, const Array& matrix, const Array& rhs) {
  const Shape& a = matrix.shape();
  const Shape& b = rhs.shape();
  // Of the leading axes only: two axes that broadcast with anything represent the last ones.
  const bool matrices = a.rank() >= 2 && b.rank() >= 2;
  const Shape leading_a = matrices ? ops::with_matrices(a, 1, 1) : Shape{};
  const Shape leading_b = matrices ? ops::with_matrices(b, 1, 1) : Shape{};
  if (!matrices || !can_broadcast(leading_a, leading_b)) {
    ops::check_system(site, a, b);
  }
  const Shape common = broadcast(leading_a, leading_b);
  std::pair<Array, Array> both(stretched(matrix, common), stretched(rhs, common));
  ops::check_system(site, both.first.shape(), both.second.shape());
  return both;
}

Array substituted(const Array& matrix, const Array& rhs, const ops::TriangleAttributes& attributes,
                  Device device, const ops::Check& check = {}) {
  return compute(Op::triangular_solve, rhs.dtype(), device, rhs.shape(), rhs.dtype(),
                 std::array{matrix.view(), rhs.view()}, attributes, check);
}

void expect_regular(const ops::Call& call, const ops::Site& site) {
  expect_none(site, call.output(0), zero_pivot, "is singular: zero pivot");
}

std::optional<std::string> singular_triangle(const ops::Call& call) {
  return first_matrix(call.input(0), zero_pivot, "is singular: zero on its diagonal at");
}

LuFactors lu_of(const Array& a, const ops::Check& check) {
  const MatrixStack m = ops::checked_square(check.site, a.shape());
  auto [packed, order] = factors_of<2>(
      Op::lu, a,
      {like(a, a.shape()),
       Array::for_kernels(ops::with_vectors(a.shape(), m.rows), DType::i32, a.device())},
      check);
  return {std::move(packed), std::move(order)};
}

/// The rows of each matrix in the order that is given for it.
Array reordered_rows(const Array& x, const Array& order) {
  const Array column =
      reshape(order, ops::with_matrices(x.shape(), x.shape()[x.shape().rank() - 2], 1), {});
  return take_along_axis(x, broadcast_to(column, x.shape(), {}), -2, {});
}

}  // namespace

LuFactors lu(const char* operation, const Array& a, const std::source_location& where) try {
  return lu_of(a, {.site = {operation, where}});
} catch (const std::bad_alloc&) {
  throw_out_of_memory(operation);
}

LuFactors regular_lu(const char* operation, const Array& a, const std::source_location& where) try {
  return lu_of(a, {.after = expect_regular, .site = {operation, where}});
} catch (const std::bad_alloc&) {
  throw_out_of_memory(operation);
}

bool is_nearly_singular(const LuFactors& factors) {
  const MatrixStack m = matrix_stack(factors.packed.shape());
  return with_elements(factors.packed, [&](const auto* elements) {
    using T = std::remove_cvref_t<decltype(*elements)>;
    for (std::int64_t i = 0; i < m.stack; ++i) {
      double least = HUGE_VAL;
      double largest = 0;
      for (std::int64_t k = 0; k < m.rows; ++k) {
        const double pivot = std::abs(elements[i * m.matrix() + k * (m.rows + 1)]);
        least = std::min(least, pivot);
        largest = std::max(largest, pivot);
      }
      if (m.rows > 0 && !(least > std::sqrt(std::numeric_limits<T>::epsilon()) * largest)) {
        return true;
      }
    }
    return false;
  });
}

Array solve_by(const LuFactors& factors, const Array& b, bool transposed,
               const std::source_location& where) try {
  const ops::Site site{"solve", where};
  const Device device = common_device(site, {&factors.packed, &b});
  auto [packed, rhs] = system_of(site, factors.packed, b);
  const Shape rows = ops::with_vectors(packed.shape(), packed.shape()[packed.shape().rank() - 1]);
  const Array order = broadcast_to(factors.order, rows, where);
  const ops::TriangleAttributes lower{
      .lower = true, .transposed = transposed, .unit_diagonal = true};
  const ops::TriangleAttributes upper{.lower = false, .transposed = transposed};
  if (transposed) {
    const Array x = substituted(packed, substituted(packed, rhs, upper, device), lower, device);
    return reordered_rows(x, argsort(order, {}, where));
  }
  return substituted(packed, substituted(packed, reordered_rows(rhs, order), lower, device), upper,
                     device);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("solve_by");
}

Array inverse(const Array& a, const std::source_location& where) try {
  const LuFactors factors = regular_lu("inverse", a, where);
  const std::int64_t n = a.shape()[a.shape().rank() - 1];
  return solve_by(factors, one_hot(iota(n, DType::i32, a.device(), where), n, a.dtype(), where),
                  false, where);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("inverse");
}

Array triangular_solve(const Array& matrix, const Array& rhs, const TriangularOptions& options,
                       const std::source_location& where) try {
  const ops::Site site = site_of(Op::triangular_solve, where);
  const Device device = common_device(site, {&matrix, &rhs});
  const auto [stacked, b] = system_of(site, matrix, rhs);
  return substituted(stacked, b, {options.lower, options.adjoint, options.unit_diagonal}, device,
                     {.before = options.unit_diagonal ? nullptr : singular_triangle, .site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("triangular_solve");
}

}  // namespace ddx::detail
