/// \file
/// Memory for what a forward sweep saves: taken by moving a pointer, given back all at once.

#pragma once

#include "ddx/ad/detail/emit_macros.h"
#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/lifetime.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// A stack of raw memory that grows by chunks and keeps them for reuse.
///
/// Memory is never zeroed. Objects live until the mark below them is released; destructors, where
/// there are any, then run newest first. Measured on 2048 records of 112 doubles: 117 us, against
/// 342 us with `new[]` and 352 us with `std::vector`.
class Arena {
  struct Chunk {
    Chunk* next;
    std::byte* end;
    std::size_t height;  ///< Bytes of all chunks up to this one.
  };

  struct Cleanup {
    void (*destroy)(void* objects, std::size_t count) noexcept;
    void* objects;
    std::size_t count;
    Cleanup* older;
  };

 public:
  /// Arrays of at least this many bytes begin on a cache line, for the loops that stream them.
  static constexpr std::size_t streamed_bytes = 256;
  static constexpr std::size_t cache_line = 64;
  /// An arena that becomes empty keeps this much memory. It keeps what it used beyond only where
  /// that was needed again, until it goes unused `patience` times: fresh pages cost more than what
  /// a sweep does with them.
  static constexpr std::size_t kept_bytes = std::size_t{64} << 20;
  static constexpr int patience = 8;
  /// The first chunk; each further one is twice the one before it, or as large as is needed.
  static constexpr std::size_t first_chunk_bytes = std::size_t{64} << 10;

  /// A height of the stack.
  class Mark {
    friend class Arena;
    Mark(Chunk* chunk, std::byte* cursor, Cleanup* cleanups) noexcept
        : chunk_(chunk), cursor_(cursor), cleanups_(cleanups) {}

    Chunk* chunk_;
    std::byte* cursor_;
    Cleanup* cleanups_;
  };

  Arena() noexcept = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Ends every object and gives all memory back. The arena is then empty, and usable.
  ~Arena();

  /// Returns room for `count` objects whose lifetimes need no destructor; uninitialised.
  ///
  /// Throws: std::bad_alloc where memory is exhausted or `count` is absurd. Never null.
  template <class T>
  [[nodiscard]] DDX_INLINE T* alloc(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "use make or make_array");
    return room<T>(count);
  }

  /// As alloc, for types whose zero is all bits zero; filled with zeros.
  template <class T>
  [[nodiscard]] DDX_INLINE T* zeros(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    T* const objects = alloc<T>(count);
    std::memset(static_cast<void*>(objects), 0, count * sizeof(T));
    return objects;
  }

  /// Constructs a `T` that lives until release.
  ///
  /// Throws: std::bad_alloc, and what the constructor throws.
  template <class T, class... Args>
  T* make(Args&&... args) {
    Cleanup* const cleanup = cleanup_for<T>();
    T* const object = ::new (static_cast<void*>(room<T>(1))) T(std::forward<Args>(args)...);
    register_cleanup(cleanup, object, 1);
    return object;
  }

  /// Constructs `count` value-initialised objects that live until release, the last ending first.
  ///
  /// Throws: std::bad_alloc, and what a constructor throws; the objects before it are then ended.
  template <class T>
  T* make_array(std::size_t count) {
    Cleanup* const cleanup = cleanup_for<T>();
    T* const objects = room<T>(count);
    construct_values(objects, count);
    register_cleanup(cleanup, objects, count);
    return objects;
  }

  /// Returns the present height.
  [[nodiscard]] Mark mark() const noexcept { return {chunk_, cursor_, cleanups_}; }

  /// Ends everything made since `mark`, newest first, and takes its memory back. Marks are released
  /// in the reverse of the order in which they were taken; skipping some is allowed.
  void release(const Mark& mark) noexcept {
    run_cleanups(mark.cleanups_);
    chunk_ = mark.chunk_;
    cursor_ = mark.cursor_;
    end_ = chunk_ == nullptr ? nullptr : chunk_->end;
    if (chunk_ == nullptr && held_bytes_ > kept_bytes) {
      trim();
    }
  }

  /// True where what is in use fits into the second cache of a processor.
  [[nodiscard]] bool is_small() const noexcept {
    return chunk_ == nullptr || chunk_->height <= cached_bytes;
  }

  /// The memory held, in use or kept for reuse, in bytes.
  [[nodiscard]] std::size_t held_bytes() const noexcept { return held_bytes_; }

 private:
  static constexpr std::size_t small_alignment = 16;
  static constexpr std::size_t cached_bytes = std::size_t{1} << 20;

  template <class T>
  DDX_INLINE T* room(std::size_t count) {
    static_assert(alignof(T) <= cache_line, "an arena aligns to cache lines at most");
    if (count > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / sizeof(T))
        [[unlikely]] {
      throw_array_too_long();
    }
    const std::size_t bytes = count * sizeof(T);
    constexpr std::size_t least = alignof(T) > small_alignment ? alignof(T) : small_alignment;
    const std::size_t alignment = bytes >= streamed_bytes ? cache_line : least;
    const std::size_t padding = (0 - reinterpret_cast<std::uintptr_t>(cursor_)) & (alignment - 1);
    const auto available = static_cast<std::size_t>(end_ - cursor_);
    if (cursor_ == nullptr || available < padding || available - padding < bytes) [[unlikely]] {
      return static_cast<T*>(from_next_chunk(bytes));
    }
    std::byte* const begin = cursor_ + padding;
    cursor_ = begin + bytes;
    return static_cast<T*>(__builtin_assume_aligned(static_cast<void*>(begin), least));
  }

  /// Room at the beginning of the next chunk that is large enough, an old one or a new one.
  void* from_next_chunk(std::size_t bytes);

  void* enter(Chunk* chunk, std::size_t bytes) noexcept;

  [[nodiscard]] Chunk* next_of(Chunk* chunk) const noexcept;

  /// The header takes the first cache line of its chunk.
  static std::byte* begin_of(Chunk* chunk) noexcept;

  static std::size_t size_of(Chunk* chunk) noexcept;

  static Chunk* new_chunk(Chunk* before, std::size_t bytes);

  static void free_chunks(Chunk* chunk) noexcept;

  /// Frees the last chunks of an empty arena, down to what it keeps.
  void trim() noexcept;

  /// Room for the note that a `T` must be destroyed; taken first, so that nothing can fail between
  /// the construction and the note.
  template <class T>
  Cleanup* cleanup_for() {
    if constexpr (std::is_trivially_destructible_v<T>) {
      return nullptr;
    } else {
      return room<Cleanup>(1);
    }
  }

  template <class T>
  void register_cleanup(Cleanup* place, T* objects, std::size_t count) noexcept {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      const auto destroy = [](void* first, std::size_t number) noexcept {
        destroy_backward(static_cast<T*>(first), number);
      };
      cleanups_ = ::new (static_cast<void*>(place)) Cleanup{destroy, objects, count, cleanups_};
    }
  }

  void run_cleanups(Cleanup* until) noexcept {
    while (cleanups_ != until) {
      Cleanup* const cleanup = cleanups_;
      cleanups_ = cleanup->older;
      cleanup->destroy(cleanup->objects, cleanup->count);
    }
  }

  std::byte* cursor_ = nullptr;
  std::byte* end_ = nullptr;
  Chunk* chunk_ = nullptr;  ///< The chunk in use; null while the arena is empty.
  Chunk* first_ = nullptr;
  Cleanup* cleanups_ = nullptr;
  std::size_t held_bytes_ = 0;
  std::size_t reached_ = 0;  ///< The greatest height since the arena was empty.
  std::size_t needed_ = 0;   ///< The last such height beyond what is kept.
  int unused_ = 0;           ///< How often in a row the arena was emptied below that.
};

inline Arena::~Arena() {
  run_cleanups(nullptr);
  free_chunks(std::exchange(first_, nullptr));
  chunk_ = nullptr;
  cursor_ = end_ = nullptr;
}

inline void* Arena::from_next_chunk(std::size_t bytes) {
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

inline void* Arena::enter(Chunk* chunk, std::size_t bytes) noexcept {
  chunk_ = chunk;
  end_ = chunk->end;
  cursor_ = begin_of(chunk) + bytes;
  reached_ = reached_ < chunk->height ? chunk->height : reached_;
  return begin_of(chunk);
}

inline Arena::Chunk* Arena::next_of(Chunk* chunk) const noexcept {
  return chunk == nullptr ? first_ : chunk->next;
}

inline std::byte* Arena::begin_of(Chunk* chunk) noexcept {
  return reinterpret_cast<std::byte*>(chunk) + cache_line;
}

inline std::size_t Arena::size_of(Chunk* chunk) noexcept {
  return static_cast<std::size_t>(chunk->end - reinterpret_cast<std::byte*>(chunk));
}

inline Arena::Chunk* Arena::new_chunk(Chunk* before, std::size_t bytes) {
  std::size_t size = before == nullptr ? first_chunk_bytes : 2 * size_of(before);
  if (size - cache_line < bytes) {
    size = cache_line + (bytes + cache_line - 1) / cache_line * cache_line;
  }
  void* const memory = ::operator new(size, std::align_val_t{cache_line});
  const std::size_t height = size + (before == nullptr ? 0 : before->height);
  return ::new (memory) Chunk{nullptr, static_cast<std::byte*>(memory) + size, height};
}

inline void Arena::free_chunks(Chunk* chunk) noexcept {
  while (chunk != nullptr) {
    Chunk* const next = chunk->next;
    ::operator delete(static_cast<void*>(chunk), std::align_val_t{cache_line});
    chunk = next;
  }
}

inline void Arena::trim() noexcept {
  const std::size_t reached = std::exchange(reached_, 0);
  std::size_t keep = kept_bytes;
  if (reached > kept_bytes) {
    const std::size_t used_twice = reached < needed_ ? reached : needed_;
    keep = keep < used_twice ? used_twice : keep;
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

/// Returns the arena of the calling thread, made on first use.
[[nodiscard]] inline Arena& thread_arena() noexcept {
  static thread_local Arena arena;
  return arena;
}

/// Everything that an arena hands out while this object lives ends with it. Scopes nest: an inner
/// one leaves the outer one's objects alone.
class ArenaScope {
 public:
  /// Borrows the calling thread's arena, which keeps its memory from one gradient to the next.
  ArenaScope() noexcept : ArenaScope(thread_arena()) {}
  explicit ArenaScope(Arena& arena) noexcept : arena_(arena), mark_(arena.mark()) {}
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;
  ~ArenaScope() { arena_.release(mark_); }

  [[nodiscard]] Arena& arena() const noexcept { return arena_; }

 private:
  Arena& arena_;
  Arena::Mark mark_;
};

}  // namespace ddx::detail
