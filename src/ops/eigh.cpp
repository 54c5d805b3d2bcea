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
#include <numeric>

namespace ddx::ops::detail {
namespace {

/// A symmetric matrix that becomes diagonal, and the product of the rotations: its rows become the
/// vectors.
struct Symmetric {
  double* a;
  double* vectors;
  std::int64_t extent;

  [[nodiscard]] AxisLine<double> row(double* x, std::int64_t i) const noexcept {
    return {x + i * extent, 1, extent};
  }
  [[nodiscard]] AxisLine<double> column(double* x, std::int64_t i) const noexcept {
    return {x + i, extent, extent};
  }
};

void eliminate(const Symmetric& x, std::int64_t p, std::int64_t q) noexcept {
  const std::int64_t n = x.extent;
  const Rotation rotation(x.a[p * n + p], x.a[p * n + q], x.a[q * n + q]);
  rotation.apply(x.column(x.a, p), x.column(x.a, q));
  rotation.apply(x.row(x.a, p), x.row(x.a, q));
  x.a[p * n + q] = 0;
  x.a[q * n + p] = 0;
  rotation.apply(x.row(x.vectors, p), x.row(x.vectors, q));
}

/// Eliminates the elements off the diagonal in turn, until all are negligible (C. G. J. Jacobi,
/// 1846). Requires elements within [-1, 1].
void diagonalize(const Symmetric& x) noexcept {
  const std::int64_t n = x.extent;
  const double negligible = 0x1p-10 * std::numeric_limits<double>::epsilon();
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
    rotated = false;
    for (std::int64_t p = 0; p < n; ++p) {
      for (std::int64_t q = p + 1; q < n; ++q) {
        if (std::abs(x.a[p * n + q]) > negligible) {
          eliminate(x, p, q);
          rotated = true;
        }
      }
    }
  }
}

/// The lower triangle of a and its mirror image, divided by `scale`, and the vectors at the start.
template <class T>
void begin(const Symmetric& x, const T* a, double scale) noexcept {
  const std::int64_t n = x.extent;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      x.a[i * n + j] = static_cast<double>(a[std::max(i, j) * n + std::min(i, j)]) / scale;
      x.vectors[i * n + j] = i == j ? 1 : 0;
    }
  }
}

/// The largest absolute value in the lower triangle, or 1 where all are zero.
template <class T>
double magnitude(const T* a, std::int64_t n) noexcept {
  double largest = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      largest = std::fmax(largest, std::abs(static_cast<double>(a[i * n + j])));
    }
  }
  return largest == 0 ? 1 : largest;
}

/// Values and vectors in ascending order; vectors may be null.
template <class T>
void write(const Symmetric& x, double scale, std::int64_t* order, T* values, T* vectors) noexcept {
  const std::int64_t n = x.extent;
  std::iota(order, order + n, std::int64_t{0});
  std::sort(order, order + n,
            [&](std::int64_t i, std::int64_t j) { return x.a[i * n + i] < x.a[j * n + j]; });
  for (std::int64_t c = 0; c < n; ++c) {
    values[c] = static_cast<T>(x.a[order[c] * n + order[c]] * scale);
    if (vectors != nullptr) {
      const AxisLine<double> from = x.row(x.vectors, order[c]);
      orient(from);
      for (std::int64_t i = 0; i < n; ++i) {
        vectors[i * n + c] = static_cast<T>(from[i]);
      }
    }
  }
}

template <class T, bool vectors>
void eigh(const Call& call) noexcept {
  const MatrixStack m = matrix_stack(call.input(0).shape());
  const std::int64_t n = m.rows;
  const auto size = static_cast<std::size_t>(m.matrix());
  const std::unique_ptr<double[]> memory(new (std::nothrow) double[2 * size]);
  const std::unique_ptr<std::int64_t[]> order(new (std::nothrow)
                                                  std::int64_t[static_cast<std::size_t>(n)]);
  if (memory == nullptr || order == nullptr) {
    for (std::size_t k = 0; k < (vectors ? 2 : 1); ++k) {
      T* data = call.output(k).mutable_data<T>();
      std::fill(data, data + call.output(k).shape().count(), std::numeric_limits<T>::quiet_NaN());
    }
    return;
  }
  const Symmetric x{memory.get(), memory.get() + size, n};
  for (std::int64_t s = 0; s < m.stack; ++s) {
    const T* a = call.input(0).data<T>() + s * m.matrix();
    const double scale = magnitude(a, n);
    begin(x, a, scale);
    diagonalize(x);
    T* to = vectors ? call.output(1).mutable_data<T>() + s * m.matrix() : nullptr;
    write(x, scale, order.get(), call.output(0).mutable_data<T>() + s * n, to);
  }
}

}  // namespace

Kernel eigh_reference(Op op, DType dtype) noexcept {
  return dispatch_full_precision(dtype, [op](auto element) -> Kernel {
    using T = decltype(element);
    return op == Op::eigh ? &eigh<T, true> : &eigh<T, false>;
  });
}

}  // namespace ddx::ops::detail
