#include "ddx/nn/detail/sample_shapes.h"

#include "ddx/core/error.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::nn::detail {

Indices feature_axis(const char* layer, const Shape& x, std::int64_t features,
                     const std::source_location& where) {
  if (x.rank() == 0 || x[x.rank() - 1] != features) {
    throw UsageError(
        layer,
        "the last axis is not the " + std::to_string(features) + " features; shape " + to_string(x),
        where);
  }
  return {-1};
}

Indices grouped_extents(const char* layer, const Shape& x, std::int64_t features,
                        std::int64_t groups, const std::source_location& where) {
  (void)feature_axis(layer, x, features, where);
  const std::int64_t samples = x.rank() > 1 ? x[0] : 1;
  const std::int64_t places = samples == 0 ? 0 : x.count() / (samples * features);
  return {samples, places, groups, features / groups};
}

void require_divisor(const char* layer, const char* part_name, std::int64_t part,
                     const char* whole_name, std::int64_t whole) {
  if (whole % part != 0) {
    throw UsageError(layer, std::string(whole_name) + " is " + std::to_string(whole) +
                                ", no multiple of " + part_name + ", which is " +
                                std::to_string(part));
  }
}

Indices places(const char* layer, const Shape& x, const std::source_location& where) {
  if (x.rank() < 3) {
    throw UsageError(layer,
                     "there is no axis between the samples and the channels; shape " + to_string(x),
                     where);
  }
  std::vector<std::int64_t> axes;
  for (std::size_t axis = 1; axis + 1 < x.rank(); ++axis) {
    axes.push_back(static_cast<std::int64_t>(axis));
  }
  return Indices(std::span<const std::int64_t>(axes));
}

Indices between(const char* layer, const Shape& x, const Indices& amounts, std::int64_t value,
                const std::source_location& where) {
  if (amounts.size() + 2 != x.rank()) {
    throw UsageError(layer,
                     "amounts " + to_string(amounts) +
                         " are not one per axis between the samples and the channels; shape " +
                         to_string(x),
                     where);
  }
  std::vector<std::int64_t> all{value};
  all.insert(all.end(), amounts.values().begin(), amounts.values().end());
  all.push_back(value);
  return Indices(std::span<const std::int64_t>(all));
}

Indices with_samples(const char* layer, const Shape& x, const Indices& extents,
                     const std::source_location& where) {
  if (x.rank() == 0 || extents.size() == Shape::max_rank) {
    throw UsageError(
        layer, "there are no samples of extents " + to_string(extents) + "; shape " + to_string(x),
        where);
  }
  std::vector<std::int64_t> all{x[0]};
  all.insert(all.end(), extents.values().begin(), extents.values().end());
  return Indices(std::span<const std::int64_t>(all));
}

}  // namespace ddx::nn::detail
