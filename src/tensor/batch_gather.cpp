#include "ddx/tensor/batch_gather.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/shape.h"
#include "ddx/ops/indexing.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <source_location>
#include <string>
#include <vector>

namespace ddx::detail {

BatchGather batch_gather(const Shape& shape, const Tensor<std::int32_t>& indices,
                         std::int64_t batch_axes, const std::source_location& where) try {
  const ops::Site site{"batch_gather", where};
  const auto all = shape.extents();
  const auto chosen = indices.shape().extents();
  const auto batch = static_cast<std::size_t>(batch_axes);
  if (batch_axes < 0 || batch >= all.size() || batch > chosen.size() ||
      !std::equal(all.begin(), all.begin() + batch_axes, chosen.begin())) {
    site.fail("the operands do not share " + std::to_string(batch_axes) +
              " batch axes with an axis after them; shapes " + to_string(shape) + " and " +
              to_string(indices.shape()));
  }
  const std::int64_t extent = shape[batch];
  ops::check_indices(site, "index", indices.elements(), extent);
  std::vector<std::int64_t> joined{extent};
  for (std::size_t i = 0; i < batch; ++i) {
    joined[0] *= shape[i];
  }
  if (joined[0] > std::numeric_limits<std::int32_t>::max()) {
    site.fail("the batch has too many slices for indices of 32 bits; shape " + to_string(shape));
  }
  std::vector<std::int64_t> result(chosen.begin(), chosen.end());
  joined.insert(joined.end(), all.begin() + batch_axes + 1, all.end());
  result.insert(result.end(), all.begin() + batch_axes + 1, all.end());
  if (result.size() > Shape::max_rank) {
    site.fail("the result has rank " + std::to_string(result.size()) +
              ", above the largest supported, " + std::to_string(Shape::max_rank) + "; shapes " +
              to_string(shape) + " and " + to_string(indices.shape()));
  }
  Tensor<std::int32_t> counted = indices;
  const auto places = counted.mutable_elements();
  std::size_t per_batch = 1;
  for (std::size_t i = batch; i < chosen.size(); ++i) {
    per_batch *= static_cast<std::size_t>(chosen[i]);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    // At most the number of all slices.
    places[i] += static_cast<std::int32_t>(i / per_batch) * static_cast<std::int32_t>(extent);
  }
  return {site.shape(joined), counted, site.shape(result)};
} catch (const std::bad_alloc&) {
  throw_out_of_memory("batch_gather");
}

}  // namespace ddx::detail
