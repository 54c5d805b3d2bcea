#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/linear_algebra.h"

#include "ops/detail/axis_line.h"
#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/linear_algebra_kernels.h"
#include "ops/detail/orthonormal.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ddx::ops::detail {
namespace {

/// Gram-Schmidt, each column twice. A column that depends on those before it leaves a zero on the
/// diagonal of r, and any direction in q.
template <class T>
void orthogonalize(const T* a, const MatrixStack& m, T* q, std::int64_t q_columns, T* r) noexcept {
  const std::int64_t n = m.columns;
  for (std::int64_t j = 0; j < n; ++j) {
    const auto add_to_r = [&](std::int64_t k, double part) {
      r[k * n + j] = static_cast<T>(static_cast<double>(r[k * n + j]) + part);
    };
    if (j >= m.rows) {
      const AxisLine<const T> column{a + j, n, m.rows};
      for (std::int64_t k = 0; k < m.rows; ++k) {
        add_to_r(k, dot(AxisLine<T>{q + k, q_columns, m.rows}, column));
      }
      continue;
    }
    const AxisLine<T> column{q + j, q_columns, m.rows};
    for (std::int64_t i = 0; i < m.rows; ++i) {
      column.set(i, static_cast<double>(a[i * n + j]));
    }
    const double before = length(column);
    subtract_projections(column, q, q_columns, j, add_to_r);
    const double rest = length(column);
    const double noise = static_cast<double>(m.rows) * before *
                         static_cast<double>(std::numeric_limits<T>::epsilon());
    if (rest <= noise) {
      add_orthonormal_column(q, m.rows, q_columns, j);
    } else {
      r[j * n + j] = static_cast<T>(rest);
      scale(column, 1 / rest);
    }
  }
  for (std::int64_t j = m.smaller(); j < q_columns; ++j) {
    add_orthonormal_column(q, m.rows, q_columns, j);
  }
}

template <class T>
void qr(const Call& call) noexcept {
  const MatrixStack m = matrix_stack(call.input(0).shape());
  const MatrixStack q = matrix_stack(call.output(0).shape());
  const MatrixStack r = matrix_stack(call.output(1).shape());
  T* all_r = call.output(1).mutable_data<T>();
  std::fill(all_r, all_r + r.stack * r.matrix(), T{});
  for (std::int64_t s = 0; s < m.stack; ++s) {
    orthogonalize(call.input(0).data<T>() + s * m.matrix(), m,
                  call.output(0).mutable_data<T>() + s * q.matrix(), q.columns,
                  all_r + s * r.matrix());
  }
}

}  // namespace

Kernel qr_reference(DType dtype) noexcept {
  return dispatch_full_precision(dtype, [](auto element) { return &qr<decltype(element)>; });
}

}  // namespace ddx::ops::detail
