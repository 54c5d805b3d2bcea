#include "ddx/data/subset.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/data/epoch.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data::detail {

std::vector<std::int64_t> places_at(const std::vector<std::int64_t>& places,
                                    std::span<const std::int64_t> numbers) {
  std::vector<std::int64_t> result;
  result.reserve(numbers.size());
  for (const auto number : numbers) {
    result.push_back(places[static_cast<std::size_t>(number)]);
  }
  return result;
}

std::vector<std::int64_t> places_between(std::int64_t begin, std::int64_t end, std::int64_t size) {
  if (begin < 0 || begin > end || end > size) {
    throw UsageError("slice", "samples " + std::to_string(begin) + " to " + std::to_string(end) +
                                  " of " + std::to_string(size));
  }
  std::vector<std::int64_t> places(static_cast<std::size_t>(end - begin));
  std::iota(places.begin(), places.end(), begin);
  return places;
}

std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>> split_places(std::int64_t size,
                                                                             double share,
                                                                             RandomKey key) {
  if (!(share >= 0 && share <= 1)) {
    throw UsageError("split", "a share of " + std::to_string(share) + " is not in [0, 1]");
  }
  auto training = shuffled_order(size, key);
  const auto count = static_cast<std::ptrdiff_t>(share * static_cast<double>(size));
  std::vector<std::int64_t> validation(training.end() - count, training.end());
  training.erase(training.end() - count, training.end());
  return {std::move(training), std::move(validation)};
}

}  // namespace ddx::data::detail
