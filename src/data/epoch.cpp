#include "ddx/data/epoch.h"

#include "ddx/core/error.h"
#include "ddx/core/host_vector.h"
#include "ddx/core/random_key.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {
namespace {

/// A number in [0, bound), from 64 random bits: the upper half of their product. Each number's
/// share is off by less than 2^-64.
std::size_t below(std::size_t bound, std::uint64_t bits) {
  return static_cast<std::size_t>((static_cast<unsigned __int128>(bits) * bound) >> 64);
}

}  // namespace

std::vector<std::int64_t> plain_order(std::int64_t count) {
  if (count < 0) {
    throw UsageError("plain_order", "count " + std::to_string(count) + " is negative");
  }
  std::vector<std::int64_t> order = host_vector<std::int64_t>("plain_order", count);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  return order;
}

std::vector<std::int64_t> shuffled_order(std::int64_t count, RandomKey key) {
  auto order = plain_order(count);
  for (std::size_t last = order.size(); last > 1; --last) {
    const auto words = key.words(last);
    const auto bits = std::uint64_t{words[0]} << 32 | words[1];
    std::swap(order[last - 1], order[below(last, bits)]);
  }
  return order;
}

void detail::check_epoch(std::int64_t size, std::int64_t batch_size,
                         std::span<const std::int64_t> order) {
  if (batch_size < 1) {
    throw UsageError("Epoch",
                     "batch size is " + std::to_string(batch_size) + ", at least 1 is required");
  }
  for (const auto sample : order) {
    if (sample < 0 || sample >= size) {
      throw UsageError("Epoch", "sample " + std::to_string(sample) + " of a data set of " +
                                    std::to_string(size));
    }
  }
}

void detail::check_whole(const BatchPart& part) {
  if (part != BatchPart{}) {
    throw UsageError("in_batches", "pieces of a sequence are whole, part " +
                                       std::to_string(part.number) + " of " +
                                       std::to_string(part.count) + " was asked for");
  }
}

void detail::check_part(const BatchPart& part) {
  if (part.number < 0 || part.number >= part.count) {
    throw UsageError("Epoch", "there is no part " + std::to_string(part.number) + " of " +
                                  std::to_string(part.count));
  }
}

}  // namespace ddx::data
