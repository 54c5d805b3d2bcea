#include "ddx/ad/detail/shadow_directory.h"

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/memory_layer.h"
#include "ddx/ad/detail/memory_tangents.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

namespace ddx::detail {

namespace {

/// Held while a page is looked up in a directory that threads share. A page that gets a mirror may
/// be looked up too, since mirrors have tangents themselves.
std::recursive_mutex& shared_mutex() noexcept {
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace

void lock_shared_directories() noexcept {
  shared_mutex().lock();
}

void unlock_shared_directories() noexcept {
  shared_mutex().unlock();
}

template <class Real>
ShadowDirectory<Real>::ShadowDirectory() noexcept {
  std::memset(cache_, 0xFF, sizeof(cache_));  // no_page
}

template <class Real>
ShadowDirectory<Real>::~ShadowDirectory() {
  std::free(slots_);
  free_slabs_from(0);
}

template <class Real>
Real* ShadowDirectory<Real>::place_slowly(std::uintptr_t bits) {
  if (bits % sizeof(Real) != 0) {
    throw_unaligned_number(reinterpret_cast<const void*>(bits), sizeof(Real));
  }
  const std::uintptr_t page = bits & page_mask;
  std::unique_lock<std::recursive_mutex> lock;
  if (is_shared_) {
    lock = std::unique_lock(shared_mutex());
  }
  char* mirror = find_mirror(page);
  if (mirror == nullptr) {
    mirror = make_mirror(page);
  }
  if (is_shared_) {
    return reinterpret_cast<Real*>(mirror + bits % page_bytes);
  }
  CacheEntry& entry = cache_[index_in_cache(bits)];
  entry = {page, reinterpret_cast<std::uintptr_t>(mirror) - page};
  return reinterpret_cast<Real*>(bits + entry.distance);
}

template <class Real>
Real* ShadowDirectory<Real>::range_slowly(std::uintptr_t first, std::uintptr_t last) {
  if (is_shared_ || first > last || (first | last) % sizeof(Real) != 0 ||
      first / ShadowSegments::segment_bytes != last / ShadowSegments::segment_bytes) {
    return nullptr;
  }
  Real* const begin = place(reinterpret_cast<const void*>(first));
  const std::uintptr_t distance = reinterpret_cast<std::uintptr_t>(begin) - first;
  for (std::uintptr_t page = first & page_mask; page < (last & page_mask);) {
    page += page_bytes;
    const Real* const next = place(reinterpret_cast<const void*>(page));
    if (reinterpret_cast<std::uintptr_t>(next) - page != distance) {
      return nullptr;
    }
  }
  return begin;
}

template <class Real>
void ShadowDirectory<Real>::share(bool is_shared) noexcept {
  is_shared_ = is_shared;
  std::memset(cache_, 0xFF, sizeof(cache_));  // no_page, also in use by several threads
}

template <class Real>
char* ShadowDirectory<Real>::make_mirror(std::uintptr_t page) {
  if (2 * (mirror_count_ + 1) > slot_count_) {
    add_slots();
  }
  PageHold hold;
  char* mirror = layer_ == nullptr ? nullptr : layer_->borrow<Real>(page, hold);
  if (mirror == nullptr) {
    mirror = unused_mirror(page);
  } else {
    ++borrowed_count_;
  }
  slots_[slot_of(page)] = {page, mirror, hold};
  ++mirror_count_;
  return mirror;
}

template <class Real>
typename ShadowDirectory<Real>::HeldPage ShadowDirectory<Real>::make_page(std::uintptr_t page) {
  if (find_mirror(page) == nullptr) {
    (void)make_mirror(page);
  }
  return find_page(page);
}

template <class Real>
void ShadowDirectory<Real>::add_slots() {
  const std::size_t count = slot_count_ == 0 ? first_slots : 2 * slot_count_;
  auto* const slots = static_cast<Slot*>(std::malloc(count * sizeof(Slot)));
  if (slots == nullptr) {
    throw std::bad_alloc();
  }
  for (std::size_t i = 0; i < count; ++i) {
    slots[i] = {no_page, nullptr, {}};
  }
  Slot* const old = std::exchange(slots_, slots);
  const std::size_t old_count = std::exchange(slot_count_, count);
  shift_ = 64;
  for (std::size_t size = count; size > 1; size /= 2) {
    --shift_;
  }
  for (std::size_t i = 0; i < old_count; ++i) {
    if (old[i].page != no_page) {
      slots_[slot_of(old[i].page)] = old[i];
    }
  }
  std::free(old);
}

template <class Real>
char* ShadowDirectory<Real>::unused_mirror(std::uintptr_t page) {
  const ShadowSegments::Mirror mirror = segments_.get(page);
  char* const memory = mirror.memory == nullptr ? unused_in_slab() : mirror.memory;
  if (mirror.is_used) {
    std::memset(memory, 0, page_bytes);
  }
  MemoryTangents::clear_all(memory, page_bytes);
  return memory;
}

template <class Real>
char* ShadowDirectory<Real>::unused_in_slab() {
  if (slab_ < slabs_.size() && slabs_[slab_].used == slabs_[slab_].count) {
    ++slab_;
  }
  if (slab_ == slabs_.size()) {
    std::size_t count = slabs_.empty() ? first_slab_pages : 2 * slabs_.back().count;
    count = count > largest_slab_pages ? largest_slab_pages : count;
    slabs_.reserve(slabs_.size() + 1);
    // Large ones come from the system, zero without being written.
    void* const memory = std::calloc(count * page_bytes + mirror_alignment, 1);
    if (memory == nullptr) {
      throw std::bad_alloc();
    }
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    char* const mirrors = static_cast<char*>(memory) + (0 - begin) % mirror_alignment;
    slabs_.push_back({memory, mirrors, count, 0});
  }
  Slab& slab = slabs_[slab_];
  return slab.mirrors + page_bytes * slab.used++;
}

template <class Real>
void ShadowDirectory<Real>::reset() noexcept {
  if (mirror_count_ == 0) {
    return;
  }
  // A mirror in a segment is made zero where it is next used.
  const std::size_t used = (mirror_count_ - borrowed_count_) * page_bytes;
  const std::size_t limit = std::max(kept_bytes, 2 * std::min(used, used_bytes_before_));
  used_bytes_before_ = used;
  if (segments_.used_pages() * page_bytes > limit) {
    segments_.clear();
  }
  std::size_t kept = 0;
  std::size_t slab = 0;
  while (slab < slabs_.size() && kept + slabs_[slab].count * page_bytes <= kept_bytes) {
    kept += slabs_[slab].count * page_bytes;
    std::memset(slabs_[slab].mirrors, 0, std::exchange(slabs_[slab].used, 0) * page_bytes);
    ++slab;
  }
  free_slabs_from(slab);
  slab_ = 0;
  for (std::size_t i = 0; i < slot_count_; ++i) {
    if (slots_[i].page != no_page) {
      cache_[index_in_cache(slots_[i].page)].page = no_page;
      slots_[i] = {no_page, nullptr, {}};
    }
  }
  // After a use of many pages, uses of few should not clear many slots.
  if (slot_count_ > first_slots && slot_count_ > 8 * mirror_count_) {
    std::free(std::exchange(slots_, nullptr));
    slot_count_ = 0;
  }
  mirror_count_ = 0;
  borrowed_count_ = 0;
}

template <class Real>
void ShadowDirectory<Real>::free_slabs_from(std::size_t first) noexcept {
  for (std::size_t i = first; i < slabs_.size(); ++i) {
    std::free(slabs_[i].memory);
  }
  slabs_.truncate(first);
}

template class ShadowDirectory<double>;
template class ShadowDirectory<float>;
template class ShadowDirectory<long double>;

}  // namespace ddx::detail
