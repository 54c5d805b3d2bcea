#include "ddx/tensor/determinant.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/shape.h"
#include "ddx/ops/linear_algebra.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/linear_algebra.h"

#include "tensor/detail/matrices.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <new>
#include <source_location>
#include <type_traits>

namespace ddx::detail {
namespace {

using ops::matrix_stack;
using ops::MatrixStack;

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

Array determinant(const Array& a, const std::source_location& where) try {
  const LuFactors factors = lu("det", a, where);
  const MatrixStack m = matrix_stack(a.shape());
  const Shape shape(a.shape().extents().first(a.shape().rank() - 2));
  Array result(shape, a.dtype(), a.device());
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
} catch (const std::bad_alloc&) {
  throw_out_of_memory("determinant");
}

std::array<Array, 2> sign_and_log(const Array& a, const std::source_location& where) try {
  const LuFactors factors = lu("slogdet", a, where);
  const MatrixStack m = matrix_stack(a.shape());
  const Shape shape(a.shape().extents().first(a.shape().rank() - 2));
  std::array<Array, 2> results{Array(shape, a.dtype(), a.device()),
                               Array(shape, a.dtype(), a.device())};
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
} catch (const std::bad_alloc&) {
  throw_out_of_memory("sign_and_log");
}

}  // namespace ddx::detail
