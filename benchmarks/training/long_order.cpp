#include "long_order.h"

#include "ddx/core/random_key.h"
#include "ddx/data/epoch.h"

#include <cstdint>
#include <vector>

namespace ddx::bench {

std::vector<std::int64_t> long_order(std::int64_t count, RandomKey key) {
  constexpr std::int64_t samples = std::int64_t{1} << 22;
  std::vector<std::int64_t> order;
  for (std::uint64_t pass = 0; static_cast<std::int64_t>(order.size()) < samples; ++pass) {
    const auto next = data::shuffled_order(count, key.fold_in(pass));
    order.insert(order.end(), next.begin(), next.end());
  }
  return order;
}

}  // namespace ddx::bench
