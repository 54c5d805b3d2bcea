#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/linear_algebra.h"
#include "ddx/ops/op.h"

#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/linear_algebra_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ddx::ops::detail {
namespace {

/// a[i][j] minus the products of row i of `left` and column j of `right` before `count`.
template <class T>
double remainder_of(const T* a, const T* left, const T* right, std::int64_t n, std::int64_t i,
                    std::int64_t j, std::int64_t count) noexcept {
  auto sum = static_cast<double>(a[i * n + j]);
  for (std::int64_t k = 0; k < count; ++k) {
    sum -= static_cast<double>(left[i * n + k]) * static_cast<double>(right[k * n + j]);
  }
  return sum;
}

/// The rows of one factor until one has no positive pivot; gives the number of rows done.
template <class T>
std::int64_t cholesky_rows(const T* a, T* l, std::int64_t n) noexcept {
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      auto sum = static_cast<double>(a[i * n + j]);
      for (std::int64_t k = 0; k < j; ++k) {
        sum -= static_cast<double>(l[i * n + k]) * static_cast<double>(l[j * n + k]);
      }
      if (j < i) {
        l[i * n + j] = static_cast<T>(sum / static_cast<double>(l[j * n + j]));
      } else if (sum > 0) {
        l[i * n + i] = static_cast<T>(std::sqrt(sum));
      } else {
        return i;
      }
    }
  }
  return n;
}

template <class T>
void cholesky(const Call& call) noexcept {
  const MatrixStack m = matrix_stack(call.input(0).shape());
  const std::int64_t n = m.rows;
  for (std::int64_t s = 0; s < m.stack; ++s) {
    T* l = call.output().mutable_data<T>() + s * m.matrix();
    const std::int64_t done = cholesky_rows(call.input(0).data<T>() + s * m.matrix(), l, n);
    for (std::int64_t i = 0; i < n; ++i) {
      if (i >= done) {
        std::fill(l + i * n, l + i * n + i + 1, std::numeric_limits<T>::quiet_NaN());
      }
      std::fill(l + i * n + i + 1, l + (i + 1) * n, T{});
    }
  }
}

/// Column by column: first what is known of u and l is subtracted, then the largest element on or
/// below the diagonal becomes the pivot (P. D. Crout, 1941).
template <class T>
void factor(T* a, std::int32_t* order, std::int64_t n) noexcept {
  for (std::int64_t j = 0; j < n; ++j) {
    std::int64_t pivot = j;
    for (std::int64_t i = 0; i < n; ++i) {
      a[i * n + j] = static_cast<T>(remainder_of(a, a, a, n, i, j, std::min(i, j)));
      if (i > pivot && std::abs(a[i * n + j]) > std::abs(a[pivot * n + j])) {
        pivot = i;
      }
    }
    if (pivot != j) {
      std::swap_ranges(a + j * n, a + (j + 1) * n, a + pivot * n);
      std::swap(order[j], order[pivot]);
    }
    for (std::int64_t i = j + 1; i < n && a[j * n + j] != T{}; ++i) {
      a[i * n + j] /= a[j * n + j];
    }
  }
}

template <class T>
void lu(const Call& call) noexcept {
  const MatrixStack m = matrix_stack(call.input(0).shape());
  const T* a = call.input(0).data<T>();
  T* packed = call.output(0).mutable_data<T>();
  std::copy(a, a + m.stack * m.matrix(), packed);
  for (std::int64_t s = 0; s < m.stack; ++s) {
    std::int32_t* order = call.output(1).mutable_data<std::int32_t>() + s * m.rows;
    for (std::int64_t i = 0; i < m.rows; ++i) {
      order[i] = static_cast<std::int32_t>(i);
    }
    factor(packed + s * m.matrix(), order, m.rows);
  }
}

/// A triangle, transposed or not.
template <class T>
struct Triangle {
  const T* data;
  std::int64_t extent;
  bool transposed;

  [[nodiscard]] double operator()(std::int64_t i, std::int64_t k) const noexcept {
    return static_cast<double>(transposed ? data[k * extent + i] : data[i * extent + k]);
  }
};

/// Substitution into the `columns` right-hand sides in x, which become the solutions.
template <class T>
void substitute(const Triangle<T>& t, bool forwards, bool unit_diagonal, T* x,
                std::int64_t columns) noexcept {
  const std::int64_t n = t.extent;
  for (std::int64_t step = 0; step < n; ++step) {
    const std::int64_t i = forwards ? step : n - 1 - step;
    for (std::int64_t c = 0; c < columns; ++c) {
      auto sum = static_cast<double>(x[i * columns + c]);
      for (std::int64_t k = forwards ? 0 : i + 1; k < (forwards ? i : n); ++k) {
        sum -= t(i, k) * static_cast<double>(x[k * columns + c]);
      }
      x[i * columns + c] = static_cast<T>(unit_diagonal ? sum : sum / t(i, i));
    }
  }
}

template <class T>
void triangular_solve(const Call& call) noexcept {
  const auto& [lower, transposed, unit_diagonal] = call.attributes<TriangleAttributes>();
  const MatrixStack rhs = matrix_stack(call.input(1).shape());
  const T* b = call.input(1).data<T>();
  T* x = call.output().mutable_data<T>();
  std::copy(b, b + rhs.stack * rhs.matrix(), x);
  for (std::int64_t s = 0; s < rhs.stack; ++s) {
    const Triangle<T> t{call.input(0).data<T>() + s * rhs.rows * rhs.rows, rhs.rows, transposed};
    substitute(t, lower != transposed, unit_diagonal, x + s * rhs.matrix(), rhs.columns);
  }
}

}  // namespace

Kernel elimination_reference(Op op, DType dtype) noexcept {
  return dispatch_full_precision(dtype, [op](auto element) -> Kernel {
    using T = decltype(element);
    if (op == Op::cholesky) {
      return &cholesky<T>;
    }
    return op == Op::lu ? &lu<T> : &triangular_solve<T>;
  });
}

}  // namespace ddx::ops::detail
