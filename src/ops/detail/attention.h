/// \file
/// What the reference kernels of the family Attention share.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/attention.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ddx::ops::detail {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
double dot(const T* a, const T* b, std::int64_t count) noexcept {
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

/// One element of the batch. Kernels have no memory of their own, so scores are computed again
/// wherever they are needed.
template <class T>
struct Scores {
  Scores(const Call& call, const AttentionExtents& extents, std::int64_t element) noexcept
      : e(extents),
        q(call.input(0).data<T>() + element * e.queries * e.depth),
        k(call.input(1).data<T>() + element * e.keys * e.depth),
        v(call.input(2).data<T>() + element * e.keys * e.out) {}
  /// The same arrays with other extents, which are borrowed.
  Scores(const AttentionExtents& extents, const Scores& others) noexcept
      : e(extents), q(others.q), k(others.k), v(others.v) {}

  [[nodiscard]] double score(std::int64_t query, std::int64_t key) const noexcept {
    return e.scale * dot(q + query * e.depth, k + key * e.depth, e.depth);
  }

  /// p_ij = e^(s_ij - l_i), which rounding must not carry above 1.
  [[nodiscard]] double probability(std::int64_t query, std::int64_t key,
                                   double log_sum_exp) const noexcept {
    const double logarithm =
        score(query, key) - (log_sum_exp == -infinity ? infinity : log_sum_exp);
    return std::exp(logarithm > 0 ? 0 : logarithm);
  }

  const AttentionExtents& e;
  const T* q;
  const T* k;
  const T* v;
};

/// What the weights of one query are made of: e^(score - shift) inverse.
struct SoftmaxRow {
  double shift = 0;    ///< The largest score; 0 where it sees no key.
  double inverse = 0;  ///< Of the sum of e^(score - shift); 0 where it sees no key.
  double log_sum_exp = -infinity;

  [[nodiscard]] double weight(double score) const noexcept {
    return std::exp(score - shift) * inverse;
  }
};

template <class T>
SoftmaxRow softmax_row(const Scores<T>& scores, std::int64_t query) noexcept {
  const std::int64_t seen = scores.e.seen_by(query);
  double largest = -infinity;
  for (std::int64_t key = 0; key < seen; ++key) {
    largest = std::max(largest, scores.score(query, key));
  }
  SoftmaxRow row{.shift = largest == -infinity ? 0 : largest};
  double total = 0;
  for (std::int64_t key = 0; key < seen; ++key) {
    total += std::exp(scores.score(query, key) - row.shift);
  }
  if (total != 0) {
    row.inverse = 1 / total;
    row.log_sum_exp = row.shift + std::log(total);
  }
  return row;
}

/// The reference kernels of attention with its tangent, or null.
[[nodiscard]] Kernel attention_tangent_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops::detail
