// Attention with its tangent, and what cotangents of both give back.

#include "ddx/core/dtype.h"
#include "ddx/ops/attention.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "ops/detail/attention.h"
#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/tile.h"

#include <cstddef>
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

/// Factors for pairs of a query and a key, and the rows that they multiply.
template <class Factor, class T>
struct Term {
  Factor factor;
  const T* rows;
};

/// For each query the sum of all terms over the keys that it sees, in rows of `count` numbers; the
/// rows of a term are those of keys.
template <class T, class... Terms>
void sum_for_queries(const AttentionExtents& e, std::int64_t count, T* result,
                     const Terms&... terms) noexcept {
  for (std::int64_t query = 0; query < e.queries; ++query) {
    sum_tiles(
        result + query * count, count, [&](double* sums, std::int64_t first, std::int64_t width) {
          for (std::int64_t key = 0; key < e.seen_by(query); ++key) {
            (add_multiple(sums, width, terms.factor(query, key), terms.rows + key * count + first),
             ...);
          }
        });
  }
}

/// For each key the sum of all terms over the queries that see it; the rows of a term are those of
/// queries.
template <class T, class... Terms>
void sum_for_keys(const AttentionExtents& e, std::int64_t count, T* result,
                  const Terms&... terms) noexcept {
  for (std::int64_t key = 0; key < e.keys; ++key) {
    sum_tiles(result + key * count, count,
              [&](double* sums, std::int64_t first, std::int64_t width) {
                for (std::int64_t query = 0; query < e.queries; ++query) {
                  if (key < e.seen_by(query)) {
                    (add_multiple(sums, width, terms.factor(query, key),
                                  terms.rows + query * count + first),
                     ...);
                  }
                }
              });
  }
}

/// The mean of the tangents of the scores of a query, by weights.
template <class T>
double mean_tangent(const Directed<T>& at, std::int64_t query, const SoftmaxRow& row) noexcept {
  double mean = 0;
  for (std::int64_t key = 0; key < at.scores.e.seen_by(query); ++key) {
    mean += row.weight(at.scores.score(query, key)) * at.tangent(query, key);
  }
  return mean;
}

// Operands q, k, v, dq, dk, dv; results y, log_sum_exp, dy and the means of the tangents of the
// scores by weights. See ddx::attention.
template <class T>
void attention_with_tangent(const Call& call) noexcept {
  using Wide = WideScalar<T>;
  const AttentionExtents e(call);
  for (std::int64_t element = 0; element < e.batch; ++element) {
    const Directed<T> at(call, e, element);
    const std::int64_t place = element * e.queries;
    auto* log_sums = call.output(1).template mutable_data<Wide>() + place;
    auto* means = call.output(3).template mutable_data<Wide>() + place;
    for (std::int64_t query = 0; query < e.queries; ++query) {
      const SoftmaxRow row = softmax_row(at.scores, query);
      const double mean = mean_tangent(at, query, row);
      log_sums[query] = static_cast<Wide>(row.log_sum_exp);
      means[query] = static_cast<Wide>(mean);
      const auto sum_over_keys = [&](T* result, const auto& add) {
        sum_tiles(result + (place + query) * e.out, e.out,
                  [&](double* sums, std::int64_t first, std::int64_t width) {
                    for (std::int64_t key = 0; key < e.seen_by(query); ++key) {
                      const double weight = row.weight(at.scores.score(query, key));
                      add(weight, key, sums, key * e.out + first, width);
                    }
                  });
      };
      sum_over_keys(
          call.output(0).template mutable_data<T>(),
          [&](double weight, std::int64_t, double* sums, std::int64_t from, std::int64_t width) {
            add_multiple(sums, width, weight, at.scores.v + from);
          });
      sum_over_keys(call.output(2).template mutable_data<T>(), [&](double weight, std::int64_t key,
                                                                   double* sums, std::int64_t from,
                                                                   std::int64_t width) {
        add_multiple(sums, width, weight * (at.tangent(query, key) - mean), at.scores.v + from);
        add_multiple(sums, width, weight, at.dv + from);
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

// Operands q, k, v, dq, dk, dv, y, log_sum_exp, dy, means, and the cotangents of y and dy; results
// the cotangents of the first six. See ddx::attention.
template <class T>
void attention_with_tangent_gradient(const Call& call) noexcept {
  const AttentionExtents e(call);
  for (std::int64_t element = 0; element < e.batch; ++element) {
    const Cotangents<T> c(call, e, element);
    const Directed<T>& at = c.at;
    const auto to_score = [&](std::int64_t query, std::int64_t key) {
      return e.scale * c.of_score(query, key);
    };
    const auto to_tangent = [&](std::int64_t query, std::int64_t key) {
      return e.scale * c.of_tangent(query, key);
    };
    const auto weight = [&](std::int64_t query, std::int64_t key) {
      return c.probability(query, key);
    };
    const auto tangent_of_weight = [&](std::int64_t query, std::int64_t key) {
      return c.probability(query, key) * c.centred(query, key);
    };
    const auto result = [&](std::size_t i, std::int64_t rows, std::int64_t count) {
      return call.output(i).template mutable_data<T>() + element * rows * count;
    };
    const std::int64_t d = e.depth;
    sum_for_queries(e, d, result(0, e.queries, d), Term{to_score, at.scores.k},
                    Term{to_tangent, at.dk});
    sum_for_keys(e, d, result(1, e.keys, d), Term{to_score, at.scores.q}, Term{to_tangent, at.dq});
    sum_for_keys(e, e.out, result(2, e.keys, e.out), Term{weight, c.of_y},
                 Term{tangent_of_weight, c.of_dy});
    sum_for_queries(e, d, result(3, e.queries, d), Term{to_tangent, at.scores.k});
    sum_for_keys(e, d, result(4, e.keys, d), Term{to_tangent, at.scores.q});
    sum_for_keys(e, e.out, result(5, e.keys, e.out), Term{weight, c.of_dy});
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
