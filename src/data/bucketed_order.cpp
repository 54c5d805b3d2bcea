#include "ddx/data/bucketed_order.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/data/epoch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {
namespace {

void check_positive(const char* name, std::int64_t number) {
  if (number < 1) {
    throw UsageError("bucketed_order", std::string(name) + " is " + std::to_string(number) +
                                           ", at least 1 is required");
  }
}

/// Larger samples first; those of one size as in `order`.
class BySize {
 public:
  BySize(std::span<const std::int64_t> sizes, std::span<const std::int64_t> order)
      : sizes_(sizes), rank_(order.size()) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      rank_[static_cast<std::size_t>(order[i])] = i;
    }
  }

  bool operator()(std::int64_t a, std::int64_t b) const {
    const auto first = static_cast<std::size_t>(a);
    const auto second = static_cast<std::size_t>(b);
    return sizes_[first] != sizes_[second] ? sizes_[first] > sizes_[second]
                                           : rank_[first] < rank_[second];
  }

 private:
  std::span<const std::int64_t> sizes_;
  std::vector<std::size_t> rank_;
};

}  // namespace

std::vector<std::int64_t> bucketed_order(std::span<const std::int64_t> sizes,
                                         const BucketOptions& options, RandomKey key) {
  check_positive("batch_size", options.batch_size);
  check_positive("batches_per_sort", options.batches_per_sort);
  auto order = shuffled_order(static_cast<std::int64_t>(sizes.size()), key);
  if (order.empty()) {
    return order;
  }
  const BySize by_size(sizes, order);
  std::swap(order.front(), *std::min_element(order.begin(), order.end(), by_size));
  // Compared so that the product cannot overflow.
  const auto count = static_cast<std::int64_t>(order.size());
  const auto batches = std::min(options.batches_per_sort, count / options.batch_size + 1);
  const auto run = static_cast<std::ptrdiff_t>(std::min(options.batch_size, count) * batches);
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end = begin + std::min(run, order.end() - begin);
    std::sort(begin, end, std::cref(by_size));
    begin = end;
  }
  return order;
}

std::vector<std::int64_t> size_order(std::span<const std::int64_t> sizes) {
  auto order = plain_order(static_cast<std::int64_t>(sizes.size()));
  const BySize by_size(sizes, order);
  std::sort(order.begin(), order.end(), std::cref(by_size));
  return order;
}

}  // namespace ddx::data
