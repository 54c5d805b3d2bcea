#include "backend/large_memory.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <type_traits>

namespace ddx::backend {
LargeMemory& LargeMemory::instance() noexcept {
  // Never destroyed: static tensors give their memory back late.
  static_assert(std::is_trivially_destructible_v<LargeMemory>);
  static constinit LargeMemory memory;
  return memory;
}

std::byte* LargeMemory::take(std::size_t bytes) noexcept {
  const std::scoped_lock lock(mutex_);
  for (Part** place = &highest_; *place != nullptr; place = &(*place)->lower) {
    Part* const part = *place;
    if (part->bytes < bytes) {
      continue;
    }
    // From its end, so that what is left begins where it did.
    part->bytes -= bytes;
    kept_ -= bytes;
    std::byte* const memory = reinterpret_cast<std::byte*>(part) + part->bytes;
    if (part->bytes == 0) {
      *place = part->lower;
    }
    return memory;
  }
  return nullptr;
}

std::byte* LargeMemory::take_new(std::size_t bytes) noexcept {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return nullptr;
  }
  // A wish, in pages of 2 MB: streams are 1.6 times as fast in them (Zen 4, two arrays of 40 MB),
  // since the processor knows few pages at a time, and the system clears them at once. Mappings lie
  // side by side, so small ones fill such pages together, and nothing is in memory that was not
  // asked for.
  (void)madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<std::byte*>(memory);
}

void LargeMemory::keep(std::byte* memory, std::size_t bytes) noexcept {
  const std::scoped_lock lock(mutex_);
  kept_ += bytes;
  Part** place = &highest_;
  Part** place_above = nullptr;
  while (*place != nullptr && reinterpret_cast<std::byte*>(*place) > memory) {
    place_above = place;
    place = &(*place)->lower;
  }
  Part* const below = *place;
  Part* part = nullptr;
  if (below != nullptr && reinterpret_cast<std::byte*>(below) + below->bytes == memory) {
    below->bytes += bytes;
    part = below;
  } else {
    part = ::new (static_cast<void*>(memory)) Part{below, bytes};
    *place = part;
  }
  if (place_above != nullptr && reinterpret_cast<std::byte*>(part) + part->bytes ==
                                    reinterpret_cast<std::byte*>(*place_above)) {
    part->bytes += (*place_above)->bytes;
    *place_above = part;
  }
}

void LargeMemory::trim(std::size_t most) noexcept {
  const std::scoped_lock lock(mutex_);
  while (kept_ > most) {
    Part** place = &highest_;
    while ((*place)->lower != nullptr) {
      place = &(*place)->lower;
    }
    Part* const lowest = *place;
    const std::size_t wanted = (kept_ - most + page - 1) / page * page;
    const std::size_t bytes = std::min(lowest->bytes, wanted);
    Part* left = nullptr;
    if (bytes < lowest->bytes) {
      left =
          ::new (reinterpret_cast<std::byte*>(lowest) + bytes) Part{nullptr, lowest->bytes - bytes};
    }
    *place = left;
    kept_ -= bytes;
    (void)munmap(lowest, bytes);
  }
}

std::size_t LargeMemory::kept() const noexcept {
  const std::scoped_lock lock(mutex_);
  return kept_;
}

}  // namespace ddx::backend
