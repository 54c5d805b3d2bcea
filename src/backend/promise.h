/// \file
/// Elements that are made when somebody awaits them.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>

namespace ddx::backend {

/// Makes the elements that it has promised. Outlives all promises.
class Promiser {
 public:
  /// Returns when the promise is kept or broken. Any thread may ask.
  ///
  /// Throws:  EnvironmentError or std::bad_alloc where memory runs out; the promise is then still
  /// to
  ///          be kept.
  virtual void fulfil(Block& block) = 0;

 protected:
  ~Promiser() = default;
};

/// Elements in the memory of a device, as whoever keeps promises there has them.
class DeviceElements {
 public:
  DeviceElements() = default;
  DeviceElements(const DeviceElements&) = delete;
  DeviceElements& operator=(const DeviceElements&) = delete;
  virtual ~DeviceElements() = default;
};

/// What stands in the 64 bytes behind a block whose elements are promised: who has promised them,
/// as which result of what element type; later, what they lie in.
///
/// A promise of a trace is kept in the memory of the process at once, or first on a device: then it
/// is still promised, by whoever keeps promises there, and `on_device` says where it lies. There it
/// stays also when somebody has looked at it.
struct Promise {
  /// Marks such a block as nobody's to write; never called.
  static void mark(void* owner) noexcept;

  /// From here on results are placeholders: arguments of a function that is staged, in their order.
  static constexpr std::uint32_t first_placeholder = 0x80000000;
  /// Of a promise that is kept on a device.
  static constexpr std::uint32_t on_a_device = 0xFFFFFFFF;
  [[nodiscard]] bool is_placeholder() const noexcept { return is_array() && result != on_a_device; }
  /// Whether it is an array to a trace, not the result of one of its operations.
  [[nodiscard]] bool is_array() const noexcept { return result >= first_placeholder; }

  std::atomic<Promiser*> promiser{nullptr};
  std::uint32_t result = 0;  // By the promiser's count.
  DType dtype = DType::f32;
  Buffer elements;
  std::unique_ptr<const DeviceElements> on_device;
};

/// The promise of a block that has one.
[[nodiscard]] inline Promise& promise_in(Block& block) noexcept {
  return *reinterpret_cast<Promise*>(reinterpret_cast<std::byte*>(&block) + Buffer::alignment);
}

/// The promise of a block, kept or not; null where its elements have never been promised.
[[nodiscard]] inline Promise* promise_of(Block& block) noexcept {
  return block.give_back != Promise::mark ? nullptr : &promise_in(block);
}

/// Whether the elements of a block have been promised, and are not there.
[[nodiscard]] inline bool is_promised(const Block& block) noexcept {
  return block.written.load(std::memory_order_acquire) == promised_elements;
}

/// Lets the block of a promise have these elements, which lie on a device: from then on `keeper` is
/// who has promised them. Once.
void keep_promise_on_device(Block& block, Promiser& keeper,
                            std::unique_ptr<const DeviceElements> elements) noexcept;

/// Lets the block of a promise have these elements. Once.
void keep_promise(Block& block, Buffer elements) noexcept;

/// Lets whoever looks at the elements of a promise get this error. Once.
void break_promise(Block& block, const std::exception_ptr& error) noexcept;
/// As above, with the error for which the promise of another block was broken.
void break_promise(Block& block, const Block& broken) noexcept;

/// Returns when the promise of the block is kept in the memory of the process, or broken.
///
/// Throws:  EnvironmentError where memory runs out; the promise is then still to be kept.
void fulfil(const Block& block);

}  // namespace ddx::backend
