#include "ddx/tensor/random_integers.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/host_vector.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/random_draws.h"
#include "ddx/tensor/detail/recorded_keys.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <numeric>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace ddx {
namespace detail {

std::vector<std::uint64_t> integers_below(RandomKey key, std::size_t count, std::uint64_t width) {
  auto integers =
      host_vector_with_room<std::uint64_t>("random_integers", static_cast<std::int64_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    integers.push_back(RandomDraws(key, i).below(width));
  }
  return integers;
}

void throw_no_integer(std::int64_t low, std::int64_t high, const Shape& shape,
                      const std::source_location& where) try {
  throw UsageError("random_integers",
                   "bounds " + std::to_string(low) + " and " + std::to_string(high) +
                       " do not ascend; shape " + to_string(shape),
                   where);
} catch (const std::bad_alloc&) {
  throw_out_of_memory("throw_no_integer");
}

}  // namespace detail

Tensor<std::int32_t> random_permutation(RandomKey key, std::int64_t count, Device device,
                                        std::source_location where) {
  if (count < 0 || count > std::numeric_limits<std::int32_t>::max()) {
    throw UsageError("random_permutation",
                     "count " + std::to_string(count) + " is not in [0, 2^31)", where);
  }
  const auto draw = [=](const RandomKey& own) {
    std::vector<std::int32_t> order = host_vector<std::int32_t>("random_permutation", count);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t left = order.size(); left > 1; --left) {
      const auto chosen = detail::RandomDraws(own, left).below(left);
      std::swap(order[left - 1], order[static_cast<std::size_t>(chosen)]);
    }
    return Tensor<std::int32_t>(Shape{count}, order, device).array();
  };
  return Tensor<std::int32_t>(detail::drawn(key, device, draw));
}

}  // namespace ddx
