#include "ddx/ad/detail/tape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace ddx::detail {

namespace {

constexpr std::uintptr_t large_page_bytes = std::uintptr_t{2} << 20;

/// Asks for large pages, which the system hands out and makes zero in fewer steps: for the whole
/// ones of a range.
void advise_large_pages(char* begin, std::size_t bytes) noexcept {
  const auto from = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (from + large_page_bytes - 1) / large_page_bytes * large_page_bytes;
  const std::uintptr_t last = (from + bytes) / large_page_bytes * large_page_bytes;
  if (first < last) {
    (void)::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
  }
}

}  // namespace

Tape::~Tape() {
  free_from(first_);
}

char* Tape::push_to_next_chunk(std::size_t bytes) {
  Chunk* next = chunk_ == nullptr ? first_ : chunk_->after;
  if (next != nullptr && size_of(next) < bytes) {  // Too small, and so are those behind it, mostly.
    free_from(next);
    next = nullptr;
    (chunk_ == nullptr ? first_ : chunk_->after) = nullptr;
  }
  if (next == nullptr) {
    next = new_chunk(chunk_, bytes);
    (chunk_ == nullptr ? first_ : chunk_->after) = next;
  }
  if (chunk_ != nullptr) {
    chunk_->filled = cursor_;
  }
  used_bytes_ = std::max(used_bytes_, next->total);
  enter(next, next->begin + bytes);
  return next->begin;
}

char* Tape::pop_from_chunk_before(std::size_t bytes) noexcept {
  Chunk* const before = chunk_->before;
  enter(before, before->filled - bytes);
  return cursor_;
}

void Tape::reset() noexcept {
  is_written_ = false;
  enter(nullptr, nullptr);
  const std::size_t limit = std::max(kept_bytes, std::min(used_bytes_, used_bytes_before_));
  used_bytes_before_ = std::exchange(used_bytes_, 0);
  Chunk** link = &first_;
  while (*link != nullptr && (*link)->total <= limit) {
    link = &(*link)->after;
  }
  free_from(*link);
  *link = nullptr;
}

std::size_t Tape::held_bytes() const noexcept {
  std::size_t bytes = 0;
  for (const Chunk* chunk = first_; chunk != nullptr; chunk = chunk->after) {
    bytes += size_of(chunk);
  }
  return bytes;
}

Tape::Chunk* Tape::new_chunk(Chunk* before, std::size_t bytes) {
  std::size_t size = before == nullptr ? first_chunk_bytes : 2 * size_of(before);
  size = size > largest_chunk_bytes ? largest_chunk_bytes : size;
  size = size < bytes ? bytes : size;
  constexpr std::size_t header_bytes = (sizeof(Chunk) + alignment - 1) / alignment * alignment;
  char* const memory = static_cast<char*>(::operator new(header_bytes + size));
  char* const begin = memory + header_bytes;
  advise_large_pages(begin, size);
  const std::size_t total = size + (before == nullptr ? 0 : before->total);
  return ::new (static_cast<void*>(memory))
      Chunk{before, nullptr, begin, begin + size, begin, total};
}

void Tape::free_from(Chunk* chunk) noexcept {
  while (chunk != nullptr) {
    Chunk* const after = chunk->after;
    ::operator delete(static_cast<void*>(chunk));
    chunk = after;
  }
}

}  // namespace ddx::detail
