#include "ddx/ad/detail/address_table.h"

#include <memory>
#include <utility>

namespace ddx::detail {

AddressTable::~AddressTable() {
  const std::unique_ptr<Entry[]> owner(entries_);
}

void AddressTable::grow() {
  constexpr std::size_t first_capacity = 64;
  const std::size_t old_capacity = capacity_;
  const std::size_t larger = old_capacity == 0 ? first_capacity : 2 * old_capacity;
  const std::unique_ptr<Entry[]> old(
      std::exchange(entries_, std::make_unique<Entry[]>(larger).release()));
  capacity_ = larger;
  shift_ = 64;
  for (std::size_t size = larger; size > 1; size /= 2) {
    --shift_;
  }
  for (std::size_t i = 0; i < old_capacity; ++i) {
    if (old[i].address != nullptr) {
      find(old[i].address) = old[i];
    }
  }
}

}  // namespace ddx::detail
