#include "backend/lazy/flush_points.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ddx::backend::lazy {
namespace {

/// The least number of operations after which the last ones have come three times; 0 where there is
/// none.
std::size_t period_of(std::span<const std::uint64_t> signatures) {
  const std::size_t count = signatures.size();
  for (std::size_t period = 1; 3 * period <= count; ++period) {
    const auto latest = signatures.last(2 * period);
    if (std::ranges::equal(latest, signatures.subspan(count - 3 * period, 2 * period))) {
      return period;
    }
  }
  return 0;
}

}  // namespace

bool FlushPoints::ends_here(std::uint64_t hash) noexcept {
  if (std::ranges::find(learned_, Sequence{count(), hash}) != learned_.end()) {
    return true;
  }
  if (count() >= most) {
    learn();
    return true;
  }
  look_ahead();
  return false;
}

void FlushPoints::look_ahead() noexcept {
  std::size_t length = most;
  for (const Sequence& sequence : learned_) {
    if (sequence.length > count()) {
      length = std::min(length, sequence.length);
    }
  }
  next_look_ = begin_ + length;
}

void FlushPoints::learn() noexcept {
  const std::size_t period = period_of(signatures_);
  if (period == 0) {
    return;
  }
  std::size_t length = (shortest + period - 1) / period * period;
  if (length > most) {
    length %= most;
  }
  if (length == 0 || length > signatures_.size()) {
    return;
  }
  std::uint64_t hash = empty_hash;
  for (const std::uint64_t signature : std::span(signatures_).last(length)) {
    hash = extended(hash, signature);
  }
  const Sequence sequence{length, hash};
  if (std::ranges::find(learned_, sequence) != learned_.end()) {
    return;
  }
  if (learned_.size() == most_sequences) {
    learned_.erase(learned_.begin());
  }
  learned_.push_back(sequence);
}

void FlushPoints::begin() noexcept {
  if (signatures_.size() > 2 * most_past) {
    signatures_.erase(signatures_.begin(), signatures_.end() - most_past);
  }
  begin_ = signatures_.size();
  look_ahead();
}

}  // namespace ddx::backend::lazy
