#include "ddx/ad/detail/shadow_segments.h"

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <sys/resource.h>

namespace ddx::detail {

namespace {

/// Whether what is reserved here is lost for the rest of the process.
bool is_address_space_limited() noexcept {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

ShadowSegments::~ShadowSegments() {
  for (std::size_t i = 0; i < count_; ++i) {
    ::munmap(segments_[i].memory, segment_bytes);
  }
}

char* ShadowSegments::get(std::uintptr_t bits) noexcept {
  char* const known = find(bits);
  if (known != nullptr || count_ == most_segments || is_address_space_limited()) {
    return known;
  }
  void* const memory = ::mmap(nullptr, segment_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return nullptr;
  }
  // A large page would be made zero for the first number in it.
  (void)::madvise(memory, segment_bytes, MADV_NOHUGEPAGE);
  segments_[count_++] = {bits / segment_bytes, static_cast<char*>(memory)};
  return find(bits);
}

bool ShadowSegments::clear() noexcept {
  bool all = true;
  for (std::size_t i = 0; i < count_; ++i) {
    all = ::madvise(segments_[i].memory, segment_bytes, MADV_DONTNEED) == 0 && all;
  }
  return all;
}

}  // namespace ddx::detail
