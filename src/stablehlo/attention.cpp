// Attention and its gradient.

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
    return a_.causal ? select(seen(all.shape()), all, -infinity) : all;
  }

  /// Zero where the query does not see the key.
  [[nodiscard]] Value masked(const Value& x) const {
    return a_.causal ? select(seen(x.shape()), x, 0) : x;
  }

  [[nodiscard]] double scale() const { return a_.scale; }

 private:
  /// The last query is at the last key.
  [[nodiscard]] Value seen(const Shape& shape) const {
    const std::size_t rank = shape.rank();
    const auto offset = static_cast<double>(shape[rank - 1] - shape[rank - 2]);
    const Value query = call_.builder.iota(shape, rank - 2) + offset;
    return compare("LE", call_.builder.iota(shape, rank - 1), query);
  }

  const Call& call_;
  const ops::AttentionAttributes& a_;
  Ints batch_;
  Ints keys_;
};

}  // namespace

// Operands q, k, v; results y, log_sum_exp.
Values emit_attention(const Call& call) {
  const Scores scores(call);
  const Value s = scores.scores();
  const Value most = largest(s, scores.keys());
  const Value shift = select(is_finite(most), most, 0);
  const Value e = unary(Code::exponential_, s - along(shift, s.shape(), scores.keys()));
  const Value total = sum(e, scores.keys());
  const Value sees_nothing = compare("EQ", total, 0);
  const Value inverse = select(sees_nothing, 0, 1 / total);
  const Value weights = e * along(inverse, s.shape(), scores.keys());
  const Value y = scores.product(weights, convert(call.in(2), weights.dtype()), 1, 2);
  const Value log_sum_exp = select(sees_nothing, -infinity, shift + unary(Code::log_, total));
  return {convert(y, call.dtype(0)), convert(log_sum_exp, call.dtype(1))};
}

// Operands q, k, v, y, log_sum_exp, dy; results dq, dk, dv.
Values emit_attention_gradient(const Call& call) {
  const Scores scores(call);
  const Value s = scores.scores();
  const DType wide = s.dtype();
  const Value sums = convert(call.in(4), wide);
  const Value shift = select(compare("EQ", sums, -infinity), infinity, sums);
  // Rounding must not give a probability above 1.
  const Value logarithm = minimum(s - along(shift, s.shape(), scores.keys()), 0);
  const Value p = scores.masked(unary(Code::exponential_, logarithm));
  const Value dy = convert(call.in(5), wide);
  const Ints last{static_cast<std::int64_t>(dy.rank() - 1)};
  const Value own = sum(dy * convert(call.in(3), wide), last);
  const Value to_weights = scores.product(call.in(5), call.in(2), 1, 1);
  const Value slope =
      scores.masked(p * (to_weights - along(own, s.shape(), scores.keys()))) * scores.scale();
  const Value dq = scores.product(slope, convert(call.in(1), wide), 1, 2);
  const Value dk = scores.product(slope, convert(call.in(0), wide), 2, 2);
  const Value dv = scores.product(p, dy, 2, 2);
  return {convert(dq, call.dtype(0)), convert(dk, call.dtype(1)), convert(dv, call.dtype(2))};
}

}  // namespace ddx::stablehlo::detail
