#include "ddx/ad/detail/object_tangents.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace ddx::detail {

struct ObjectTangents::All {
  mutable std::mutex mutex;
  std::unordered_map<std::uintptr_t, Owned<ObjectTangent>> by_address;
};

namespace {

std::uintptr_t address_of(const void* object) noexcept {
  return reinterpret_cast<std::uintptr_t>(object);
}

}  // namespace

ObjectTangents::~ObjectTangents() {
  delete all_;
}

/// Several threads may ask for the first one.
ObjectTangents::All& ObjectTangents::all() {
  All* known = __atomic_load_n(&all_, __ATOMIC_ACQUIRE);
  if (known == nullptr) {
    Owned<All> made = make_owned<All>();
    if (__atomic_compare_exchange_n(&all_, &known, made.get(), false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
      known = made.release();
    }
  }
  return *known;
}

void ObjectTangents::add(const void* object, Owned<ObjectTangent> tangent) {
  All& all = this->all();
  const std::lock_guard lock(all.mutex);
  Owned<ObjectTangent>& sum = all.by_address[address_of(object)];
  if (sum) {
    sum->add(*tangent);
  } else {
    sum = std::move(tangent);
  }
}

void ObjectTangents::set(const void* object, Owned<ObjectTangent> tangent) {
  All& all = this->all();
  const std::lock_guard lock(all.mutex);
  all.by_address[address_of(object)] = std::move(tangent);
}

Owned<ObjectTangent> ObjectTangents::take(const void* object) noexcept {
  All* const all = __atomic_load_n(&all_, __ATOMIC_ACQUIRE);
  Owned<ObjectTangent> taken;
  if (all != nullptr) {
    const std::lock_guard lock(all->mutex);
    const auto found = all->by_address.find(address_of(object));
    if (found != all->by_address.end()) {
      taken = std::move(found->second);
      all->by_address.erase(found);
    }
  }
  return taken;
}

Owned<ObjectTangent> ObjectTangents::copy(const void* object) const {
  const All* const all = __atomic_load_n(&all_, __ATOMIC_ACQUIRE);
  if (all == nullptr) {
    return {};
  }
  const std::lock_guard lock(all->mutex);
  const auto found = all->by_address.find(address_of(object));
  return found == all->by_address.end() ? Owned<ObjectTangent>() : found->second->copy();
}

void ObjectTangents::clear(const void* begin, std::size_t bytes) noexcept {
  All* const all = __atomic_load_n(&all_, __ATOMIC_ACQUIRE);
  if (all == nullptr) {
    return;
  }
  const std::lock_guard lock(all->mutex);
  auto& known = all->by_address;
  const std::uintptr_t first = address_of(begin);
  // No object with a tangent of its own is smaller than a pointer.
  if (bytes / sizeof(void*) > known.size()) {
    std::erase_if(known, [&](const auto& one) { return one.first - first < bytes; });
    return;
  }
  for (std::uintptr_t at = first; at - first < bytes; at += sizeof(void*)) {
    known.erase(at);
  }
}

void ObjectTangents::reset() noexcept {
  if (all_ != nullptr) {
    all_->by_address.clear();
  }
}

}  // namespace ddx::detail
