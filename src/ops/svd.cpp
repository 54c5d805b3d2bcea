#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/linear_algebra.h"
#include "ddx/ops/op.h"

#include "ops/detail/axis_line.h"
#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/linear_algebra_kernels.h"
#include "ops/detail/orthonormal.h"
#include "ops/detail/rotation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>

namespace ddx::ops::detail {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// The columns of a tall matrix, one after another, and those of the matrix v with work = a v.
struct Columns {
  double* work;
  double* v;  ///< Null if it is not needed.
  std::int64_t rows;
  std::int64_t count;

  [[nodiscard]] AxisLine<double> column(std::int64_t c) const noexcept {
    return {work + c * rows, 1, rows};
  }
  [[nodiscard]] AxisLine<double> v_column(std::int64_t c) const noexcept {
    return {v + c * count, 1, count};
  }
};

/// Rotates two columns until they are orthogonal; returns whether they were not. Columns below
/// `negligible` count as zero.
bool orthogonalize_pair(const Columns& x, std::int64_t i, std::int64_t j,
                        double negligible) noexcept {
  const auto a = x.column(i);
  const auto b = x.column(j);
  const double in_a = dot(a, a);
  const double in_b = dot(b, b);
  const double between = dot(a, b);
  if (std::min(in_a, in_b) <= negligible * negligible ||
      std::abs(between) <= epsilon * std::sqrt(in_a) * std::sqrt(in_b)) {
    return false;
  }
  const Rotation rotation(in_a, between, in_b);
  rotation.apply(a, b);
  if (x.v != nullptr) {
    rotation.apply(x.v_column(i), x.v_column(j));
  }
  return true;
}

/// Makes the columns orthogonal and sorts them by length, longest first (M. R. Hestenes, "Inversion
/// of matrices by biorthogonalization and related results", 1958). Requires elements within [-1,
/// 1]. Gives the largest length.
double orthogonalize_columns(const Columns& x, double* lengths) noexcept {
  double largest = 0;
  for (std::int64_t c = 0; c < x.count; ++c) {
    largest = std::fmax(largest, length(x.column(c)));
  }
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
    rotated = false;
    for (std::int64_t i = 0; i < x.count; ++i) {
      for (std::int64_t j = i + 1; j < x.count; ++j) {
        rotated |= orthogonalize_pair(x, i, j, epsilon * largest);
      }
    }
  }
  for (std::int64_t c = 0; c < x.count; ++c) {
    lengths[c] = length(x.column(c));
  }
  for (std::int64_t c = 0; c < x.count; ++c) {
    const std::int64_t longest = std::max_element(lengths + c, lengths + x.count) - lengths;
    if (longest != c) {
      std::swap(lengths[c], lengths[longest]);
      std::swap_ranges(x.work + c * x.rows, x.work + (c + 1) * x.rows, x.work + longest * x.rows);
      if (x.v != nullptr) {
        std::swap_ranges(x.v + c * x.count, x.v + (c + 1) * x.count, x.v + longest * x.count);
      }
    }
  }
  return x.count == 0 ? 0 : lengths[0];
}

/// The largest absolute value, or 1 where all are zero.
template <class T>
double largest_magnitude(const T* a, std::int64_t count) noexcept {
  double largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    largest = std::fmax(largest, std::abs(static_cast<double>(a[i])));
  }
  return largest == 0 ? 1 : largest;
}

/// Writes orthogonal columns, divided by their lengths, as the columns of a row-major matrix, and
/// others instead of those that are zero up to rounding, and if more are needed.
template <class T>
void write_left(const Columns& x, const double* lengths, T* u, std::int64_t u_columns) noexcept {
  for (std::int64_t c = 0; c < u_columns; ++c) {
    if (c < x.count && lengths[c] > epsilon * lengths[0]) {
      for (std::int64_t i = 0; i < x.rows; ++i) {
        u[i * u_columns + c] = static_cast<T>(x.column(c)[i] / lengths[c]);
      }
    } else {
      add_orthonormal_column(u, x.rows, u_columns, c);
    }
  }
}

template <class T>
void write_right(const Columns& x, T* v, std::int64_t v_columns) noexcept {
  for (std::int64_t c = 0; c < x.count; ++c) {
    for (std::int64_t i = 0; i < x.count; ++i) {
      v[i * v_columns + c] = static_cast<T>(x.v_column(c)[i]);
    }
  }
}

/// The decomposition of one matrix; u and v null where only the values are asked for.
template <class T>
void decompose(const T* a, const MatrixStack& m, double* work, double* rotations, double* lengths,
               T* u, std::int64_t u_columns, T* s, T* v, std::int64_t v_columns) noexcept {
  // A wide matrix is worked on transposed.
  const bool wide = m.rows < m.columns;
  const Columns x{work, u == nullptr ? nullptr : rotations, wide ? m.columns : m.rows, m.smaller()};
  const double scale_of_a = largest_magnitude(a, m.matrix());
  for (std::int64_t c = 0; c < x.count; ++c) {
    for (std::int64_t i = 0; i < x.rows; ++i) {
      const T element = wide ? a[c * m.columns + i] : a[i * m.columns + c];
      x.column(c).set(i, static_cast<double>(element) / scale_of_a);
    }
    for (std::int64_t i = 0; x.v != nullptr && i < x.count; ++i) {
      x.v_column(c).set(i, i == c ? 1 : 0);
    }
  }
  orthogonalize_columns(x, lengths);
  for (std::int64_t c = 0; c < x.count; ++c) {
    s[c] = static_cast<T>(lengths[c] * scale_of_a);
  }
  if (u == nullptr) {
    return;
  }
  write_left(x, lengths, wide ? v : u, wide ? v_columns : u_columns);
  write_right(x, wide ? u : v, wide ? u_columns : v_columns);
  for (std::int64_t c = 0; c < x.count; ++c) {
    const AxisLine<T> left{u + c, u_columns, m.rows};
    if (orientation(left) < 0) {
      scale(left, -1);
      scale(AxisLine<T>{v + c, v_columns, m.columns}, -1);
    }
  }
}

template <class T>
void all_nan(const View& view) noexcept {
  T* data = view.mutable_data<T>();
  std::fill(data, data + view.shape().count(), std::numeric_limits<T>::quiet_NaN());
}

template <class T, bool vectors>
void svd(const Call& call) noexcept {
  const MatrixStack m = matrix_stack(call.input(0).shape());
  const View& values = call.output(vectors ? 1 : 0);
  const std::int64_t k = m.smaller();
  const std::unique_ptr<double[]> memory(
      new (std::nothrow) double[static_cast<std::size_t>(m.matrix() + k * k + k)]);
  if (memory == nullptr) {
    all_nan<T>(values);
    if constexpr (vectors) {
      all_nan<T>(call.output(0));
      all_nan<T>(call.output(2));
    }
    return;
  }
  double* rotations = memory.get() + m.matrix();
  for (std::int64_t i = 0; i < m.stack; ++i) {
    const T* a = call.input(0).data<T>() + i * m.matrix();
    T* s = values.mutable_data<T>() + i * k;
    if constexpr (vectors) {
      const MatrixStack u = matrix_stack(call.output(0).shape());
      const MatrixStack v = matrix_stack(call.output(2).shape());
      decompose(a, m, memory.get(), rotations, rotations + k * k,
                call.output(0).mutable_data<T>() + i * u.matrix(), u.columns, s,
                call.output(2).mutable_data<T>() + i * v.matrix(), v.columns);
    } else {
      decompose<T>(a, m, memory.get(), rotations, rotations + k * k, nullptr, 0, s, nullptr, 0);
    }
  }
}

}  // namespace

Kernel svd_reference(Op op, DType dtype) noexcept {
  return dispatch_full_precision(dtype, [op](auto element) -> Kernel {
    using T = decltype(element);
    return op == Op::svd ? &svd<T, true> : &svd<T, false>;
  });
}

}  // namespace ddx::ops::detail
