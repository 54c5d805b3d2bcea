/// \file
/// Results of all beginnings along an axis: running sums, products, maxima.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/exponential.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <limits>
#include <source_location>
#include <tuple>

namespace ddx {

namespace detail {

/// What a shift puts before the first element: the neutral element of an operation.
enum class Neutral : std::uint8_t { Zero, One, Lowest };

/// The neutral element as an attribute.
template <TensorScalar Scalar>
ops::Literal neutral_literal(Neutral neutral) {
  using Limits = std::numeric_limits<Scalar>;
  switch (neutral) {
    case Neutral::Zero:
      return literal(Scalar{0});
    case Neutral::One:
      return literal(Scalar{1});
    case Neutral::Lowest:
      return literal(Limits::has_infinity ? -Limits::infinity() : Limits::lowest());
  }
  __builtin_unreachable();
}

/// y_i = x_(i-1) along an axis, or x_(i+1) where `backwards`; the neutral element where there is
/// none.
template <TensorScalar Scalar>
Tensor<Scalar> shifted(const Tensor<Scalar>& x, std::int64_t axis, bool backwards,
                       Neutral neutral) {
  return Tensor<Scalar>(shifted(x.array(), axis, backwards, neutral_literal<Scalar>(neutral)));
}

// Primal:  y_i = x_(i-1)
// Adjoint: adj[x_i] += adj[y_(i+1)]
// Saves:   nothing
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(shifted)
auto shifted_vjp(const Tensor<Scalar>& x, std::int64_t axis, bool backwards, Neutral neutral) {
  return tensor_vjp(shifted(x, axis, backwards, neutral),
                    [axis, backwards](const Tensor<Scalar>& dy) {
                      return shifted(dy, axis, !backwards, Neutral::Zero);
                    });
}

/// The cotangent of the inclusive results, from that of the results.
template <FloatingScalar Scalar>
Tensor<Scalar> inclusive_cotangent(const Tensor<Scalar>& dy, const CumulativeOptions& options) {
  if (options.exclusive) {
    return shifted(dy, options.axis, !options.reverse, Neutral::Zero);
  }
  return dy;
}

/// The options of the opposite direction, inclusive.
inline CumulativeOptions backwards(const CumulativeOptions& options) {
  return {.axis = options.axis, .exclusive = false, .reverse = !options.reverse};
}

/// A cumulative operation, exclusive where the options say so.
template <TensorScalar Scalar>
Tensor<Scalar> cumulative(ops::Op op, const Tensor<Scalar>& x, const CumulativeOptions& options,
                          Neutral neutral, std::source_location where) {
  const Tensor<Scalar> inclusive(cumulative(op, x.array(), options, where));
  return options.exclusive ? shifted(inclusive, options.axis, options.reverse, neutral) : inclusive;
}

}  // namespace detail

/// The sums of all beginnings along an axis: y_i = x_0 + ... + x_i. Exclusive: without x_i, so that
/// the first is 0. In reverse: of all endings.
///
/// DTypes:   sums of integers have 64 bits, as those of ddx::sum.
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the axis does not exist.
/// Gradient: the cumulative sum of the cotangent in the other direction.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<SumScalar<Scalar>> cumulative_sum(
    const Tensor<Scalar>& x, const CumulativeOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::cumulative(ops::Op::cumulative_sum, cast<SumScalar<Scalar>>(x), options,
                            detail::Neutral::Zero, where);
}

// Primal:  y_i = sum_(j<=i) x_j
// Adjoint: adj[x_j] += sum_(i>=j) adj[y_i]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(cumulative_sum)
auto cumulative_sum_vjp(const Tensor<Scalar>& x, const CumulativeOptions& options,
                        std::source_location where) {
  const CumulativeOptions back{options.axis, options.exclusive, !options.reverse};
  return detail::tensor_vjp(cumulative_sum(x, options, where),
                            [back](const Tensor<Scalar>& dy) { return cumulative_sum(dy, back); });
}

/// y_i = a_i y_(i-1) + b_i along an axis, beginning with y_0 = b_0: a_0 is not read. In reverse:
/// from the end.
///
/// Shapes:   a [...], b [...], equal -> [...]
/// Throws:   UsageError where the shapes or the devices differ, the axis does not exist, or it is
///           asked for exclusive.
/// Gradient: with s the recurrence of the cotangent in the other direction, s to b and s_i y_(i-1)
///           to a.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> linear_recurrence(
    const Tensor<Scalar>& a, const Tensor<Scalar>& b, const CumulativeOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::linear_recurrence(a.array(), b.array(), options, where));
}

// Primal:  y_i = a_i y_(i-1) + b_i
// Adjoint: s_i = adj[y_i] + a_(i+1) s_(i+1), adj[a_i] += y_(i-1) s_i, adj[b_i] += s_i
// Saves:   a, y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(linear_recurrence)
auto linear_recurrence_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                           const CumulativeOptions& options, std::source_location where) {
  using detail::Neutral;
  auto y = linear_recurrence(a, b, options, where);
  return detail::tensor_vjp(y, [a, y, options](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    const auto next = detail::shifted(a, options.axis, !options.reverse, Neutral::Zero);
    const auto sums = linear_recurrence(next, dy, detail::backwards(options));
    Tensor<Scalar> to_a;
    if (wanted[0]) {
      to_a = sums * detail::shifted(y, options.axis, options.reverse, Neutral::Zero);
    }
    return std::tuple(to_a, sums);
  });
}

/// The products of all beginnings along an axis: y_i = x_0 ... x_i. Exclusive: without x_i, so that
/// the first is 1. In reverse: of all endings.
///
/// DTypes:   products of integers have 64 bits, as those of ddx::product.
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the axis does not exist.
/// Gradient: dy_i times the product of the other factors, summed; right where factors are 0.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<SumScalar<Scalar>> cumulative_product(
    const Tensor<Scalar>& x, const CumulativeOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::cumulative(ops::Op::cumulative_product, cast<SumScalar<Scalar>>(x), options,
                            detail::Neutral::One, where);
}

// Primal:  y_i = prod_(k<=i) x_k
// Adjoint: s_j = adj[y_j] + x_(j+1) s_(j+1), adj[x_j] += s_j prod_(k<j) x_k: no division, so that
//          factors may be 0
// Saves:   x
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(cumulative_product)
auto cumulative_product_vjp(const Tensor<Scalar>& x, const CumulativeOptions& options,
                            std::source_location where) {
  return detail::tensor_vjp(
      cumulative_product(x, options, where), [x, options](const Tensor<Scalar>& dy) {
        using Wide = WideScalar<Scalar>;
        const auto factors = cast<Wide>(x);
        const auto next =
            detail::shifted(factors, options.axis, !options.reverse, detail::Neutral::Zero);
        const auto sums = linear_recurrence(
            next, detail::inclusive_cotangent(cast<Wide>(dy), options), detail::backwards(options));
        return cast<Scalar>(sums * cumulative_product(factors, {.axis = options.axis,
                                                                .exclusive = true,
                                                                .reverse = options.reverse}));
      });
}

/// The largest elements of all beginnings along an axis; a NaN wins and stays. Exclusive: without
/// x_i, so that the first is minus infinity, or the lowest integer. In reverse: of all endings.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the axis does not exist.
/// Gradient: dy to the largest element, the first of equal ones; nothing to minus infinity.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> cumulative_max(
    const Tensor<Scalar>& x, const CumulativeOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::cumulative(ops::Op::cumulative_max, x, options, detail::Neutral::Lowest, where);
}

// Primal:  y_i = max_(k<=i) x_k; that is y_i = (1 - r_i) y_(i-1) + r_i x_i, where r_i is 1 for a
//          new maximum and else 0
// Adjoint: s_j = adj[y_j] + (1 - r_(j+1)) s_(j+1), adj[x_j] += r_j s_j
// Saves:   x
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(cumulative_max)
auto cumulative_max_vjp(const Tensor<Scalar>& x, const CumulativeOptions& options,
                        std::source_location where) {
  return detail::tensor_vjp(cumulative_max(x, options, where), [x,
                                                                options](const Tensor<Scalar>& dy) {
    const auto before =
        cumulative_max(x, {.axis = options.axis, .exclusive = true, .reverse = options.reverse});
    const auto kept = cast<Scalar>(less_equal(x, before));
    const auto next = detail::shifted(kept, options.axis, !options.reverse, detail::Neutral::Zero);
    return (Scalar{1} - kept) * linear_recurrence(next, detail::inclusive_cotangent(dy, options),
                                                  detail::backwards(options));
  });
}

/// The logarithms of the sums of e^x of all beginnings along an axis, without overflow. Exclusive:
/// without x_i, so that the first is minus infinity. In reverse: of all endings.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the axis does not exist.
/// Gradient: dy_i e^(x_j - y_i), summed over the sums that x_j is part of.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> cumulative_log_sum_exp(
    const Tensor<Scalar>& x, const CumulativeOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return detail::cumulative(ops::Op::cumulative_log_sum_exp, x, options, detail::Neutral::Lowest,
                            where);
}

// Primal:  y_i = log sum_(k<=i) e^x_k
// Adjoint: s_j = adj[y_j] + e^(y_j - y_(j+1)) s_(j+1), adj[x_j] += e^(x_j - y_j) s_j: no exponent
//          is positive
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(cumulative_log_sum_exp)
auto cumulative_log_sum_exp_vjp(const Tensor<Scalar>& x, const CumulativeOptions& options,
                                std::source_location where) {
  using detail::Neutral;
  return detail::tensor_vjp(
      cumulative_log_sum_exp(x, options, where), [x, options](const Tensor<Scalar>& dy) {
        using Wide = WideScalar<Scalar>;
        const auto terms = cast<Wide>(x);
        const auto y = cumulative_log_sum_exp(
            terms, {.axis = options.axis, .exclusive = false, .reverse = options.reverse});
        const auto before = detail::shifted(y, options.axis, options.reverse, Neutral::Lowest);
        const auto next = detail::shifted(detail::exp_of_difference(before, y), options.axis,
                                          !options.reverse, Neutral::Zero);
        return cast<Scalar>(detail::exp_of_difference(terms, y) *
                            linear_recurrence(next,
                                              detail::inclusive_cotangent(cast<Wide>(dy), options),
                                              detail::backwards(options)));
      });
}

}  // namespace ddx
