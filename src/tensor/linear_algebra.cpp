#include "ddx/tensor/detail/linear_algebra.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/linear_algebra.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/operations.h"

#include "tensor/detail/dispatch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace ddx::detail {
namespace {

using ops::matrix_stack;
using ops::MatrixStack;
using ops::Op;

/// Calls body with the elements of a floating array.
template <class Body>
auto with_elements(const Array& x, Body body) {
  return x.dtype() == DType::f32 ? body(static_cast<const float*>(x.data()))
                                 : body(static_cast<const double*>(x.data()));
}

/// Throws:  UsageError that names the first matrix for which `place_of(elements)` gives a place.
template <class PlaceOf>
void expect_none(const ops::Site& site, const Array& x, PlaceOf place_of, const char* what) {
  const MatrixStack m = matrix_stack(x.shape());
  for (std::int64_t i = 0; i < m.stack; ++i) {
    const std::int64_t place = with_elements(
        x, [&](const auto* elements) { return place_of(elements + i * m.matrix(), m); });
    if (place >= 0) {
      site.fail("matrix" + ops::place_in_stack(x.shape(), i) + " " + what + " " +
                std::to_string(place) + "; shape " + to_string(x.shape()));
    }
  }
}

/// The first place on the diagonal with a zero, or -1.
constexpr auto zero_pivot = [](const auto* matrix, const MatrixStack& m) {
  for (std::int64_t i = 0; i < m.rows; ++i) {
    if (matrix[i * (m.columns + 1)] == 0) {
      return i;
    }
  }
  return std::int64_t{-1};
};

void expect_finite(const ops::Site& site, const Array& x) {
  expect_none(
      site, x,
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
void expect_memory(const ops::Site& site, const Array& result) {
  const bool failed = result.shape().count() > 0 && with_elements(result, [](const auto* elements) {
                        return std::isnan(elements[0]);
                      });
  if (failed) {
    throw EnvironmentError(site.operation, "no memory to work in");
  }
}

/// The results of one operation on one operand.
template <std::size_t n>
std::array<Array, n> factors_of(Op op, const Array& x, std::array<Array, n> results) {
  std::array<ops::View, n> outputs = [&]<std::size_t... i>(std::index_sequence<i...>) {
    return std::array<ops::View, n>{
        ops::View(results[i].fresh_data(), results[i].shape(), results[i].dtype())...};
  }(std::make_index_sequence<n>());
  const std::array input{x.view()};
  const ops::NoAttributes attributes;
  run(op, x.dtype(), x.device(), input, outputs, &attributes);
  return results;
}

Array like(const Array& x, const Shape& shape) {
  return {shape, x.dtype(), x.device()};
}

/// (x + x^T) / 2.
Array symmetric_part(const ops::Site& site, const Array& x) {
  (void)checked_square(site, x.shape());
  const Indices order = exchanged_last_axes(site.operation, x.shape(), site.where);
  const Array half = binary_right(Op::mul, x, literal(0.5));
  return binary(Op::add, transpose(half, order, site.where), half, site.where);
}

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
  // Of the leading axes alone: two axes that broadcast with anything stand for the last ones.
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
                  Device device) {
  return compute(Op::triangular_solve, rhs.dtype(), device, rhs.shape(), rhs.dtype(),
                 std::array{matrix.view(), rhs.view()}, attributes);
}

/// The rows of each matrix in the order that is given for it.
Array reordered_rows(const Array& x, const Array& order) {
  const Array column =
      reshape(order, ops::with_matrices(x.shape(), x.shape()[x.shape().rank() - 2], 1), {});
  return take_along_axis(x, broadcast_to(column, x.shape(), {}), -2, {});
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
            ": its vectors have no derivative, because " + why + " but for rounding");
}

/// The product of the signs of the pivots and of the permutation, and the pivots one by one.
template <class T, class Visit>
double sign_of_pivots(const T* packed, const std::int32_t* order, std::int64_t n, Visit visit) {
  double sign = 1;
  for (std::int64_t i = 0; i < n; ++i) {
    visit(static_cast<double>(packed[i * (n + 1)]));
    for (std::int64_t j = i + 1; j < n; ++j) {
      sign = order[i] > order[j] ? -sign : sign;
    }
  }
  return sign;
}

}  // namespace

Indices exchanged_last_axes(const char* operation, const Shape& x,
                            const std::source_location& where) {
  (void)ops::checked_matrices({operation, where}, x);
  std::array<std::int64_t, Shape::max_rank> order{};
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    order[axis] = static_cast<std::int64_t>(axis);
  }
  std::swap(order[x.rank() - 1], order[x.rank() - 2]);
  return Indices(std::span<const std::int64_t>(order.data(), x.rank()));
}

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

Shape stretched_matrices(const Shape& x, const Shape& to) {
  const auto own = x.extents().last(2);
  return ops::with_matrices(to, own[0], own[1]);
}

void check_least_squares(const Shape& a, const Shape& b, const std::source_location& where) {
  const ops::Site site{"lstsq", where};
  const auto shapes = [&] { return "; shapes " + to_string(a) + " and " + to_string(b); };
  if (a.rank() < 2 || b.rank() < 2) {
    site.fail("ranks " + std::to_string(a.rank()) + " and " + std::to_string(b.rank()) +
              " are not both at least 2" + shapes());
  }
  const std::int64_t rows = matrix_stack(a).rows;
  const std::int64_t right = matrix_stack(b).rows;
  if (rows != right) {
    site.fail("matrix of " + std::to_string(rows) + " rows with a right-hand side of " +
              std::to_string(right) + shapes());
  }
  if (a.rank() > 2 && b.rank() > 2 &&
      !std::ranges::equal(a.extents().first(a.rank() - 2), b.extents().first(b.rank() - 2))) {
    site.fail("leading axes differ" + shapes());
  }
}

double rank_tolerance(const Shape& x, DType dtype, const RankOptions& options) {
  if (options.tolerance >= 0) {
    return options.tolerance;
  }
  const MatrixStack m = matrix_stack(x);
  const double epsilon = dtype == DType::f32 ? std::numeric_limits<float>::epsilon()
                                             : std::numeric_limits<double>::epsilon();
  return static_cast<double>(std::max(m.rows, m.columns)) * epsilon;
}

SliceOptions upper_right(const Shape& x, std::int64_t n) {
  SliceOptions box = column_range(x, n, x[x.rank() - 1]);
  std::array<std::int64_t, Shape::max_rank> stop{};
  std::ranges::copy(box.stop.values(), stop.begin());
  stop[x.rank() - 2] = n;
  box.stop = Indices(std::span<const std::int64_t>(stop.data(), x.rank()));
  return box;
}

SliceOptions column_range(const Shape& x, std::int64_t first, std::int64_t past) {
  std::array<std::int64_t, Shape::max_rank> start{};
  std::array<std::int64_t, Shape::max_rank> stop{};
  std::ranges::copy(x.extents(), stop.begin());
  start[x.rank() - 1] = first;
  stop[x.rank() - 1] = past;
  return {.start = Indices(std::span<const std::int64_t>(start.data(), x.rank())),
          .stop = Indices(std::span<const std::int64_t>(stop.data(), x.rank()))};
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

LuFactors lu(const char* operation, const Array& a, const std::source_location& where) {
  const MatrixStack m = ops::checked_square({operation, where}, a.shape());
  auto [packed, order] = factors_of<2>(
      Op::lu, a,
      {like(a, a.shape()), Array(ops::with_vectors(a.shape(), m.rows), DType::i32, a.device())});
  return {std::move(packed), std::move(order)};
}

LuFactors regular_lu(const char* operation, const Array& a, const std::source_location& where) {
  LuFactors factors = lu(operation, a, where);
  expect_none({operation, where}, factors.packed, zero_pivot, "is singular: zero pivot");
  return factors;
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
               const std::source_location& where) {
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
}

Array inverse(const Array& a, const std::source_location& where) {
  const LuFactors factors = regular_lu("inverse", a, where);
  const std::int64_t n = a.shape()[a.shape().rank() - 1];
  return solve_by(factors, one_hot(iota(n, DType::i32, a.device(), where), n, a.dtype(), where),
                  false, where);
}

Array determinant(const Array& a, const std::source_location& where) {
  const LuFactors factors = lu("det", a, where);
  const MatrixStack m = matrix_stack(a.shape());
  Array result = like(a, Shape(a.shape().extents().first(a.shape().rank() - 2)));
  const auto* order = static_cast<const std::int32_t*>(factors.order.data());
  with_elements(factors.packed, [&](const auto* packed) {
    using T = std::remove_cvref_t<decltype(*packed)>;
    for (std::int64_t i = 0; i < m.stack; ++i) {
      double product = 1;
      const double sign = sign_of_pivots(packed + i * m.matrix(), order + i * m.rows, m.rows,
                                         [&](double pivot) { product *= pivot; });
      static_cast<T*>(result.fresh_data())[i] = static_cast<T>(sign * product);
    }
  });
  return result;
}

std::array<Array, 2> sign_and_log(const Array& a, const std::source_location& where) {
  const LuFactors factors = lu("slogdet", a, where);
  const MatrixStack m = matrix_stack(a.shape());
  const Shape shape(a.shape().extents().first(a.shape().rank() - 2));
  std::array<Array, 2> results{like(a, shape), like(a, shape)};
  const auto* order = static_cast<const std::int32_t*>(factors.order.data());
  with_elements(factors.packed, [&](const auto* packed) {
    using T = std::remove_cvref_t<decltype(*packed)>;
    for (std::int64_t i = 0; i < m.stack; ++i) {
      double logarithm = 0;
      double signs = 1;
      const double sign =
          sign_of_pivots(packed + i * m.matrix(), order + i * m.rows, m.rows, [&](double pivot) {
            logarithm += std::log(std::abs(pivot));
            signs *= pivot == 0 ? 0 : std::copysign(1, pivot);
          });
      static_cast<T*>(results[0].fresh_data())[i] = static_cast<T>(sign * signs);
      static_cast<T*>(results[1].fresh_data())[i] = static_cast<T>(logarithm);
    }
  });
  return results;
}

Array triangular_solve(const Array& matrix, const Array& rhs, const TriangularOptions& options,
                       const std::source_location& where) {
  const ops::Site site = site_of(Op::triangular_solve, where);
  const Device device = common_device(site, {&matrix, &rhs});
  const auto [stacked, b] = system_of(site, matrix, rhs);
  if (!options.unit_diagonal) {
    expect_none(site, matrix, zero_pivot, "is singular: zero on its diagonal at");
  }
  return substituted(stacked, b, {options.lower, options.adjoint, options.unit_diagonal}, device);
}

Array cholesky(const Array& x, const std::source_location& where) {
  const ops::Site site = site_of(Op::cholesky, where);
  auto [factor] = factors_of<1>(Op::cholesky, symmetric_part(site, x), {like(x, x.shape())});
  expect_none(
      site, factor,
      [](const auto* matrix, const MatrixStack& m) {
        for (std::int64_t i = 0; i < m.rows; ++i) {
          if (!(matrix[i * (m.columns + 1)] > 0)) {
            return i;
          }
        }
        return std::int64_t{-1};
      },
      "is not positive definite: no positive pivot");
  return factor;
}

std::array<Array, 2> qr(const Array& x, bool full, const std::source_location& where) {
  const MatrixStack m = ops::checked_matrices(site_of(Op::qr, where), x.shape());
  const std::int64_t kept = full ? m.rows : m.smaller();
  return factors_of<2>(Op::qr, x,
                       {like(x, ops::with_matrices(x.shape(), m.rows, kept)),
                        like(x, ops::with_matrices(x.shape(), kept, m.columns))});
}

std::array<Array, 3> svd(const Array& x, bool full, const std::source_location& where) {
  const ops::Site site = site_of(Op::svd, where);
  const MatrixStack m = ops::checked_matrices(site, x.shape());
  expect_finite(site, x);
  auto results = factors_of<3>(
      Op::svd, x,
      {like(x, ops::with_matrices(x.shape(), m.rows, full ? m.rows : m.smaller())),
       like(x, ops::with_vectors(x.shape(), m.smaller())),
       like(x, ops::with_matrices(x.shape(), m.columns, full ? m.columns : m.smaller()))});
  expect_memory(site, results[1]);
  return results;
}

Array svdvals(const Array& x, const std::source_location& where) {
  const ops::Site site = site_of(Op::svdvals, where);
  const MatrixStack m = ops::checked_matrices(site, x.shape());
  expect_finite(site, x);
  auto [values] =
      factors_of<1>(Op::svdvals, x, {like(x, ops::with_vectors(x.shape(), m.smaller()))});
  expect_memory(site, values);
  return values;
}

std::array<Array, 2> eigh(const Array& x, const std::source_location& where) {
  const ops::Site site = site_of(Op::eigh, where);
  const MatrixStack m = ops::checked_square(site, x.shape());
  expect_finite(site, x);
  auto results = factors_of<2>(Op::eigh, symmetric_part(site, x),
                               {like(x, ops::with_vectors(x.shape(), m.rows)), like(x, x.shape())});
  expect_memory(site, results[0]);
  return results;
}

Array eigvalsh(const Array& x, const std::source_location& where) {
  const ops::Site site = site_of(Op::eigvalsh, where);
  const MatrixStack m = ops::checked_square(site, x.shape());
  expect_finite(site, x);
  auto [values] = factors_of<1>(Op::eigvalsh, symmetric_part(site, x),
                                {like(x, ops::with_vectors(x.shape(), m.rows))});
  expect_memory(site, values);
  return values;
}

}  // namespace ddx::detail
