#include "ddx/train/detail/gradient_buckets.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/distributed/detail/collective.h"
#include "ddx/distributed/process_group.h"
#include "ddx/distributed/reduction.h"
#include "ddx/tensor/detail/array.h"

#include <cstddef>
#include <cstdint>
#include <future>
#include <span>
#include <utility>
#include <vector>

namespace ddx::train::detail {
namespace {

/// The arrays of one message, one after another.
struct Bucket {
  std::span<const AveragedArray> arrays;
  std::size_t elements = 0;
  std::future<ddx::detail::Array> mean = {};

  [[nodiscard]] std::size_t width() const { return info(arrays[0].dtype).bytes; }
};

std::vector<Bucket> dealt_into_buckets(std::span<const AveragedArray> arrays,
                                       std::size_t bucket_bytes) {
  std::vector<Bucket> buckets;
  for (std::size_t first = 0; first < arrays.size();) {
    const DType dtype = arrays[first].dtype;
    std::size_t end = first;
    std::size_t elements = 0;
    while (end < arrays.size() && arrays[end].dtype == dtype &&
           (end == first || (elements + arrays[end].count) * info(dtype).bytes <= bucket_bytes)) {
      elements += arrays[end++].count;
    }
    buckets.push_back({.arrays = arrays.subspan(first, end - first), .elements = elements});
    first = end;
  }
  return buckets;
}

ddx::detail::Array filled(const Bucket& bucket) {
  ddx::detail::Array array(Shape{static_cast<std::int64_t>(bucket.elements)},
                           bucket.arrays[0].dtype, Device::cpu());
  auto* next = static_cast<std::byte*>(array.mutable_data());
  for (const auto& part : bucket.arrays) {
    part.read(next);
    next += part.count * bucket.width();
  }
  return array;
}

}  // namespace

void average(const std::vector<AveragedArray>& arrays, const distributed::ProcessGroup& group,
             double weight, std::int64_t bucket_bytes) {
  auto buckets = dealt_into_buckets(arrays, static_cast<std::size_t>(bucket_bytes));
  for (auto& bucket : buckets) {
    bucket.mean =
        group.collective()->submit({.kind = distributed::detail::CollectiveKind::AllReduce,
                                    .operation = "average_gradients",
                                    .reduction = distributed::Reduction::Mean,
                                    .weight = weight},
                                   filled(bucket));
  }
  for (auto& bucket : buckets) {
    const ddx::detail::Array mean = bucket.mean.get();
    const auto* next = static_cast<const std::byte*>(mean.data());
    for (const auto& part : bucket.arrays) {
      part.write(next);
      next += part.count * bucket.width();
    }
  }
}

}  // namespace ddx::train::detail
