#include "ddx/ad/detail/shadow_segments.h"

#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <sys/resource.h>

namespace ddx::detail {

namespace {

/// Whether what is reserved here is lost for the rest of the process.
bool is_address_space_limited() noexcept {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

constexpr std::size_t bits_of_word = 64;
constexpr std::size_t used_bytes =
    ShadowSegments::segment_bytes / ShadowSegments::page_bytes / CHAR_BIT;

/// Each segment is moved by another multiple of a cache line below one page. Processors compare the
/// lower 12 bits of addresses alone before a load passes a store: a loop that loads numbers and
/// stores what belongs to their neighbours would wait in each iteration.
constexpr std::size_t cache_line = 64;
constexpr unsigned skews = ShadowSegments::page_bytes / cache_line;

std::size_t next_skew() noexcept {
  constexpr unsigned step = 27;  // Few neighbours among the first ones.
  static std::atomic<unsigned> count = 0;
  return cache_line * (count.fetch_add(step, std::memory_order_relaxed) + step) %
         (cache_line * skews);
}

constexpr std::size_t reserved_bytes = ShadowSegments::segment_bytes + ShadowSegments::page_bytes;

/// Address space without memory, which reads as zeros; null where the system reserves none.
void* reserve(std::size_t bytes) noexcept {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

ShadowSegments::~ShadowSegments() {
  for (std::size_t i = 0; i < count_; ++i) {
    ::munmap(segments_[i].memory, reserved_bytes);
    ::munmap(segments_[i].used, used_bytes);
  }
}

const ShadowSegments::Segment* ShadowSegments::find(std::uintptr_t bits) noexcept {
  const std::uintptr_t number = bits / segment_bytes;
  for (std::size_t i = 0; i < count_; ++i) {
    if (segments_[i].number == number) {
      return &segments_[i];
    }
  }
  if (count_ == most_segments || is_address_space_limited()) {
    return nullptr;
  }
  void* const memory = reserve(reserved_bytes);
  void* const used = memory == nullptr ? nullptr : reserve(used_bytes);
  if (used == nullptr) {
    if (memory != nullptr) {
      ::munmap(memory, reserved_bytes);
    }
    return nullptr;
  }
  // A large page would be made zero for the first number in it.
  (void)::madvise(memory, reserved_bytes, MADV_NOHUGEPAGE);
  segments_[count_] = {number, static_cast<char*>(memory), next_skew(),
                       static_cast<std::uint64_t*>(used)};
  return &segments_[count_++];
}

ShadowSegments::Mirror ShadowSegments::get(std::uintptr_t page) noexcept {
  const Segment* const segment = find(page);
  if (segment == nullptr) {
    return {nullptr, false};
  }
  const std::size_t index = page % segment_bytes / page_bytes;
  std::uint64_t& word = segment->used[index / bits_of_word];
  const std::uint64_t bit = std::uint64_t{1} << index % bits_of_word;
  const bool is_used = (word & bit) != 0;
  word |= bit;
  used_pages_ += is_used ? 0 : 1;
  return {segment->memory + segment->skew + page % segment_bytes, is_used};
}

void ShadowSegments::clear() noexcept {
  for (std::size_t i = 0; i < count_; ++i) {
    // Pages that the system does not take stay marked.
    if (::madvise(segments_[i].memory, reserved_bytes, MADV_DONTNEED) == 0) {
      std::memset(segments_[i].used, 0, used_bytes);
    }
  }
  used_pages_ = 0;
}

}  // namespace ddx::detail
