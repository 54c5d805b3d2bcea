#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

struct Sizes {
  std::vector<std::int64_t> batch;
  std::int64_t queries, keys, depth, out;
};

Shape with_batch(const std::vector<std::int64_t>& batch, std::vector<std::int64_t> others) {
  others.insert(others.begin(), batch.begin(), batch.end());
  return Shape(others);
}

/// The position with other numbers for the last ones.
Index moved(const Index& from, std::vector<std::int64_t> last, std::size_t dropped) {
  Index to(from.begin(), from.end() - static_cast<std::ptrdiff_t>(dropped));
  to.insert(to.end(), last.begin(), last.end());
  return to;
}

/// Attention in double, by its definition. Positions `i` are those of a result of the batch.
struct Definition {
  Sizes s;
  ops::AttentionAttributes attributes;
  HostArray q, k, v;
  std::int64_t first = 0;  ///< Of the range of keys that any query sees.
  std::int64_t end = s.keys;

  /// The last query stands at the last key.
  [[nodiscard]] bool sees(std::int64_t query, std::int64_t key) const {
    const bool in_range = key >= first && key < end;
    return in_range && (!attributes.causal || key - (s.keys - 1) <= query - (s.queries - 1));
  }
  /// `batch` ends with two numbers that do not count.
  [[nodiscard]] double score(const Index& batch, std::int64_t query, std::int64_t key) const {
    double sum = 0;
    for (std::int64_t c = 0; c < s.depth; ++c) {
      sum += q.at(moved(batch, {query, c}, 2)) * k.at(moved(batch, {key, c}, 2));
    }
    return attributes.scale * sum;
  }
  [[nodiscard]] double power_sum(const Index& batch, std::int64_t query) const {
    double sum = 0;
    for (std::int64_t key = 0; key < s.keys; ++key) {
      sum += sees(query, key) ? std::exp(score(batch, query, key)) : 0;
    }
    return sum;
  }
  [[nodiscard]] HostArray result() const {
    return tabulate(with_batch(s.batch, {s.queries, s.out}), q.dtype, [&](const Index& i) {
      const std::int64_t query = i[i.size() - 2];
      double sum = 0;
      for (std::int64_t key = 0; key < s.keys; ++key) {
        if (sees(query, key)) {
          sum += std::exp(score(i, query, key)) * v.at(moved(i, {key, i.back()}, 2));
        }
      }
      return sum == 0 ? 0 : sum / power_sum(i, query);
    });
  }
  [[nodiscard]] HostArray log_sum_exp() const {
    return tabulate(with_batch(s.batch, {s.queries}), wide_dtype(q.dtype), [&](const Index& i) {
      Index batch = i;
      batch.push_back(0);
      return std::log(power_sum(batch, i.back()));
    });
  }
};

/// What an array of its type keeps of the values.
HostArray stored(const HostArray& values) {
  return decode(encode(values).data(), values.shape, values.dtype);
}

/// The gradients by their definition, for any results y and sums that the kernel may be given.
struct DefinedGradient {
  Definition of;
  HostArray y, sums, dy;

  [[nodiscard]] double probability(const Index& batch, std::int64_t query, std::int64_t key) const {
    if (!of.sees(query, key)) {
      return 0;
    }
    Index row = moved(batch, {query}, 2);
    return std::exp(std::min(of.score(batch, query, key) - sums.at(row), 0.0));
  }
  [[nodiscard]] double slope(const Index& batch, std::int64_t query, std::int64_t key) const {
    double sum = 0;
    for (std::int64_t c = 0; c < of.s.out; ++c) {
      const Index at = moved(batch, {query, c}, 2);
      sum += dy.at(at) * (of.v.at(moved(batch, {key, c}, 2)) - y.at(at));
    }
    return probability(batch, query, key) * sum;
  }
  [[nodiscard]] HostArray of_queries() const {
    return tabulate(of.q.shape, of.q.dtype, [&](const Index& i) {
      double sum = 0;
      for (std::int64_t key = 0; key < of.s.keys; ++key) {
        sum += slope(i, i[i.size() - 2], key) * of.k.at(moved(i, {key, i.back()}, 2));
      }
      return of.attributes.scale * sum;
    });
  }
  [[nodiscard]] HostArray of_keys() const {
    return tabulate(of.k.shape, of.q.dtype, [&](const Index& i) {
      double sum = 0;
      for (std::int64_t query = 0; query < of.s.queries; ++query) {
        sum += slope(i, query, i[i.size() - 2]) * of.q.at(moved(i, {query, i.back()}, 2));
      }
      return of.attributes.scale * sum;
    });
  }
  [[nodiscard]] HostArray of_values() const {
    return tabulate(of.v.shape, of.q.dtype, [&](const Index& i) {
      double sum = 0;
      for (std::int64_t query = 0; query < of.s.queries; ++query) {
        sum += probability(i, query, i[i.size() - 2]) * dy.at(moved(i, {query, i.back()}, 2));
      }
      return sum;
    });
  }
};

/// Attention with its tangent, in double, by the definition of derivatives of quotients.
struct DefinedTangent {
  Definition of;
  HostArray dq, dk, dv;

  [[nodiscard]] double weight(const Index& batch, std::int64_t query, std::int64_t key) const {
    return of.sees(query, key) ? std::exp(of.score(batch, query, key)) / of.power_sum(batch, query)
                               : 0;
  }
  [[nodiscard]] double tangent(const Index& batch, std::int64_t query, std::int64_t key) const {
    double sum = 0;
    for (std::int64_t c = 0; c < of.s.depth; ++c) {
      const Index i = moved(batch, {query, c}, 2);
      const Index j = moved(batch, {key, c}, 2);
      sum += dq.at(i) * of.k.at(j) + of.q.at(i) * dk.at(j);
    }
    return of.attributes.scale * sum;
  }
  [[nodiscard]] double mean(const Index& batch, std::int64_t query) const {
    double sum = 0;
    for (std::int64_t key = 0; key < of.s.keys; ++key) {
      sum += weight(batch, query, key) * tangent(batch, query, key);
    }
    return sum;
  }
  [[nodiscard]] HostArray result() const {
    return tabulate(
        with_batch(of.s.batch, {of.s.queries, of.s.out}), of.q.dtype, [&](const Index& i) {
          const std::int64_t query = i[i.size() - 2];
          const double centre = mean(i, query);
          double sum = 0;
          for (std::int64_t key = 0; key < of.s.keys; ++key) {
            const Index j = moved(i, {key, i.back()}, 2);
            sum +=
                weight(i, query, key) * ((tangent(i, query, key) - centre) * of.v.at(j) + dv.at(j));
          }
          return sum;
        });
  }
  [[nodiscard]] HostArray means() const {
    return tabulate(with_batch(of.s.batch, {of.s.queries}), wide_dtype(of.q.dtype),
                    [&](const Index& i) {
                      Index batch = i;
                      batch.push_back(0);
                      return mean(batch, i.back());
                    });
  }
};

/// What cotangents of attention and of its tangent give, for any results that the kernel may be
/// given.
struct DefinedTangentGradient {
  DefinedTangent of;
  DefinedGradient first;  ///< Of the cotangents of y.
  HostArray tangent, means, of_tangent;

  [[nodiscard]] double product(const HostArray& a, const Index& i, const HostArray& b,
                               const Index& j) const {
    double sum = 0;
    for (std::int64_t c = 0; c < of.of.s.out; ++c) {
      sum += a.at(moved(i, {i[i.size() - 2], c}, 2)) * b.at(moved(j, {j[j.size() - 2], c}, 2));
    }
    return sum;
  }
  [[nodiscard]] double centred(const Index& batch, std::int64_t query, std::int64_t key) const {
    return of.tangent(batch, query, key) - means.at(moved(batch, {query}, 2));
  }
  /// The cotangents of the tangents of scores, before they are scaled.
  [[nodiscard]] double to_tangent(const Index& batch, std::int64_t query, std::int64_t key) const {
    const Index i = moved(batch, {query, 0}, 2);
    return first.probability(batch, query, key) *
           (product(of_tangent, i, of.of.v, moved(batch, {key, 0}, 2)) -
            product(of_tangent, i, first.y, i));
  }
  /// The cotangents of the scores, before they are scaled.
  [[nodiscard]] double to_score(const Index& batch, std::int64_t query, std::int64_t key) const {
    const Index i = moved(batch, {query, 0}, 2);
    return first.slope(batch, query, key) +
           first.probability(batch, query, key) *
               (product(of_tangent, i, of.dv, moved(batch, {key, 0}, 2)) -
                product(of_tangent, i, tangent, i)) +
           to_tangent(batch, query, key) * centred(batch, query, key);
  }
  /// For each query the sum over keys of `term(position, query, key, column)`.
  template <class Term>
  [[nodiscard]] HostArray over_keys(const Term& term) const {
    return tabulate(of.of.q.shape, of.of.q.dtype, [&](const Index& i) {
      double sum = 0;
      for (std::int64_t key = 0; key < of.of.s.keys; ++key) {
        sum += term(i, i[i.size() - 2], key, i.back());
      }
      return sum;
    });
  }
  /// For each key the sum over queries.
  template <class Term>
  [[nodiscard]] HostArray over_queries(const Shape& shape, const Term& term) const {
    return tabulate(shape, of.of.q.dtype, [&](const Index& i) {
      double sum = 0;
      for (std::int64_t query = 0; query < of.of.s.queries; ++query) {
        sum += term(i, query, i[i.size() - 2], i.back());
      }
      return sum;
    });
  }
  [[nodiscard]] std::vector<HostArray> results() const {
    const double scale = of.of.attributes.scale;
    const auto at = [](const HostArray& a, const Index& batch, std::int64_t row, std::int64_t c) {
      return a.at(moved(batch, {row, c}, 2));
    };
    using Number = std::int64_t;
    return {over_keys([&](const Index& i, Number query, Number key, Number c) {
              return scale * (to_score(i, query, key) * at(of.of.k, i, key, c) +
                              to_tangent(i, query, key) * at(of.dk, i, key, c));
            }),
            over_queries(of.of.k.shape,
                         [&](const Index& i, Number query, Number key, Number c) {
                           return scale * (to_score(i, query, key) * at(of.of.q, i, query, c) +
                                           to_tangent(i, query, key) * at(of.dq, i, query, c));
                         }),
            over_queries(of.of.v.shape,
                         [&](const Index& i, Number query, Number key, Number c) {
                           return first.probability(i, query, key) *
                                  (at(first.dy, i, query, c) +
                                   centred(i, query, key) * at(of_tangent, i, query, c));
                         }),
            over_keys([&](const Index& i, Number query, Number key, Number c) {
              return scale * to_tangent(i, query, key) * at(of.of.k, i, key, c);
            }),
            over_queries(of.of.k.shape,
                         [&](const Index& i, Number query, Number key, Number c) {
                           return scale * to_tangent(i, query, key) * at(of.of.q, i, query, c);
                         }),
            over_queries(of.of.v.shape, [&](const Index& i, Number query, Number key, Number c) {
              return first.probability(i, query, key) * at(of_tangent, i, query, c);
            })};
  }
};

/// The cases of attention with its tangent, and of the gradient of both.
Case tangent_case(const ops::OpInfo& op, const std::string& layout, const Definition& of) {
  const DType dtype = of.q.dtype;
  const DefinedTangent tangent{of, draw(op.domain, of.q.shape, dtype, 5),
                               draw(op.domain, of.k.shape, dtype, 6),
                               draw(op.domain, of.v.shape, dtype, 7)};
  const HostArray y = of.result();
  const HostArray sums = of.log_sum_exp();
  const std::vector<HostArray> operands{of.q, of.k, of.v, tangent.dq, tangent.dk, tangent.dv};
  if (op.op == ops::Op::attention_with_tangent) {
    return {layout, operands, {y, sums, tangent.result(), tangent.means()}, keep(of.attributes)};
  }
  const DefinedTangentGradient gradient{
      tangent,
      {of, stored(y), stored(sums), draw(op.domain, y.shape, dtype, 4)},
      stored(tangent.result()),
      stored(tangent.means()),
      draw(op.domain, y.shape, dtype, 8)};
  std::vector<HostArray> inputs = operands;
  inputs.insert(inputs.end(), {gradient.first.y, gradient.first.sums, gradient.tangent,
                               gradient.means, gradient.first.dy, gradient.of_tangent});
  return {layout, inputs, gradient.results(), keep(of.attributes)};
}

/// Keys or values with no numbers outside a range: what lies there is not read.
HostArray without_numbers_outside(HostArray x, const Sizes& s, std::int64_t first,
                                  std::int64_t end) {
  const std::int64_t features = x.shape[x.shape.rank() - 1];
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const std::int64_t key = static_cast<std::int64_t>(i) / features % s.keys;
    if (key < first || key >= end) {
      x.values[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return x;
}

std::vector<Case> range_cases(const ops::OpInfo& op, DType dtype) {
  struct Range {
    Sizes s;
    std::int64_t first, end;
  };
  std::vector<Case> cases;
  for (const Range& range : {Range{{{}, 1, 1, 1, 1}, 0, 1}, Range{{{}, 3, 5, 4, 2}, 1, 4},
                             Range{{{}, 3, 5, 4, 2}, 2, 2}, Range{{{2, 2}, 1, 9, 3, 3}, 0, 7},
                             Range{{{0}, 2, 2, 2, 2}, 0, 2}, Range{{{2}, 0, 3, 2, 2}, 0, 3},
                             Range{{{2}, 3, 0, 2, 2}, 0, 0}, Range{{{}, 2, 3, 0, 2}, 1, 3},
                             Range{{{}, 2, 3, 2, 0}, 1, 3}, Range{{{2}, 3, 150, 33, 71}, 3, 140}}) {
    const Sizes& s = range.s;
    const ops::AttentionAttributes attributes{.scale = 0.3};
    const Definition definition{
        s,
        attributes,
        draw(op.domain, with_batch(s.batch, {s.queries, s.depth}), dtype, 1),
        without_numbers_outside(draw(op.domain, with_batch(s.batch, {s.keys, s.depth}), dtype, 2),
                                s, range.first, range.end),
        without_numbers_outside(draw(op.domain, with_batch(s.batch, {s.keys, s.out}), dtype, 3), s,
                                range.first, range.end),
        range.first,
        range.end};
    const HostArray ends{
        {2}, DType::i32, {static_cast<double>(range.first), static_cast<double>(range.end)}};
    cases.push_back({to_string(definition.k.shape) + ", [" + std::to_string(range.first) + ", " +
                         std::to_string(range.end) + ")",
                     {definition.q, definition.k, definition.v, ends},
                     {definition.result()},
                     keep(attributes)});
  }
  return cases;
}

}  // namespace

std::vector<Case> attention_cases(const ops::OpInfo& op, DType dtype) {
  if (op.op == ops::Op::attention_over_range) {
    return range_cases(op, dtype);
  }
  std::vector<Case> cases;
  for (const Sizes& s : {Sizes{{}, 1, 1, 1, 1}, Sizes{{}, 3, 5, 4, 2}, Sizes{{}, 7, 3, 2, 5},
                         Sizes{{2, 2}, 4, 4, 3, 3}, Sizes{{0}, 2, 2, 2, 2}, Sizes{{2}, 0, 3, 2, 2},
                         Sizes{{2}, 3, 0, 2, 2}, Sizes{{}, 2, 3, 0, 2}, Sizes{{}, 2, 3, 2, 0},
                         Sizes{{}, 1, 19, 5, 33}, Sizes{{}, 17, 18, 9, 17}}) {
    for (const bool causal : {false, true}) {
      const ops::AttentionAttributes attributes{.scale = 0.3, .causal = causal};
      const Definition definition{
          s, attributes, draw(op.domain, with_batch(s.batch, {s.queries, s.depth}), dtype, 1),
          draw(op.domain, with_batch(s.batch, {s.keys, s.depth}), dtype, 2),
          draw(op.domain, with_batch(s.batch, {s.keys, s.out}), dtype, 3)};
      const std::string layout = to_string(definition.q.shape) + " to " +
                                 to_string(definition.k.shape) + ", " +
                                 to_string(definition.v.shape) + (causal ? ", causal" : "");
      if (op.op == ops::Op::attention_with_tangent ||
          op.op == ops::Op::attention_with_tangent_gradient) {
        cases.push_back(tangent_case(op, layout, definition));
        continue;
      }
      const HostArray y = definition.result();
      const HostArray sums = definition.log_sum_exp();
      if (op.op == ops::Op::attention) {
        cases.push_back(
            {layout, {definition.q, definition.k, definition.v}, {y, sums}, keep(attributes)});
        continue;
      }
      const HostArray dy = draw(op.domain, y.shape, dtype, 4);
      const DefinedGradient gradient{definition, stored(y), stored(sums), dy};
      cases.push_back({layout,
                       {definition.q, definition.k, definition.v, gradient.y, gradient.sums, dy},
                       {gradient.of_queries(), gradient.of_keys(), gradient.of_values()},
                       keep(attributes)});
    }
  }
  return cases;
}

}  // namespace ddx::testing
