#include "ddx/ir/detail/pool.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ddx::ir::detail {

PoolIndex::PoolIndex() = default;
PoolIndex::PoolIndex(const PoolIndex& other) = default;
PoolIndex::PoolIndex(PoolIndex&& other) noexcept = default;
PoolIndex& PoolIndex::operator=(const PoolIndex& other) = default;
PoolIndex& PoolIndex::operator=(PoolIndex&& other) noexcept = default;
PoolIndex::~PoolIndex() = default;

void PoolIndex::put(std::size_t slot, std::uint64_t hash) noexcept {
  slots_[slot] = static_cast<std::uint32_t>(hashes_.size());
  hashes_.push_back(hash);
}

bool PoolIndex::has_same_hashes(const PoolIndex& other) const noexcept {
  return hashes_ == other.hashes_;
}

void PoolIndex::reserve() {
  hashes_.reserve(std::max<std::size_t>(16, 2 * hashes_.capacity()));
}

void PoolIndex::grow() {
  slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), empty);
  for (std::size_t number = 0; number < hashes_.size(); ++number) {
    std::size_t slot = first_slot(hashes_[number]);
    while (slots_[slot] != empty) {
      slot = slot_after(slot);
    }
    slots_[slot] = static_cast<std::uint32_t>(number);
  }
}

}  // namespace ddx::ir::detail
