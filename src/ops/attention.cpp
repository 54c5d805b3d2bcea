#include "ddx/ops/attention.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include "ops/detail/attention.h"
#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/tile.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ddx::ops {
namespace {

using detail::Scores;

/// y_i = sum_j e^(s_ij - l_i) v_j with l_i = log sum_j e^s_ij, over the keys that the query sees.
template <class T>
void attend(const Scores<T>& scores, std::int64_t query, T* y,
            WideScalar<T>& log_sum_exp) noexcept {
  const AttentionExtents& e = scores.e;
  const detail::SoftmaxRow row = detail::softmax_row(scores, query);
  log_sum_exp = static_cast<WideScalar<T>>(row.log_sum_exp);
  detail::sum_tiles(y, e.out, [&](double* sums, std::int64_t first, std::int64_t width) {
    for (std::int64_t key = 0; key < e.seen_by(query); ++key) {
      detail::add_multiple(sums, width, row.weight(scores.score(query, key)),
                           scores.v + key * e.out + first);
    }
  });
}

// Operands q, k, v; results y, log_sum_exp. See ddx::attention.
template <class T>
void attention(const Call& call) noexcept {
  const AttentionExtents e(call);
  for (std::int64_t element = 0; element < e.batch; ++element) {
    const Scores<T> scores(call, e, element);
    for (std::int64_t query = 0; query < e.queries; ++query) {
      const std::int64_t row = element * e.queries + query;
      attend(scores, query, call.output(0).mutable_data<T>() + row * e.out,
             call.output(1).mutable_data<WideScalar<T>>()[row]);
    }
  }
}

// Operands q, k, v, range; result y. See ddx::attention_over_range.
template <class T>
void attention_over_range(const Call& call) noexcept {
  const AttentionExtents e(call);
  const auto* range = call.input(3).data<std::int32_t>();
  AttentionExtents seen = e;
  seen.keys = range[1] - range[0];
  for (std::int64_t element = 0; element < e.batch; ++element) {
    Scores<T> scores(call, e, element);
    scores.k += range[0] * e.depth;
    scores.v += range[0] * e.out;
    const Scores<T> in_range(seen, scores);
    for (std::int64_t query = 0; query < e.queries; ++query) {
      WideScalar<T> log_sum_exp{};
      attend(in_range, query,
             call.output().mutable_data<T>() + (element * e.queries + query) * e.out, log_sum_exp);
    }
  }
}

/// What the gradients are made of, for one element of the batch.
template <class T>
struct Slopes {
  Slopes(const Call& call, const AttentionExtents& extents, std::int64_t element) noexcept
      : scores(call, extents, element),
        y(call.input(3).data<T>() + element * extents.queries * extents.out),
        log_sum_exp(call.input(4).data<WideScalar<T>>() + element * extents.queries),
        dy(call.input(5).data<T>() + element * extents.queries * extents.out) {}

  [[nodiscard]] double probability(std::int64_t query, std::int64_t key) const noexcept {
    return scores.probability(query, key, static_cast<double>(log_sum_exp[query]));
  }

  /// The cotangent of the score s_ij: p_ij (dy_i v_j - dy_i y_i).
  [[nodiscard]] double slope(std::int64_t query, std::int64_t key) const noexcept {
    const std::int64_t out = scores.e.out;
    const T* row = dy + query * out;
    return probability(query, key) *
           (detail::dot(row, scores.v + key * out, out) - detail::dot(row, y + query * out, out));
  }

  Scores<T> scores;
  const T* y;
  const WideScalar<T>* log_sum_exp;
  const T* dy;
};

// Operands q, k, v, y, log_sum_exp, dy; results dq, dk, dv. See ddx::attention.
template <class T>
void attention_gradient(const Call& call) noexcept {
  const AttentionExtents e(call);
  for (std::int64_t element = 0; element < e.batch; ++element) {
    const Slopes<T> at(call, e, element);
    auto* dq = call.output(0).mutable_data<T>() + element * e.queries * e.depth;
    auto* dk = call.output(1).mutable_data<T>() + element * e.keys * e.depth;
    auto* dv = call.output(2).mutable_data<T>() + element * e.keys * e.out;
    for (std::int64_t query = 0; query < e.queries; ++query) {
      detail::sum_tiles(dq + query * e.depth, e.depth,
                        [&](double* sums, std::int64_t first, std::int64_t width) {
                          for (std::int64_t key = 0; key < e.seen_by(query); ++key) {
                            detail::add_multiple(sums, width, e.scale * at.slope(query, key),
                                                 at.scores.k + key * e.depth + first);
                          }
                        });
    }
    for (std::int64_t key = 0; key < e.keys; ++key) {
      const auto sum_over_queries = [&](T* result, std::int64_t count, const T* rows, auto factor) {
        detail::sum_tiles(result, count, [&](double* sums, std::int64_t first, std::int64_t width) {
          for (std::int64_t query = 0; query < e.queries; ++query) {
            if (key < e.seen_by(query)) {
              detail::add_multiple(sums, width, factor(query), rows + query * count + first);
            }
          }
        });
      };
      sum_over_queries(dk + key * e.depth, e.depth, at.scores.q,
                       [&](std::int64_t query) { return e.scale * at.slope(query, key); });
      sum_over_queries(dv + key * e.out, e.out, at.dy,
                       [&](std::int64_t query) { return at.probability(query, key); });
    }
  }
}

}  // namespace

AttentionExtents::AttentionExtents(const Call& call) noexcept {
  const Shape& query = call.input(0).shape();
  const Shape& value = call.input(2).shape();
  const std::size_t rank = query.rank();
  for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
    batch *= query[axis];
  }
  queries = query[rank - 2];
  keys = value[rank - 2];
  depth = query[rank - 1];
  out = value[rank - 1];
  const auto& attributes = call.attributes<AttentionAttributes>();
  scale = attributes.scale;
  causal = attributes.causal;
}

Shape attention_shape(const Site& site, const Shape& query, const Shape& key, const Shape& value) {
  const std::size_t rank = query.rank();
  const auto same_batch = [&](const Shape& other) {
    return std::ranges::equal(query.extents().first(rank - 2), other.extents().first(rank - 2));
  };
  const bool fits = rank >= 2 && key.rank() == rank && value.rank() == rank && same_batch(key) &&
                    same_batch(value) && query[rank - 1] == key[rank - 1] &&
                    key[rank - 2] == value[rank - 2];
  if (!fits) {
    site.fail("query " + to_string(query) + ", key " + to_string(key) + " and value " +
              to_string(value) +
              " are not [batch, queries, depth], [batch, keys, depth] and [batch, keys, out]");
  }
  std::array<Shape::Extent, Shape::max_rank> extents{};
  std::ranges::copy(query.extents(), extents.begin());
  extents[rank - 1] = value[rank - 1];
  return site.shape(std::span<const Shape::Extent>(extents.data(), rank));
}

Shape query_places(const Shape& query) noexcept {
  return Shape(query.extents().first(query.rank() - 1));
}

Kernel attention_reference(Op op, DType dtype) noexcept {
  if (op == Op::attention) {
    return detail::dispatch_floating(dtype,
                                     [](auto element) { return &attention<decltype(element)>; });
  }
  if (op == Op::attention_over_range) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &attention_over_range<decltype(element)>; });
  }
  if (op == Op::attention_gradient) {
    return detail::dispatch_floating(
        dtype, [](auto element) { return &attention_gradient<decltype(element)>; });
  }
  return detail::attention_tangent_reference(op, dtype);
}

}  // namespace ddx::ops
