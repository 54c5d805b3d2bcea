#include "ddx/backend/buffer.h"

#include "ddx/backend/memory_statistics.h"
#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"

#include "backend/failure.h"
#include "backend/large_memory.h"
#include "backend/lazy_value.h"
#include "backend/queue.h"
#include "core/detail/thread_object.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

namespace ddx::backend {
namespace {

// A block is never more than a quarter larger than asked for: four sizes per power of two.
constexpr std::size_t steps = 4;
constexpr std::size_t smallest = 64;
constexpr std::size_t size_classes = 4 * 40;
// What a pool keeps whatever the program has used before; also of large memory.
constexpr std::size_t pool_limit = std::size_t{256} << 20;
// Blocks from this size on are parts of large memory, which is cut and joined.
constexpr std::size_t large = std::size_t{1} << 20;

/// The bytes of data in a block of a class.
constexpr std::size_t bytes_of(std::size_t size_class) noexcept {
  const std::size_t base = smallest << (size_class / steps);
  return base + base / steps * (size_class % steps);
}

/// The smallest class that holds `bytes` bytes.
constexpr std::size_t class_of(std::size_t bytes) noexcept {
  if (bytes <= smallest) {
    return 0;
  }
  // bytes - 1 in [base, 2 base): the step it falls into, plus one.
  const auto power = static_cast<std::size_t>(std::bit_width((bytes - 1) / smallest)) - 1;
  const std::size_t base = smallest << power;
  return power * steps + (bytes - 1 - base) / (base / steps) + 1;
}

constexpr bool is_large(std::size_t size_class) noexcept {
  return bytes_of(size_class) >= large;
}

/// What a large block takes, with its header.
constexpr std::size_t pages_of(std::size_t size_class) noexcept {
  constexpr std::size_t page = LargeMemory::page;
  return (Buffer::alignment + bytes_of(size_class) + page - 1) / page * page;
}

static_assert(class_of(64) == 0 && class_of(65) == 1 && class_of(80) == 1 && class_of(81) == 2);
static_assert(bytes_of(0) == 64 && bytes_of(1) == 80 && bytes_of(4) == 128 && class_of(128) == 4);

/// The bytes that tensors own, of all threads, except for what threads have not reported yet.
/// Signed: a block may be given back on another thread than the one that took it, and be reported
/// earlier.
class Ledger {
 public:
  void add(std::ptrdiff_t bytes) noexcept {
    const std::ptrdiff_t now = in_use_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::ptrdiff_t most = peak_.load(std::memory_order_relaxed);
    while (now > most && !peak_.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
    }
  }
  void reset_peak() noexcept { peak_ = in_use(); }
  [[nodiscard]] std::ptrdiff_t in_use() const noexcept { return in_use_; }
  [[nodiscard]] std::ptrdiff_t peak() const noexcept { return peak_; }

 private:
  std::atomic<std::ptrdiff_t> in_use_{0};
  std::atomic<std::ptrdiff_t> peak_{0};
};

constinit Ledger ledger;

/// How many bytes of large memory are kept when `bytes` more are in use: what is missing to the
/// peak, and half of that more, since parts of many sizes never fill memory. (Of a training step of
/// ResNet-18 at 224 pixels the system clears 900 MB of pages again with a quarter, nothing so.)
std::size_t kept_beside(std::size_t bytes) noexcept {
  const std::ptrdiff_t peak = ledger.peak();
  const std::ptrdiff_t missing =
      peak + peak / 2 - ledger.in_use() - static_cast<std::ptrdiff_t>(bytes);
  return std::max(pool_limit, static_cast<std::size_t>(std::max<std::ptrdiff_t>(missing, 0)));
}

// A thread reports to the ledger when this much has changed: small tensors cost no shared counter.
constexpr std::ptrdiff_t told_bytes = std::ptrdiff_t{64} << 10;

}  // namespace

/// The free blocks of a thread.
class BufferPool {
 public:
  ~BufferPool() {
    tell();
    for (Block* first : free_) {
      while (first != nullptr) {
        Block* next = first->next;
        free(first);
        first = next;
      }
    }
  }

  /// The pool of this thread; null while the thread ends.
  static BufferPool* of_this_thread() noexcept {
    return ddx::detail::ThreadObject<BufferPool>::get();
  }

  /// A free block of the class, or null. One that calls are not done with yet is for calls alone.
  [[gnu::always_inline]] Block* take(std::size_t size_class, bool for_calls) noexcept {
    Block** const place = &free_[size_class];
    if (Block* const first = *place; first != nullptr && !was_queued(*first)) {
      *place = first->next;
      // Small blocks come one after the other: where the next one's data is, a lazy value, is
      // written.
      __builtin_prefetch(first->next);
      __builtin_prefetch(reinterpret_cast<const void*>(
          reinterpret_cast<std::uintptr_t>(first->next) + Buffer::alignment));
      held_ -= bytes_of(size_class);
      return first;
    }
    return *place == nullptr ? nullptr : take_queued(size_class, for_calls);
  }

  /// As above, where the first one has been used by calls.
  Block* take_queued(std::size_t size_class, bool for_calls) noexcept {
    Block** place = &free_[size_class];
    for (int looks = 0; looks < most_looks && *place != nullptr; ++looks) {
      Block* block = *place;
      const bool unused = is_done_with(*block);
      if (unused || for_calls) {
        *place = block->next;
        held_ -= bytes_of(size_class);
        if (unused && was_queued(*block)) {
          forget_calls(*block);
        }
        return block;
      }
      place = &block->next;
    }
    return nullptr;
  }

  /// Keeps the block; says no where the pool is full. It keeps what tensors have owned at their
  /// peak: the next training step asks for it again, and the system would clear each page again.
  /// A large one goes to those of all threads, unless calls are not done with it.
  bool keep(Block* block) noexcept {
    if (is_large(block->size_class) && is_done_with(*block)) {
      return false;
    }
    const std::size_t bytes = bytes_of(block->size_class);
    if (held_ + bytes > pool_limit && is_above_peak(bytes)) {
      return false;
    }
    held_ += bytes;
    block->next = free_[block->size_class];
    free_[block->size_class] = block;
    return true;
  }

  /// Gives free blocks back to the system, large ones first, down to the limit, where a new
  /// one of `bytes` bytes would make it more memory than the peak.
  void make_room(std::size_t bytes) noexcept {
    for (std::size_t i = size_classes; held_ > pool_limit && i-- > 0;) {
      while (free_[i] != nullptr && held_ > pool_limit && is_above_peak(bytes)) {
        Block* block = free_[i];
        free_[i] = block->next;
        held_ -= bytes_of(i);
        free(block);
      }
    }
  }

  /// Counts a block that was taken, or given back where `bytes` is negative.
  void count(std::ptrdiff_t bytes) noexcept {
    untold_ += bytes;
    allocations_ += bytes > 0 ? 1 : 0;
    if (untold_ >= told_bytes || untold_ <= -told_bytes) {
      tell();
    }
  }

  void tell() noexcept {
    ledger.add(untold_);
    untold_ = 0;
  }

  [[nodiscard]] std::size_t held() const noexcept { return held_; }
  [[nodiscard]] std::uint64_t allocations() const noexcept { return allocations_; }

  /// Gives the block back to the system, when calls are done with it.
  static void free(Block* block) noexcept {
    await_unused(*block);
    forget_calls(*block);
    const std::size_t size_class = block->size_class;
    block->~Block();
    if (is_large(size_class)) {
      LargeMemory::instance().keep(reinterpret_cast<std::byte*>(block), pages_of(size_class));
      LargeMemory::instance().trim(kept_beside(0));
    } else {
      ::operator delete(static_cast<void*>(block), std::align_val_t{Buffer::alignment});
    }
  }

 private:
  [[nodiscard]] static bool was_queued(const Block& block) noexcept {
    return block.used.load(std::memory_order_relaxed) != 0;
  }
  [[nodiscard]] static bool is_done_with(const Block& block) noexcept {
    return !was_queued(block) || is_unused(block);
  }

  /// Whether the blocks of tensors, the free ones and `bytes` more are above what tensors have
  /// owned at their peak.
  [[nodiscard]] bool is_above_peak(std::size_t bytes) const noexcept {
    return ledger.in_use() + static_cast<std::ptrdiff_t>(held_ + bytes) > ledger.peak();
  }

  // New memory is found sooner than an unused block at the end of a long list.
  static constexpr int most_looks = 4;

  std::array<Block*, size_classes> free_{};
  std::size_t held_ = 0;
  std::ptrdiff_t untold_ = 0;
  std::uint64_t allocations_ = 0;
};

struct Buffer::Loan : Block {
  void* owner;
};

namespace {

/// Throws:  EnvironmentError that says of how many bytes there was no memory, where there is memory
///          to say it.
[[noreturn]] void throw_no_memory(const char* operation, std::size_t bytes) {
  try {
    throw EnvironmentError(operation,
                           "the system has no " + std::to_string(bytes) + " bytes of memory left");
  } catch (const std::bad_alloc&) {
    throw ddx::detail::out_of_memory();
  }
}

/// Memory for a new block of the class; null where the system has none.
void* new_memory(BufferPool* pool, std::size_t size_class) noexcept {
  const std::size_t bytes = bytes_of(size_class);
  if (pool != nullptr) {
    pool->make_room(bytes);
  }
  if (!is_large(size_class)) {
    constexpr std::size_t header = Buffer::alignment;
    return ::operator new(header + bytes, std::align_val_t{Buffer::alignment}, std::nothrow);
  }
  LargeMemory& memory = LargeMemory::instance();
  if (std::byte* const kept = memory.take(pages_of(size_class)); kept != nullptr) {
    return kept;
  }
  memory.trim(kept_beside(bytes));
  return memory.take_new(pages_of(size_class));
}

/// Counts a block that a thread took, or gave back where `bytes` is negative.
void count(BufferPool* pool, std::ptrdiff_t bytes) noexcept {
  if (pool != nullptr) {
    pool->count(bytes);
  } else {
    ledger.add(bytes);
  }
}

}  // namespace

Buffer::Buffer(std::size_t bytes, bool for_calls) {
  static_assert(sizeof(Block) <= alignment);
  const std::size_t size_class = class_of(bytes);
  if (size_class >= size_classes) {
    throw EnvironmentError("allocate",
                           std::to_string(bytes) + " bytes are more than any memory has");
  }
  BufferPool* pool = BufferPool::of_this_thread();
  block_ = pool == nullptr ? nullptr : pool->take(size_class, for_calls);
  if (block_ != nullptr) {
    block_->owners.store(1, std::memory_order_relaxed);
    count(pool, static_cast<std::ptrdiff_t>(bytes_of(size_class)));
    return;
  }
  void* memory = new_memory(pool, size_class);
  if (memory == nullptr) {
    throw_no_memory("allocate", bytes);
  }
  block_ = ::new (memory) Block{{}, 1, static_cast<std::byte*>(memory) + alignment, size_class};
  count(pool, static_cast<std::ptrdiff_t>(bytes_of(size_class)));
}

Buffer Buffer::borrowed(void* data, void* owner, void (*give_back)(void*) noexcept) {
  void* memory = ::operator new(sizeof(Loan), std::align_val_t{alignment}, std::nothrow);
  if (memory == nullptr) {
    throw_no_memory("borrow", sizeof(Loan));
  }
  Buffer buffer;
  buffer.block_ =
      ::new (memory) Loan{{{}, 1, static_cast<std::byte*>(data), 0, nullptr, give_back}, owner};
  return buffer;
}

Buffer Buffer::lazy() {
  static_assert(sizeof(LazyValue) <= smallest);
  Buffer buffer;
  BufferPool* pool = BufferPool::of_this_thread();
  if (pool != nullptr && (buffer.block_ = pool->take(0, false)) != nullptr) {
    buffer.block_->owners.store(1, std::memory_order_relaxed);
    pool->count(static_cast<std::ptrdiff_t>(bytes_of(0)));
  } else {
    buffer = Buffer(sizeof(LazyValue));
  }
  ::new (static_cast<void*>(std::exchange(buffer.block_->data, nullptr))) LazyValue;
  buffer.block_->give_back = LazyValue::mark;
  buffer.block_->written.store(lazy_elements, std::memory_order_relaxed);
  return buffer;
}

void Buffer::recycle(Block* block) noexcept {
  if (LazyValue* lazy_value = lazy_value_of(*block)) {
    lazy_value->~LazyValue();
    block->data = reinterpret_cast<std::byte*>(lazy_value);
    block->give_back = nullptr;
    block->written.store(0, std::memory_order_relaxed);
    Failure::release(std::exchange(block->failure, nullptr));
  }
  if (block->give_back != nullptr) {
    backend::await_unused(*block);
    block->give_back(static_cast<Loan*>(block)->owner);
    BufferPool::free(block);
    return;
  }
  BufferPool* pool = BufferPool::of_this_thread();
  count(pool, -static_cast<std::ptrdiff_t>(bytes_of(block->size_class)));
  if (pool == nullptr || !pool->keep(block)) {
    BufferPool::free(block);
  }
}

MemoryStatistics memory_statistics() noexcept {
  BufferPool* pool = BufferPool::of_this_thread();
  if (pool != nullptr) {
    pool->tell();
  }
  const auto counted = [](std::ptrdiff_t bytes) {
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(bytes, 0));
  };
  return {counted(ledger.in_use()), counted(ledger.peak()),
          LargeMemory::instance().kept() + (pool == nullptr ? 0 : pool->held()),
          pool == nullptr ? 0 : pool->allocations()};
}

void reset_memory_peak() noexcept {
  if (BufferPool* pool = BufferPool::of_this_thread(); pool != nullptr) {
    pool->tell();
  }
  ledger.reset_peak();
  LargeMemory::instance().trim(kept_beside(0));
}

void release_kept_memory() noexcept {
  LargeMemory::instance().trim(0);
}

}  // namespace ddx::backend
