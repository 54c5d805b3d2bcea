/// \file
/// The family Attention.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"

#include <algorithm>
#include <cstdint>

namespace ddx::ops {

/// Attention as numbers: `batch` times `queries` and `keys` of `depth` elements each, and values of
/// `out` elements. Which keys a query sees: all, or where that is causal those up to its own place;
/// the last query stands at the last key.
struct AttentionExtents {
  /// Of the first three operands of either operation.
  explicit AttentionExtents(const Call& call) noexcept;

  /// How many keys a query sees, always the first ones; 0 where it stands before all of them.
  [[nodiscard]] std::int64_t seen_by(std::int64_t query) const noexcept {
    return causal ? std::clamp<std::int64_t>(keys - queries + query + 1, 0, keys) : keys;
  }

  std::int64_t batch = 1;
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  std::int64_t depth = 0;
  std::int64_t out = 0;
  double scale = 1;
  bool causal = false;
};

/// The shape of the result.
///
/// Shapes:  query [batch..., queries, depth], key [batch..., keys, depth], value [batch..., keys,
///          out] -> [batch..., queries, out]
/// Throws:  UsageError where a rank is < 2, ranks, leading axes, depths or numbers of keys differ.
[[nodiscard]] Shape attention_shape(const Site& site, const Shape& query, const Shape& key,
                                    const Shape& value);

/// The shape of one number per query: all extents but the last.
///
/// Shapes:  query [batch..., queries, depth] -> [batch..., queries]
[[nodiscard]] Shape query_places(const Shape& query) noexcept;

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
[[nodiscard]] Kernel attention_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
