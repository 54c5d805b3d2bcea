// Attention with its tangent, and what cotangents of both give back.

#include "ddx/core/dtype.h"
#include "ddx/ops/attention.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "ops/detail/attention.h"
#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/tile.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ddx::ops::detail {
namespace {

/// The scores of one element of the batch with their tangents.
template <class T>
struct Directed {
  Directed(const Call& call, const AttentionExtents& extents, std::int64_t element) noexcept
      : scores(call, extents, element),
        dq(call.input(3).data<T>() + element * extents.queries * extents.depth),
        dk(call.input(4).data<T>() + element * extents.keys * extents.depth),
        dv(call.input(5).data<T>() + element * extents.keys * extents.out) {}

  /// t_ij = a (dq_i k_j + q_i dk_j)
  [[nodiscard]] double tangent(std::int64_t query, std::int64_t key) const noexcept {
    const AttentionExtents& e = scores.e;
    return e.scale * (dot(dq + query * e.depth, scores.k + key * e.depth, e.depth) +
                      dot(scores.q + query * e.depth, dk + key * e.depth, e.depth));
  }

  Scores<T> scores;
  const T* dq;
  const T* dk;
  const T* dv;
};

/// What is known of one query.
struct Row {
  double shift = 0;    ///< The largest score.
  double inverse = 0;  ///< Of the sum of e^(score - shift); 0 where it sees no key.
  double mean = 0;     ///< Of the tangents of its scores, by weights.
};

template <class T>
Row row_of(const Directed<T>& at, std::int64_t query, WideScalar<T>& log_sum_exp) noexcept {
  const std::int64_t seen = at.scores.e.seen_by(query);
  double largest = -infinity;
  for (std::int64_t key = 0; key < seen; ++key) {
    largest = std::max(largest, at.scores.score(query, key));
  }
  Row row{.shift = largest == -infinity ? 0 : largest};
  double total = 0;
  for (std::int64_t key = 0; key < seen; ++key) {
    const double weight = std::exp(at.scores.score(query, key) - row.shift);
    total += weight;
    row.mean += weight * at.tangent(query, key);
  }
  log_sum_exp = static_cast<WideScalar<T>>(total == 0 ? -infinity : row.shift + std::log(total));
  row.inverse = total == 0 ? 0 : 1 / total;
  row.mean *= row.inverse;
  return row;
}

// Operands q, k, v, dq, dk, dv; results y, log_sum_exp, dy and the means of the tangents of the
// scores by weights. See ddx::attention.
template <class T>
void attention_with_tangent(const Call& call) noexcept {
  const AttentionExtents e(call);
  for (std::int64_t element = 0; element < e.batch; ++element) {
    const Directed<T> at(call, e, element);
    for (std::int64_t query = 0; query < e.queries; ++query) {
      const std::int64_t place = element * e.queries + query;
      const Row row =
          row_of(at, query, call.output(1).template mutable_data<WideScalar<T>>()[place]);
      call.output(3).template mutable_data<WideScalar<T>>()[place] =
          static_cast<WideScalar<T>>(row.mean);
      const auto weight = [&](std::int64_t key) {
        return std::exp(at.scores.score(query, key) - row.shift) * row.inverse;
      };
      const auto sum_over_keys = [&](T* result, auto add) {
        sum_tiles(result + place * e.out, e.out,
                  [&](double* sums, std::int64_t first, std::int64_t width) {
                    for (std::int64_t key = 0; key < e.seen_by(query); ++key) {
                      add(key, sums, key * e.out + first, width);
                    }
                  });
      };
      sum_over_keys(call.output(0).template mutable_data<T>(),
                    [&](std::int64_t key, double* sums, std::int64_t from, std::int64_t width) {
                      add_multiple(sums, width, weight(key), at.scores.v + from);
                    });
      sum_over_keys(call.output(2).template mutable_data<T>(),
                    [&](std::int64_t key, double* sums, std::int64_t from, std::int64_t width) {
                      const double p = weight(key);
                      add_multiple(sums, width, p * (at.tangent(query, key) - row.mean),
                                   at.scores.v + from);
                      add_multiple(sums, width, p, at.dv + from);
                    });
    }
  }
}

/// What the cotangents are made of, for one element of the batch.
template <class T>
struct Cotangents {
  Cotangents(const Call& call, const AttentionExtents& extents, std::int64_t element) noexcept
      : at(call, extents, element) {
    const std::int64_t place = element * extents.queries;
    y = call.input(6).template data<T>() + place * extents.out;
    log_sum_exp = call.input(7).template data<WideScalar<T>>() + place;
    dy = call.input(8).template data<T>() + place * extents.out;
    means = call.input(9).template data<WideScalar<T>>() + place;
    of_y = call.input(10).template data<T>() + place * extents.out;
    of_dy = call.input(11).template data<T>() + place * extents.out;
  }

  [[nodiscard]] double probability(std::int64_t query, std::int64_t key) const noexcept {
    return at.scores.probability(query, key, static_cast<double>(log_sum_exp[query]));
  }
  /// t_ij - m_i
  [[nodiscard]] double centred(std::int64_t query, std::int64_t key) const noexcept {
    return at.tangent(query, key) - static_cast<double>(means[query]);
  }
  /// adj[dy_i] (v_j - y_i)
  [[nodiscard]] double product(std::int64_t query, std::int64_t key) const noexcept {
    const std::int64_t out = at.scores.e.out;
    const T* row = of_dy + query * out;
    return dot(row, at.scores.v + key * out, out) - dot(row, y + query * out, out);
  }
  /// The cotangent of the tangent t_ij of a score.
  [[nodiscard]] double of_tangent(std::int64_t query, std::int64_t key) const noexcept {
    return probability(query, key) * product(query, key);
  }
  /// The cotangent of the score s_ij.
  [[nodiscard]] double of_score(std::int64_t query, std::int64_t key) const noexcept {
    const std::int64_t out = at.scores.e.out;
    const T* a = of_y + query * out;
    const T* b = of_dy + query * out;
    const double direct = dot(a, at.scores.v + key * out, out) + dot(b, at.dv + key * out, out) -
                          dot(a, y + query * out, out) - dot(b, dy + query * out, out);
    return probability(query, key) * (direct + product(query, key) * centred(query, key));
  }

  Directed<T> at;
  const T* y;
  const WideScalar<T>* log_sum_exp;
  const T* dy;
  const WideScalar<T>* means;
  const T* of_y;
  const T* of_dy;
};

/// Sums over the keys that each query sees: terms are added by add(query, key, sums, first, width).
template <class T, class Add>
void sum_for_queries(const AttentionExtents& e, T* result, Add add) noexcept {
  for (std::int64_t query = 0; query < e.queries; ++query) {
    sum_tiles(result + query * e.depth, e.depth,
              [&](double* sums, std::int64_t first, std::int64_t width) {
                for (std::int64_t key = 0; key < e.seen_by(query); ++key) {
                  add(query, key, sums, first, width);
                }
              });
  }
}

/// Sums of `width` numbers over the queries that see each key.
template <class T, class Add>
void sum_for_keys(const AttentionExtents& e, std::int64_t count, T* result, Add add) noexcept {
  for (std::int64_t key = 0; key < e.keys; ++key) {
    sum_tiles(result + key * count, count,
              [&](double* sums, std::int64_t first, std::int64_t width) {
                for (std::int64_t query = 0; query < e.queries; ++query) {
                  if (key < e.seen_by(query)) {
                    add(query, key, sums, first, width);
                  }
                }
              });
  }
}

/// The cotangents of q, k and v.
template <class T>
void write_primal_cotangents(const Call& call, const Cotangents<T>& c,
                             std::int64_t element) noexcept {
  const AttentionExtents& e = c.at.scores.e;
  const std::int64_t d = e.depth;
  sum_for_queries(e, call.output(0).template mutable_data<T>() + element * e.queries * d,
                  [&](std::int64_t query, std::int64_t key, double* sums, std::int64_t first,
                      std::int64_t width) {
                    add_multiple(sums, width, e.scale * c.of_score(query, key),
                                 c.at.scores.k + key * d + first);
                    add_multiple(sums, width, e.scale * c.of_tangent(query, key),
                                 c.at.dk + key * d + first);
                  });
  sum_for_keys(e, d, call.output(1).template mutable_data<T>() + element * e.keys * d,
               [&](std::int64_t query, std::int64_t key, double* sums, std::int64_t first,
                   std::int64_t width) {
                 add_multiple(sums, width, e.scale * c.of_score(query, key),
                              c.at.scores.q + query * d + first);
                 add_multiple(sums, width, e.scale * c.of_tangent(query, key),
                              c.at.dq + query * d + first);
               });
  sum_for_keys(e, e.out, call.output(2).template mutable_data<T>() + element * e.keys * e.out,
               [&](std::int64_t query, std::int64_t key, double* sums, std::int64_t first,
                   std::int64_t width) {
                 const double p = c.probability(query, key);
                 add_multiple(sums, width, p, c.of_y + query * e.out + first);
                 add_multiple(sums, width, p * c.centred(query, key),
                              c.of_dy + query * e.out + first);
               });
}

/// The cotangents of dq, dk and dv.
template <class T>
void write_tangent_cotangents(const Call& call, const Cotangents<T>& c,
                              std::int64_t element) noexcept {
  const AttentionExtents& e = c.at.scores.e;
  const std::int64_t d = e.depth;
  sum_for_queries(e, call.output(3).template mutable_data<T>() + element * e.queries * d,
                  [&](std::int64_t query, std::int64_t key, double* sums, std::int64_t first,
                      std::int64_t width) {
                    add_multiple(sums, width, e.scale * c.of_tangent(query, key),
                                 c.at.scores.k + key * d + first);
                  });
  sum_for_keys(e, d, call.output(4).template mutable_data<T>() + element * e.keys * d,
               [&](std::int64_t query, std::int64_t key, double* sums, std::int64_t first,
                   std::int64_t width) {
                 add_multiple(sums, width, e.scale * c.of_tangent(query, key),
                              c.at.scores.q + query * d + first);
               });
  sum_for_keys(e, e.out, call.output(5).template mutable_data<T>() + element * e.keys * e.out,
               [&](std::int64_t query, std::int64_t key, double* sums, std::int64_t first,
                   std::int64_t width) {
                 add_multiple(sums, width, c.probability(query, key),
                              c.of_dy + query * e.out + first);
               });
}

// Operands q, k, v, dq, dk, dv, y, log_sum_exp, dy, means, and the cotangents of y and dy; results
// the cotangents of the first six. See ddx::attention.
template <class T>
void attention_with_tangent_gradient(const Call& call) noexcept {
  const AttentionExtents e(call);
  for (std::int64_t element = 0; element < e.batch; ++element) {
    const Cotangents<T> cotangents(call, e, element);
    write_primal_cotangents(call, cotangents, element);
    write_tangent_cotangents(call, cotangents, element);
  }
}

}  // namespace

Kernel attention_tangent_reference(Op op, DType dtype) noexcept {
  if (op == Op::attention_with_tangent) {
    return dispatch_floating(
        dtype, [](auto element) { return &attention_with_tangent<decltype(element)>; });
  }
  if (op == Op::attention_with_tangent_gradient) {
    return dispatch_floating(
        dtype, [](auto element) { return &attention_with_tangent_gradient<decltype(element)>; });
  }
  return nullptr;
}

}  // namespace ddx::ops::detail
