#include "ddx/nn/attention/scaled_dot_product_attention.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::nn::detail {
namespace {

constexpr const char* name = "scaled_dot_product_attention";

/// Whether the axes before the last two agree.
bool equal_batches(const Shape& a, const Shape& b) {
  return std::equal(a.extents().begin(), a.extents().end() - 2, b.extents().begin());
}

}  // namespace

Shape scores_shape(const Shape& query, const Shape& key, const Shape& value,
                   const std::source_location& where) {
  const std::size_t rank = query.rank();
  const bool fits = rank >= 2 && key.rank() == rank && value.rank() == rank &&
                    equal_batches(query, key) && equal_batches(query, value) &&
                    query[rank - 1] == key[rank - 1] && key[rank - 2] == value[rank - 2];
  if (!fits) {
    throw UsageError(name,
                     "query " + to_string(query) + ", key " + to_string(key) + " and value " +
                         to_string(value) +
                         " are not [batch, queries, depth], [batch, keys, depth] and [batch, keys, "
                         "out]",
                     where);
  }
  std::vector<std::int64_t> extents(query.extents().begin(), query.extents().end());
  extents.back() = key[rank - 2];
  return Shape(std::span<const std::int64_t>(extents));
}

Tensor<bool> visible_keys(const Shape& scores, const Tensor<bool>& mask, bool causal, Device device,
                          const std::source_location& where) {
  const std::size_t rank = scores.rank();
  const bool has_mask = !mask.is_symbolic_zero();
  if (has_mask && !broadcasts_to(mask.shape(), scores)) {
    throw UsageError(name,
                     "mask " + to_string(mask.shape()) + " does not broadcast to the scores " +
                         to_string(scores),
                     where);
  }
  if (!causal) {
    return mask;
  }
  const Tensor<bool> before(ddx::detail::causal_keys(scores[rank - 2], scores[rank - 1], device));
  return has_mask ? logical_and(mask, before, where) : before;
}

}  // namespace ddx::nn::detail
