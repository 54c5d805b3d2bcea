#include "ddx/ad/detail/tape.h"

#include <cstddef>
#include <new>

namespace ddx::detail {

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
  std::size_t kept = 0;
  Chunk** link = &first_;
  while (*link != nullptr && kept + size_of(*link) <= kept_bytes) {
    kept += size_of(*link);
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
  return ::new (static_cast<void*>(memory)) Chunk{before, nullptr, begin, begin + size, begin};
}

void Tape::free_from(Chunk* chunk) noexcept {
  while (chunk != nullptr) {
    Chunk* const after = chunk->after;
    ::operator delete(static_cast<void*>(chunk));
    chunk = after;
  }
}

}  // namespace ddx::detail
