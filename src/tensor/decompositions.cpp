#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/indices.h"
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
#include <span>
#include <string>

namespace ddx::detail {
namespace {

using ops::matrix_stack;
using ops::MatrixStack;
using ops::Op;

std::optional<std::string> matrix_not_finite(const ops::Call& call) {
  return first_matrix(
      call.input(0),
      [](const auto* matrix, const MatrixStack& m) {
        for (std::int64_t i = 0; i < m.matrix(); ++i) {
          if (!std::isfinite(matrix[i])) {
            return i / m.columns;
          }
        }
        return std::int64_t{-1};
      },
      "has an element that is not finite, in row");
}

/// Throws:  EnvironmentError where a kernel that was given finite elements gave NaN.
void expect_memory(const ops::Site& site, const ops::View& result) {
  const bool failed = result.shape().count() > 0 && with_elements(result, [](const auto* elements) {
                        return std::isnan(elements[0]);
                      });
  if (failed) {
    throw EnvironmentError(site.operation, "no memory to work in");
  }
}

void expect_first_result(const ops::Call& call, const ops::Site& site) {
  expect_memory(site, call.output(0));
}

/// Of svd: its second result are numbers that exist for matrices without rows too.
void expect_second_result(const ops::Call& call, const ops::Site& site) {
  expect_memory(site, call.output(1));
}

void expect_pivots(const ops::Call& call, const ops::Site& site) {
  expect_none(
      site, call.output(),
      [](const auto* matrix, const MatrixStack& m) {
        for (std::int64_t i = 0; i < m.rows; ++i) {
          if (!(matrix[i * (m.columns + 1)] > 0)) {
            return i;
          }
        }
        return std::int64_t{-1};
      },
      "is not positive definite: no positive pivot");
}

/// (x + x^T) / 2. The check is asked of x itself.
Array symmetric_part(const ops::Site& site, const Array& x, const ops::Check& check) {
  (void)checked_square(site, x.shape());
  const Indices order = exchanged_last_axes(site.operation, x.shape(), site.where);
  const Array half = binary_right(Op::mul, x, literal(0.5), check);
  return binary(Op::add, transpose(half, order, site.where), half, site.where);
}

/// The values of a stack of matrices, and how large a difference of two may be by rounding alone.
template <class T>
class RoundedValues {
 public:
  RoundedValues(const Shape& shape, const T* elements)
      : elements_(elements),
        count_(shape[shape.rank() - 1]),
        stack_(count_ == 0 ? 0 : shape.count() / count_) {}

  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  [[nodiscard]] std::int64_t stack() const noexcept { return stack_; }
  [[nodiscard]] double operator()(std::int64_t i, std::int64_t k) const noexcept {
    return static_cast<double>(elements_[i * count_ + k]);
  }
  /// The number of values times the machine epsilon times the largest, which stands at an end.
  [[nodiscard]] double noise(std::int64_t i) const noexcept {
    return static_cast<double>(count_) * static_cast<double>(std::numeric_limits<T>::epsilon()) *
           std::max(std::abs((*this)(i, 0)), std::abs((*this)(i, count_ - 1)));
  }

 private:
  const T* elements_;
  std::int64_t count_;
  std::int64_t stack_;
};

[[noreturn]] void fail_of_vectors(const ops::Site& site, const Shape& values, std::int64_t matrix,
                                  const std::string& why) {
  // What lies before the last two axes of a matrix lies before the last one of its values.
  std::array<std::int64_t, Shape::max_rank> extents{};
  std::ranges::copy(values.extents(), extents.begin());
  const Shape matrices(std::span<const std::int64_t>(extents.data(), values.rank() + 1));
  site.fail("matrix" + ops::place_in_stack(matrices, matrix) +
            ": its vectors have no derivative, because " + why + " except for rounding");
}

}  // namespace

void check_distinct(const char* operation, const Array& values, const std::source_location& where) {
  with_elements(values, [&](const auto* elements) {
    const RoundedValues rounded(values.shape(), elements);
    for (std::int64_t i = 0; i < rounded.stack(); ++i) {
      for (std::int64_t k = 0; k + 1 < rounded.count(); ++k) {
        if (std::abs(rounded(i, k + 1) - rounded(i, k)) <= rounded.noise(i)) {
          fail_of_vectors(
              {operation, where}, values.shape(), i,
              "values " + std::to_string(k) + " and " + std::to_string(k + 1) + " are equal");
        }
      }
    }
  });
}

void check_positive(const char* operation, const Array& values, const std::source_location& where) {
  with_elements(values, [&](const auto* elements) {
    const RoundedValues rounded(values.shape(), elements);
    for (std::int64_t i = 0; i < rounded.stack() && rounded.count() > 0; ++i) {
      if (rounded(i, rounded.count() - 1) <= rounded.noise(i)) {
        fail_of_vectors({operation, where}, values.shape(), i,
                        "value " + std::to_string(rounded.count() - 1) + " is zero");
      }
    }
  });
}

void check_unique(const char* operation, const Shape& x, bool full,
                  const std::source_location& where) {
  const ops::Site site{operation, where};
  const MatrixStack m = ops::checked_matrices(site, x);
  const bool free_columns =
      m.rows > m.columns || (m.rows < m.columns && std::string(operation) == "svd");
  if (full && free_columns) {
    site.fail(
        "complete factors of matrices that are not square have no derivative: their last "
        "columns may be any basis; shape " +
        to_string(x));
  }
}

Array cholesky(const Array& x, const std::source_location& where) try {
  const ops::Site site = site_of(Op::cholesky, where);
  auto [factor] = factors_of<1>(Op::cholesky, symmetric_part(site, x, {}), {like(x, x.shape())},
                                {.after = expect_pivots, .site = site});
  return factor;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("cholesky");
}

std::array<Array, 2> qr(const Array& x, bool full, const std::source_location& where) try {
  const MatrixStack m = ops::checked_matrices(site_of(Op::qr, where), x.shape());
  const std::int64_t kept = full ? m.rows : m.smaller();
  return factors_of<2>(Op::qr, x,
                       {like(x, ops::with_matrices(x.shape(), m.rows, kept)),
                        like(x, ops::with_matrices(x.shape(), kept, m.columns))});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("qr");
}

std::array<Array, 3> svd(const Array& x, bool full, const std::source_location& where) try {
  const ops::Site site = site_of(Op::svd, where);
  const MatrixStack m = ops::checked_matrices(site, x.shape());
  return factors_of<3>(
      Op::svd, x,
      {like(x, ops::with_matrices(x.shape(), m.rows, full ? m.rows : m.smaller())),
       like(x, ops::with_vectors(x.shape(), m.smaller())),
       like(x, ops::with_matrices(x.shape(), m.columns, full ? m.columns : m.smaller()))},
      {.before = matrix_not_finite, .after = expect_second_result, .site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("svd");
}

Array svdvals(const Array& x, const std::source_location& where) try {
  const ops::Site site = site_of(Op::svdvals, where);
  const MatrixStack m = ops::checked_matrices(site, x.shape());
  auto [values] =
      factors_of<1>(Op::svdvals, x, {like(x, ops::with_vectors(x.shape(), m.smaller()))},
                    {.before = matrix_not_finite, .after = expect_first_result, .site = site});
  return values;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("svdvals");
}

std::array<Array, 2> eigh(const Array& x, const std::source_location& where) try {
  const ops::Site site = site_of(Op::eigh, where);
  const MatrixStack m = ops::checked_square(site, x.shape());
  return factors_of<2>(Op::eigh,
                       symmetric_part(site, x, {.before = matrix_not_finite, .site = site}),
                       {like(x, ops::with_vectors(x.shape(), m.rows)), like(x, x.shape())},
                       {.after = expect_first_result, .site = site});
} catch (const std::bad_alloc&) {
  throw_out_of_memory("eigh");
}

Array eigvalsh(const Array& x, const std::source_location& where) try {
  const ops::Site site = site_of(Op::eigvalsh, where);
  const MatrixStack m = ops::checked_square(site, x.shape());
  auto [values] = factors_of<1>(
      Op::eigvalsh, symmetric_part(site, x, {.before = matrix_not_finite, .site = site}),
      {like(x, ops::with_vectors(x.shape(), m.rows))},
      {.after = expect_first_result, .site = site});
  return values;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("eigvalsh");
}

}  // namespace ddx::detail
