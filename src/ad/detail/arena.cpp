#include "ddx/ad/detail/arena.h"

#include <algorithm>
#include <new>
#include <utility>

namespace ddx::detail {

Arena::~Arena() {
  run_cleanups(nullptr);
  free_chunks(std::exchange(first_, nullptr));
  chunk_ = nullptr;
  cursor_ = end_ = nullptr;
}

void* Arena::from_next_chunk(std::size_t bytes) {
  Chunk* last = chunk_;
  for (Chunk* chunk = next_of(last); chunk != nullptr; last = chunk, chunk = chunk->next) {
    if (static_cast<std::size_t>(chunk->end - begin_of(chunk)) >= bytes) {
      return enter(chunk, bytes);
    }
  }
  // What is small lies in the first chunk, whatever is asked for first.
  const bool skips_first = last == nullptr && bytes > first_chunk_bytes - cache_line;
  if (skips_first) {
    last = first_ = new_chunk(nullptr, 0);
    held_bytes_ = size_of(first_);
  }
  Chunk* const chunk = new_chunk(last, bytes);
  (last == nullptr ? first_ : last->next) = chunk;
  held_bytes_ += size_of(chunk);
  return enter(chunk, bytes);
}

void* Arena::enter(Chunk* chunk, std::size_t bytes) noexcept {
  chunk_ = chunk;
  end_ = chunk->end;
  cursor_ = begin_of(chunk) + bytes;
  reached_ = std::max(reached_, chunk->height);
  return begin_of(chunk);
}

Arena::Chunk* Arena::next_of(Chunk* chunk) const noexcept {
  return chunk == nullptr ? first_ : chunk->next;
}

std::byte* Arena::begin_of(Chunk* chunk) noexcept {
  return reinterpret_cast<std::byte*>(chunk) + cache_line;
}

std::size_t Arena::size_of(Chunk* chunk) noexcept {
  return static_cast<std::size_t>(chunk->end - reinterpret_cast<std::byte*>(chunk));
}

Arena::Chunk* Arena::new_chunk(Chunk* before, std::size_t bytes) {
  std::size_t size = before == nullptr ? first_chunk_bytes : 2 * size_of(before);
  if (size - cache_line < bytes) {
    size = cache_line + (bytes + cache_line - 1) / cache_line * cache_line;
  }
  void* const memory = ::operator new(size, std::align_val_t{cache_line});
  const std::size_t height = size + (before == nullptr ? 0 : before->height);
  return ::new (memory) Chunk{nullptr, static_cast<std::byte*>(memory) + size, height};
}

void Arena::free_chunks(Chunk* chunk) noexcept {
  while (chunk != nullptr) {
    Chunk* const next = chunk->next;
    ::operator delete(static_cast<void*>(chunk), std::align_val_t{cache_line});
    chunk = next;
  }
}

void Arena::trim() noexcept {
  const std::size_t reached = std::exchange(reached_, 0);
  std::size_t keep = kept_bytes;
  if (reached > kept_bytes) {
    keep = std::max(keep, std::min(reached, needed_));
    needed_ = reached;
    unused_ = 0;
  } else if (++unused_ < patience) {
    return;
  } else {
    needed_ = 0;
  }
  std::size_t kept = 0;
  Chunk** link = &first_;
  while (*link != nullptr && (*link)->height <= keep) {
    kept = (*link)->height;
    link = &(*link)->next;
  }
  free_chunks(std::exchange(*link, nullptr));
  held_bytes_ = kept;
}

}  // namespace ddx::detail
