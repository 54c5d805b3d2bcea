#include "backend/cpu/lapack/kernels.h"

#include "ddx/core/dtype.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/linear_algebra.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/lapack/library.h"
#include "backend/cpu/pool.h"
#include "backend/cpu/scratch.h"
#include "ops/detail/axis_line.h"
#include "ops/detail/orthonormal.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace ddx::backend::cpu {
namespace {

using ops::Call;
using ops::matrix_stack;
using ops::MatrixStack;
using ops::Op;
using ops::detail::AxisLine;

template <class T>
const LapackRoutines<T>& routines(const Lapack& library) noexcept {
  if constexpr (std::is_same_v<T, float>) {
    return library.f32;
  } else {
    return library.f64;
  }
}

int as_int(std::int64_t extent) noexcept {
  return static_cast<int>(extent);
}

/// The distance between columns, which LAPACK wants to be at least 1.
int distance(std::int64_t extent) noexcept {
  return as_int(std::max<std::int64_t>(extent, 1));
}

/// Calls body(matrix) for each matrix of a stack, on several threads where that is worth it; the
/// body returns whether it could compute. Gives whether all could.
template <class Body>
bool for_each_matrix(const MatrixStack& m, const Body& body) noexcept {
  const std::int64_t longest = std::max(m.rows, m.columns);
  const std::int64_t work = std::max<std::int64_t>(m.matrix() * longest, 1);
  std::atomic<bool> fine{true};
  for_each_range(m.stack, std::max<std::int64_t>(100000 / work, 1),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     if (!body(i)) {
                       fine.store(false, std::memory_order_relaxed);
                     }
                   }
                 });
  return fine.load();
}

/// The lower triangle, row by row, is the upper triangle column by column.
template <class T>
bool cholesky(const Lapack& library, const Call& call) noexcept {
  const MatrixStack m = matrix_stack(call.input(0).shape());
  const int n = as_int(m.rows);
  const int stride = distance(n);
  return for_each_matrix(m, [&](std::int64_t i) {
    T* l = call.output().mutable_data<T>() + i * m.matrix();
    const T* a = call.input(0).data<T>() + i * m.matrix();
    std::copy(a, a + m.matrix(), l);
    int info = 0;
    routines<T>(library).potrf("U", &n, l, &stride, &info, 1);
    for (std::int64_t row = 0; row < n; ++row) {
      if (info > 0 && row >= info - 1) {
        std::fill(l + row * n, l + row * n + row + 1, std::numeric_limits<T>::quiet_NaN());
      }
      std::fill(l + row * n + row + 1, l + (row + 1) * n, T{});
    }
    return true;
  });
}

template <class T>
void transpose_into(T* to, const T* from, std::int64_t rows, std::int64_t columns) noexcept {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      to[j * rows + i] = from[i * columns + j];
    }
  }
}

template <class T>
bool lu(const Lapack& library, const Call& call) noexcept {
  const MatrixStack m = matrix_stack(call.input(0).shape());
  const int n = as_int(m.rows);
  const int stride = distance(n);
  return for_each_matrix(m, [&](std::int64_t i) {
    const Scratch<T> columns(m.matrix());
    const Scratch<int> pivots(n);
    if (!columns || !pivots) {
      return false;
    }
    transpose_into(columns.data(), call.input(0).data<T>() + i * m.matrix(), n, n);
    int info = 0;
    routines<T>(library).getrf(&n, &n, columns.data(), &stride, pivots.data(), &info);
    transpose_into(call.output(0).mutable_data<T>() + i * m.matrix(), columns.data(), n, n);
    std::int32_t* order = call.output(1).mutable_data<std::int32_t>() + i * n;
    for (std::int32_t row = 0; row < n; ++row) {
      order[row] = row;
    }
    for (std::int64_t row = 0; row < n; ++row) {
      std::swap(order[row], order[pivots.data()[row] - 1]);
    }
    return true;
  });
}

/// In LAPACK's order of elements the operands are transposed: x^T t^T = b^T.
template <class T>
bool triangular_solve(const Lapack& library, const Call& call) noexcept {
  const auto& [lower, transposed, unit_diagonal] = call.attributes<ops::TriangleAttributes>();
  const MatrixStack m = matrix_stack(call.input(1).shape());
  const int n = as_int(m.rows);
  const int count = as_int(m.columns);
  const int stride = distance(n);
  const int stride_of_x = distance(count);
  const T one = 1;
  return for_each_matrix(m, [&](std::int64_t i) {
    T* x = call.output().mutable_data<T>() + i * m.matrix();
    const T* b = call.input(1).data<T>() + i * m.matrix();
    std::copy(b, b + m.matrix(), x);
    routines<T>(library).trsm(
        "R", lower ? "U" : "L", transposed ? "T" : "N", unit_diagonal ? "U" : "N", &count, &n, &one,
        call.input(0).data<T>() + i * m.rows * m.rows, &stride, x, &stride_of_x, 1, 1, 1, 1);
    return true;
  });
}

/// The rows of r and the columns of q with the sign that makes the diagonal of r not negative, a
/// zero there where a column depends on those before it except for rounding, and further columns of
/// q the agreed way.
template <class T>
void choose_signs(T* q, std::int64_t rows, std::int64_t q_columns, T* r,
                  std::int64_t columns) noexcept {
  const std::int64_t diagonal = std::min(rows, columns);
  for (std::int64_t c = 0; c < q_columns; ++c) {
    const AxisLine<T> column{q + c, q_columns, rows};
    if (c >= diagonal) {
      ops::detail::orient(column);
      continue;
    }
    T& rest = r[c * columns + c];
    const double noise = static_cast<double>(rows) *
                         ops::detail::length(AxisLine<T>{r + c, columns, c + 1}) *
                         static_cast<double>(std::numeric_limits<T>::epsilon());
    if (rest < 0) {
      ops::detail::scale(column, -1);
      ops::detail::scale(AxisLine<T>{&rest, 1, columns - c}, -1);
    }
    if (rest <= noise) {
      rest = 0;
    }
  }
}

/// What LAPACK sees, column by column, is a^T = r^T q^T.
template <class T>
bool qr(const Lapack& library, const Call& call) noexcept {
  const MatrixStack m = matrix_stack(call.input(0).shape());
  const std::int64_t q_columns = matrix_stack(call.output(0).shape()).columns;
  const int rows = as_int(m.rows);
  const int columns = as_int(m.columns);
  const int reflections = as_int(m.smaller());
  const int kept = as_int(q_columns);
  const int stride = distance(columns);
  const int stride_of_q = distance(kept);
  const int lwork = 64 * distance(std::max(rows, columns));
  return for_each_matrix(m, [&](std::int64_t i) {
    const Scratch<T> a(m.matrix());
    const Scratch<T> tau(reflections);
    const Scratch<T> work(lwork);
    if (!a || !tau || !work) {
      return false;
    }
    const T* from = call.input(0).data<T>() + i * m.matrix();
    std::copy(from, from + m.matrix(), a.data());
    int info = 0;
    routines<T>(library).gelqf(&columns, &rows, a.data(), &stride, tau.data(), work.data(), &lwork,
                               &info);
    T* q = call.output(0).mutable_data<T>() + i * m.rows * q_columns;
    T* r = call.output(1).mutable_data<T>() + i * q_columns * m.columns;
    for (std::int64_t row = 0; row < rows; ++row) {
      const T* factored = a.data() + row * columns;
      std::copy(factored, factored + reflections, q + row * q_columns);
      std::fill(q + row * q_columns + reflections, q + (row + 1) * q_columns, T{});
      if (row < q_columns) {
        const std::int64_t zeros = std::min<std::int64_t>(row, columns);
        std::fill(r + row * columns, r + row * columns + zeros, T{});
        std::copy(factored + zeros, factored + columns, r + row * columns + zeros);
      }
    }
    routines<T>(library).orglq(&kept, &rows, &reflections, q, &stride_of_q, tau.data(), work.data(),
                               &lwork, &info);
    choose_signs(q, rows, q_columns, r, columns);
    return true;
  });
}

/// What LAPACK asks for when it is passed a length of -1: it answers in an element of the work
/// array.
template <class T>
int answered(T length) noexcept {
  return static_cast<int>(std::ceil(static_cast<double>(length) * (1 + 1e-6)));
}

/// Where the vectors of one decomposition go, row by row; null where they are not asked for.
template <class T>
struct Vectors {
  T* u;
  std::int64_t u_columns;
  T* v;
  std::int64_t v_columns;
};

/// What LAPACK sees, column by column, is a^T = v s u^T. Its last factor is u row by row, its first
/// one is v transposed.
template <class T>
bool decompose(const LapackRoutines<T>& lapack, const T* from, const MatrixStack& m, T* s,
               const Vectors<T>& to) noexcept {
  const int rows = as_int(m.rows);
  const int columns = as_int(m.columns);
  const int stride = distance(columns);
  const int stride_of_u = distance(to.u_columns);
  const bool complete = to.u_columns == rows && to.v_columns == columns;
  const char* job = to.u == nullptr ? "N" : complete ? "A" : "S";
  const Scratch<T> a(m.matrix());
  const Scratch<T> v(columns * to.v_columns);
  const Scratch<int> integers(8 * m.smaller());
  int info = 0;
  int lwork = -1;
  T length{};
  lapack.gesdd(job, &columns, &rows, a.data(), &stride, s, v.data(), &stride, to.u, &stride_of_u,
               &length, &lwork, integers.data(), &info, 1);
  lwork = answered(length);
  const Scratch<T> work(lwork);
  if (!a || !v || !integers || !work) {
    return false;
  }
  std::copy(from, from + m.matrix(), a.data());
  lapack.gesdd(job, &columns, &rows, a.data(), &stride, s, v.data(), &stride, to.u, &stride_of_u,
               work.data(), &lwork, integers.data(), &info, 1);
  if (info != 0) {
    return false;
  }
  if (to.u != nullptr) {
    transpose_into(to.v, v.data(), to.v_columns, columns);
    for (std::int64_t c = 0; c < std::max(to.u_columns, to.v_columns); ++c) {
      const AxisLine<T> left{to.u + c, to.u_columns, rows};
      const AxisLine<T> right{to.v + c, to.v_columns, columns};
      if (c >= m.smaller()) {
        ops::detail::orient(c < to.u_columns ? left : right);
      } else if (ops::detail::orientation(left) < 0) {
        ops::detail::scale(left, -1);
        ops::detail::scale(right, -1);
      }
    }
  }
  return true;
}

/// The identity, where there is no singular value and all vectors are free.
template <class T>
void identities(const ops::View& view) noexcept {
  const MatrixStack m = matrix_stack(view.shape());
  T* data = view.mutable_data<T>();
  for (std::int64_t i = 0; i < m.stack * m.matrix(); ++i) {
    data[i] = i % m.matrix() % (m.columns + 1) == 0 ? 1 : 0;
  }
}

template <class T, bool vectors>
bool svd(const Lapack& library, const Call& call) noexcept {
  const MatrixStack m = matrix_stack(call.input(0).shape());
  if (m.smaller() == 0) {
    if constexpr (vectors) {
      identities<T>(call.output(0));
      identities<T>(call.output(2));
    }
    return true;
  }
  return for_each_matrix(m, [&](std::int64_t i) {
    const T* a = call.input(0).data<T>() + i * m.matrix();
    T* s = call.output(vectors ? 1 : 0).mutable_data<T>() + i * m.smaller();
    if constexpr (vectors) {
      const MatrixStack u = matrix_stack(call.output(0).shape());
      const MatrixStack v = matrix_stack(call.output(2).shape());
      return decompose(routines<T>(library), a, m, s,
                       {call.output(0).mutable_data<T>() + i * u.matrix(), u.columns,
                        call.output(2).mutable_data<T>() + i * v.matrix(), v.columns});
    } else {
      return decompose(routines<T>(library), a, m, s, Vectors<T>{nullptr, 0, nullptr, 0});
    }
  });
}

/// LAPACK leaves the vectors as columns, column by column: as rows of ours.
template <class T, bool vectors>
bool eigh(const Lapack& library, const Call& call) noexcept {
  const MatrixStack m = matrix_stack(call.input(0).shape());
  const int n = as_int(m.rows);
  const int stride = distance(n);
  const char* job = vectors ? "V" : "N";
  return for_each_matrix(m, [&](std::int64_t i) {
    const Scratch<T> a(m.matrix());
    T* values = call.output(0).mutable_data<T>() + i * n;
    int info = 0;
    int lwork = -1;
    int liwork = -1;
    T length{};
    int integers_wanted = 0;
    routines<T>(library).syevd(job, "U", &n, a.data(), &stride, values, &length, &lwork,
                               &integers_wanted, &liwork, &info, 1, 1);
    lwork = answered(length);
    liwork = integers_wanted;
    const Scratch<T> work(lwork);
    const Scratch<int> integers(liwork);
    if (!a || !work || !integers) {
      return false;
    }
    const T* from = call.input(0).data<T>() + i * m.matrix();
    std::copy(from, from + m.matrix(), a.data());
    routines<T>(library).syevd(job, "U", &n, a.data(), &stride, values, work.data(), &lwork,
                               integers.data(), &liwork, &info, 1, 1);
    if constexpr (vectors) {
      for (std::int64_t c = 0; c < n; ++c) {
        ops::detail::orient(AxisLine<T>{a.data() + c * n, 1, n});
      }
      transpose_into(call.output(1).mutable_data<T>() + i * m.matrix(), a.data(), n, n);
    }
    return info == 0;
  });
}

template <class T>
bool compute(Op op, const Lapack& library, const Call& call) noexcept {
  switch (op) {
    case Op::cholesky:
      return cholesky<T>(library, call);
    case Op::lu:
      return lu<T>(library, call);
    case Op::triangular_solve:
      return triangular_solve<T>(library, call);
    case Op::qr:
      return qr<T>(library, call);
    case Op::svd:
      return svd<T, true>(library, call);
    case Op::svdvals:
      return svd<T, false>(library, call);
    case Op::eigh:
      return eigh<T, true>(library, call);
    case Op::eigvalsh:
      return eigh<T, false>(library, call);
    default:
      return false;
  }
}

/// Whether LAPACK can count the rows, the columns, and the elements of its work arrays.
bool countable(const Call& call) noexcept {
  constexpr std::int64_t most = 1 << 14;
  bool small = true;
  for (std::size_t i = 0; i < call.input_count(); ++i) {
    const MatrixStack m = matrix_stack(call.input(i).shape());
    small = small && m.rows <= most && m.columns <= most;
  }
  return small;
}

template <Op op, class T>
void kernel(const Call& call) noexcept {
  const Lapack* library = countable(call) ? lapack() : nullptr;
  if (library != nullptr) {
    const OneBlasThread one(*library);
    if (compute<T>(op, *library, call)) {
      return;
    }
  }
  ops::reference_kernel(op, dtype_of<T>)(call);
}

template <class T>
ops::Kernel kernel_of(Op op) noexcept {
  switch (op) {
    case Op::cholesky:
      return &kernel<Op::cholesky, T>;
    case Op::lu:
      return &kernel<Op::lu, T>;
    case Op::triangular_solve:
      return &kernel<Op::triangular_solve, T>;
    case Op::qr:
      return &kernel<Op::qr, T>;
    case Op::svd:
      return &kernel<Op::svd, T>;
    case Op::svdvals:
      return &kernel<Op::svdvals, T>;
    case Op::eigh:
      return &kernel<Op::eigh, T>;
    case Op::eigvalsh:
      return &kernel<Op::eigvalsh, T>;
    default:
      return nullptr;
  }
}

}  // namespace

ops::Kernel lapack_kernel(ops::Op op, DType dtype) noexcept {
  if (dtype == DType::f32) {
    return kernel_of<float>(op);
  }
  return dtype == DType::f64 ? kernel_of<double>(op) : nullptr;
}

}  // namespace ddx::backend::cpu
