// Attention, its gradient, its tangent, and the gradient of both.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/builder.h"
#include "stablehlo/detail/call.h"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace ddx::stablehlo::detail {
namespace {

/// The basis of both directions: scores [batch..., queries, keys] in at least f32, minus infinity
/// where a query does not see the key.
class Scores {
 public:
  explicit Scores(const Call& call)
      : call_(call),
        a_(call.as<ops::AttentionAttributes>()),
        batch_(first_integers(call.in(0).rank() - 2)),
        keys_{static_cast<std::int64_t>(call.in(0).rank() - 1)} {}

  [[nodiscard]] const Ints& keys() const { return keys_; }

  /// A batch of products, contracted over the axes `left` and `right`, counted from the end.
  [[nodiscard]] Value product(const Value& a, const Value& b, std::size_t left,
                              std::size_t right) const {
    const auto from_end = [](const Value& x, std::size_t axis) {
      return Ints{static_cast<std::int64_t>(x.rank() - axis)};
    };
    return dot(a, b, {batch_, batch_, from_end(a, left), from_end(b, right)}, call_.fast_products);
  }

  [[nodiscard]] Value scores() const {
    const Value all = product(call_.in(0), call_.in(1), 1, 1) * a_.scale;
    return hides() ? select(seen(all.shape()), all, -infinity) : all;
  }

  /// The tangents of the scores, where operands 3 and 4 are those of queries and keys.
  [[nodiscard]] Value tangents() const {
    return (product(call_.in(3), call_.in(1), 1, 1) + product(call_.in(0), call_.in(4), 1, 1)) *
           a_.scale;
  }

  /// e^(score - log sum), zero where the query does not see the key.
  [[nodiscard]] Value weights(const Value& log_sum_exp) const {
    const Value s = scores();
    const Value sums = convert(log_sum_exp, s.dtype());
    const Value shift = select(compare("EQ", sums, -infinity), infinity, sums);
    // Rounding must not give a weight above 1.
    const Value logarithm = minimum(s - spread(shift, s.shape()), 0);
    return masked(unary(Code::exponential_, logarithm));
  }

  /// One number per query for all its keys.
  [[nodiscard]] Value spread(const Value& rows, const Shape& shape) const {
    return along(rows, shape, keys_);
  }

  /// Zero where the query does not see the key.
  [[nodiscard]] Value masked(const Value& x) const {
    return hides() ? select(seen(x.shape()), x, 0) : x;
  }

  /// Whether the position along an axis is in the range of keys, operand 3.
  [[nodiscard]] Value is_in_range(const Shape& shape, std::size_t axis) const {
    const Value key = call_.builder.iota(shape, axis);
    const Value first = stretched(slice_axis(call_.in(3), 0, 0, 1), shape);
    const Value end = stretched(slice_axis(call_.in(3), 0, 1, 2), shape);
    return compare("GE", key, first) & compare("LT", key, end);
  }

  [[nodiscard]] double scale() const { return a_.scale; }

 private:
  /// Whether queries do not see all keys.
  [[nodiscard]] bool hides() const {
    return a_.causal || call_.op == ops::Op::attention_over_range;
  }
  /// Those in the range, or, of causal attention, where the last query is at the last key, those up
  /// to each query.
  [[nodiscard]] Value seen(const Shape& shape) const {
    const std::size_t rank = shape.rank();
    if (call_.op == ops::Op::attention_over_range) {
      return is_in_range(shape, rank - 1);
    }
    const auto offset = static_cast<double>(shape[rank - 1] - shape[rank - 2]);
    const Value query = call_.builder.iota(shape, rank - 2) + offset;
    return compare("LE", call_.builder.iota(shape, rank - 1), query);
  }

  const Call& call_;
  const ops::AttentionAttributes& a_;
  Ints batch_;
  Ints keys_;
};

/// The weights of scores with the logarithms of the sums of e^score.
struct Weights {
  Value weights;
  Value log_sum_exp;
};

Weights softmax_of(const Scores& scores) {
  const Value s = scores.scores();
  const Value most = largest(s, scores.keys());
  const Value shift = select(is_finite(most), most, 0);
  const Value e = unary(Code::exponential_, s - scores.spread(shift, s.shape()));
  const Value total = sum(e, scores.keys());
  const Value sees_nothing = compare("EQ", total, 0);
  const Value inverse = select(sees_nothing, 0, 1 / total);
  return {e * scores.spread(inverse, s.shape()),
          select(sees_nothing, -infinity, shift + unary(Code::log_, total))};
}

/// The sums of the products of two arrays over the last axis.
Value row_products(const Value& a, const Value& b, DType wide) {
  return sum(convert(a, wide) * convert(b, wide), {static_cast<std::int64_t>(a.rank() - 1)});
}

/// Values as the results of a call.
Values converted(const Call& call, Values values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = convert(values[i], call.dtype(i));
  }
  return values;
}

}  // namespace

// Operands q, k, v; results y, log_sum_exp.
Values emit_attention(const Call& call) {
  const Scores scores(call);
  const auto [weights, log_sum_exp] = softmax_of(scores);
  const Value y = scores.product(weights, convert(call.in(2), weights.dtype()), 1, 2);
  return converted(call, {y, log_sum_exp});
}

// Operands q, k, v, range; result y.
Values emit_attention_over_range(const Call& call) {
  const Scores scores(call);
  const Value weights = softmax_of(scores).weights;
  // Outside the range may be no numbers, which a weight of zero does not remove.
  const Value& all = call.in(2);
  const Value values = select(scores.is_in_range(all.shape(), all.rank() - 2), all, 0);
  return converted(call, {scores.product(weights, convert(values, weights.dtype()), 1, 2)});
}

// Operands q, k, v, y, log_sum_exp, dy; results dq, dk, dv.
Values emit_attention_gradient(const Call& call) {
  const Scores scores(call);
  const Value p = scores.weights(call.in(4));
  const DType wide = p.dtype();
  const Value own = row_products(call.in(5), call.in(3), wide);
  const Value to_weights = scores.product(call.in(5), call.in(2), 1, 1);
  const Value slope =
      scores.masked(p * (to_weights - scores.spread(own, p.shape()))) * scores.scale();
  const Value dq = scores.product(slope, convert(call.in(1), wide), 1, 2);
  const Value dk = scores.product(slope, convert(call.in(0), wide), 2, 2);
  const Value dv = scores.product(p, convert(call.in(5), wide), 2, 2);
  return converted(call, {dq, dk, dv});
}

// Operands q, k, v, dq, dk, dv; results y, log_sum_exp, dy, and the means of the tangents of the
// scores.
Values emit_attention_with_tangent(const Call& call) {
  const Scores scores(call);
  const auto [p, log_sum_exp] = softmax_of(scores);
  const Value t = scores.masked(scores.tangents());
  const Value means = sum(p * t, scores.keys());
  const Value of_p = p * (t - scores.spread(means, p.shape()));
  const Value v = convert(call.in(2), p.dtype());
  const Value dv = convert(call.in(5), p.dtype());
  const Value y = scores.product(p, v, 1, 2);
  const Value dy = scores.product(of_p, v, 1, 2) + scores.product(p, dv, 1, 2);
  return converted(call, {y, log_sum_exp, dy, means});
}

// Operands q, k, v, dq, dk, dv, y, log_sum_exp, dy, means, and the cotangents of y and dy; results
// the cotangents of the first six.
Values emit_attention_with_tangent_gradient(const Call& call) {
  const Scores scores(call);
  const Value p = scores.weights(call.in(7));
  const Shape& shape = p.shape();
  const DType wide = p.dtype();
  const auto in = [&](std::size_t i) { return convert(call.in(i), wide); };
  const auto spread = [&](const Value& rows) { return scores.spread(rows, shape); };
  const Value centred = scores.tangents() - spread(in(9));
  const Value product = scores.product(call.in(11), call.in(2), 1, 1) -
                        spread(row_products(call.in(11), call.in(6), wide));
  const Value direct = scores.product(call.in(10), call.in(2), 1, 1) +
                       scores.product(call.in(11), call.in(5), 1, 1) -
                       spread(row_products(call.in(10), call.in(6), wide) +
                              row_products(call.in(11), call.in(8), wide));
  const Value to_scores = scores.masked(p * (direct + product * centred)) * scores.scale();
  const Value to_tangents = scores.masked(p * product) * scores.scale();
  const Value of_p = scores.masked(p * centred);
  const auto over_keys = [&](const Value& a, const Value& b) { return scores.product(a, b, 1, 2); };
  const auto over_queries = [&](const Value& a, const Value& b) {
    return scores.product(a, b, 2, 2);
  };
  return converted(
      call, {over_keys(to_scores, in(1)) + over_keys(to_tangents, in(4)),
             over_queries(to_scores, in(0)) + over_queries(to_tangents, in(3)),
             over_queries(p, in(10)) + over_queries(of_p, in(11)), over_keys(to_tangents, in(1)),
             over_queries(to_tangents, in(0)), over_queries(p, in(11))});
}

}  // namespace ddx::stablehlo::detail
