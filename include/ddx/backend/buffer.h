/// \file
/// Reference-counted memory for the elements of tensors.

#pragma once

#include "ddx/core/single_threaded.h"
#include "ddx/ops/kernel.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ddx::backend {

class Failure;

/// What stands in the 64 bytes before the data of a buffer; where that is borrowed, at the begin of
/// a Loan. The last three tell what queued calls have to do with it; the queue writes them.
struct Block : ops::Storage {
  std::atomic<std::size_t> owners;
  std::byte* data;
  std::size_t size_class = 0;
  Block* next = nullptr;                        // In a pool's list of free blocks.
  void (*give_back)(void*) noexcept = nullptr;  // Null where the memory is ours.
  std::atomic<std::uint64_t> written{0};        // The last queued call that writes it; 0: none; or
                                                // lazy_elements.
  std::atomic<std::uint64_t> used{0};           // The last one that reads or writes it; 0: none.
  Failure* failure = nullptr;                   // Why that call failed; null where it did not.
};

/// The number of the call that writes a block whose elements are lazy and not materialised.
inline constexpr std::uint64_t lazy_elements = 0xFFFFFFFFFFFFFFFF;

/// The block that the elements of a view lie in; null where they lie in none, as a number on the
/// stack.
[[nodiscard]] inline Block* block_of(const ops::View& view) noexcept {
  return static_cast<Block*>(view.storage());
}

/// Returns when no queued call is left that writes the block, and lazy elements are materialised.
///
/// Throws:  what the last one has failed with, or the lazy elements.
void await_elements(const Block& block);

/// Returns when no queued call is left that reads or writes the block.
void await_unused(const Block& block) noexcept;

/// A block of memory, aligned to 64 bytes, shared by count. Copies share; the last one gives the
/// block back to a pool of the thread it is on, so that small tensors cost no malloc.
///
/// A pool keeps at most 256 MiB, or as much as is missing from what tensors own to the most they
/// have owned; it is emptied when its thread ends. Blocks of 1 MiB or more are cut from memory of
/// all threads, of which half of the most is kept on top, until the end or reset_memory_peak.
class Buffer {
 public:
  static constexpr std::size_t alignment = 64;

  Buffer() = default;  ///< No memory.

  /// A block of at least `bytes` bytes with indeterminate content.
  ///
  /// Throws:  EnvironmentError where the system has no more memory.
  explicit Buffer(std::size_t bytes) : Buffer(bytes, false) {}

  /// A block as above that calls alone write first: earlier calls may not be done with it yet,
  /// which is no matter, because calls keep their order.
  [[nodiscard]] static Buffer for_calls(std::size_t bytes) { return {bytes, true}; }

  /// Memory of another owner, aligned like ours. The last copy calls `give_back(owner)`, on its
  /// thread. It never counts as unshared, so it is never written.
  ///
  /// Throws:  EnvironmentError where the system has no memory for the count; `give_back` has not
  ///          been called then.
  [[nodiscard]] static Buffer borrowed(void* data, void* owner, void (*give_back)(void*) noexcept);

  /// A block without memory, for elements that are computed when they are awaited
  /// (src/backend/lazy_value.h). It never counts as unshared.
  ///
  /// Throws:  EnvironmentError where the system has no memory for the block.
  [[nodiscard]] static Buffer lazy();

  /// The block, which others own as well.
  explicit Buffer(Block& block) noexcept : block_(&block) { add_owner(); }

  /// As above, of a block that no other thread has seen yet. Cheaper.
  [[nodiscard]] static Buffer of_own(Block& block) noexcept {
    const std::size_t owners = block.owners.load(std::memory_order_relaxed);
    block.owners.store(owners + 1, std::memory_order_relaxed);
    Buffer buffer;
    buffer.block_ = &block;
    return buffer;
  }

  Buffer(const Buffer& other) noexcept : block_(other.block_) {
    if (block_ != nullptr) {
      add_owner();
    }
  }
  Buffer(Buffer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Buffer& operator=(Buffer other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Buffer() { release(); }

  /// The first byte; null where there is no memory.
  [[nodiscard]] std::byte* data() const noexcept {
    return block_ == nullptr ? nullptr : block_->data;
  }

  /// Whether this is the only owner of memory, so that writing is seen by no one else.
  [[nodiscard]] bool unshared() const noexcept {
    return block_ != nullptr && block_->give_back == nullptr &&
           block_->owners.load(std::memory_order_acquire) == 1;
  }

  /// Whether the elements are lazy and have not been observed yet.
  [[nodiscard]] bool is_lazy() const noexcept {
    return block_ != nullptr && block_->written.load(std::memory_order_acquire) == lazy_elements;
  }

  /// How many share the block.
  [[nodiscard]] std::size_t owners() const noexcept {
    return block_ == nullptr ? 0 : block_->owners.load(std::memory_order_acquire);
  }

  /// The block; null where there is no memory.
  [[nodiscard]] Block* block() const noexcept { return block_; }

  /// Returns when the elements are those that the calls so far have given it.
  ///
  /// Throws:  what the call that writes them has failed with.
  void await_elements() const {
    if (block_ != nullptr && block_->written.load(std::memory_order_acquire) != 0) {
      backend::await_elements(*block_);
    }
  }

  /// As above, and no call is left that reads them.
  void await_unused() const {
    if (block_ != nullptr && block_->used.load(std::memory_order_relaxed) != 0) {
      backend::await_unused(*block_);
      backend::await_elements(*block_);
    }
  }

  friend bool operator==(const Buffer& a, const Buffer& b) noexcept { return a.block_ == b.block_; }

 private:
  Buffer(std::size_t bytes, bool for_calls);

  void add_owner() const noexcept {
    if (is_single_threaded()) {
      block_->owners.store(block_->owners.load(std::memory_order_relaxed) + 1,
                           std::memory_order_relaxed);
    } else {
      block_->owners.fetch_add(1, std::memory_order_relaxed);
    }
  }
  /// Returns whether none is left.
  [[nodiscard]] bool remove_owner() const noexcept {
    if (is_single_threaded()) {
      const std::size_t left = block_->owners.load(std::memory_order_relaxed) - 1;
      block_->owners.store(left, std::memory_order_relaxed);
      return left == 0;
    }
    return block_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  void release() noexcept {
    if (block_ != nullptr && remove_owner()) {
      recycle(block_);
    }
  }
  /// A block with the owner of borrowed data. Not known here: a derivative does not follow tensors
  /// through a class with a void*.
  struct Loan;

  static void recycle(Block* block) noexcept;

  Block* block_ = nullptr;
};

}  // namespace ddx::backend
