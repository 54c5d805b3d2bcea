/// \file
/// Elements that are computed when a caller awaits them.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>

namespace ddx::backend {

/// Computes the elements of its lazy values. Outlives all of them.
class Producer {
 public:
  /// Returns when the lazy value has its elements or an error. Any thread may call it.
  ///
  /// Throws:  EnvironmentError or std::bad_alloc where memory runs out; the value is then still
  /// lazy.
  virtual void materialise(Block& block) = 0;

 protected:
  ~Producer() = default;
};

/// Elements in the memory of a device, as its residency has them.
class DeviceElements {
 public:
  DeviceElements() = default;
  DeviceElements(const DeviceElements&) = delete;
  DeviceElements& operator=(const DeviceElements&) = delete;
  virtual ~DeviceElements() = default;
};

/// What is in the 64 bytes behind a block whose elements are lazy: their producer, which of its
/// results they are and of what element type; later, what they lie in.
///
/// A lazy value of a trace is materialised in the memory of the process, or first on a device: then
/// it is still lazy, its producer is the residency of the device, and `on_device` says where it
/// lies. There it stays also when it has been observed.
struct LazyValue {
  /// Marks such a block as one that no caller may write; never called.
  static void mark(void* owner) noexcept;

  /// From here on results are placeholders: arguments of a function that is staged, in their order.
  static constexpr std::uint32_t first_placeholder = 0x80000000;
  /// Of a lazy value that is on a device.
  static constexpr std::uint32_t on_a_device = 0xFFFFFFFF;
  [[nodiscard]] bool is_placeholder() const noexcept { return is_array() && result != on_a_device; }
  /// Whether it is an array to a trace, not the result of one of its operations.
  [[nodiscard]] bool is_array() const noexcept { return result >= first_placeholder; }

  std::atomic<Producer*> producer{nullptr};
  std::uint32_t result = 0;  // By the producer's count.
  DType dtype = DType::f32;
  Buffer elements;
  std::unique_ptr<const DeviceElements> on_device;
};

/// The lazy value of a block that has one.
[[nodiscard]] inline LazyValue& lazy_value_in(Block& block) noexcept {
  return *reinterpret_cast<LazyValue*>(reinterpret_cast<std::byte*>(&block) + Buffer::alignment);
}

/// The lazy value of a block, materialised or not; null where its elements have never been lazy.
[[nodiscard]] inline LazyValue* lazy_value_of(Block& block) noexcept {
  return block.give_back != LazyValue::mark ? nullptr : &lazy_value_in(block);
}

/// Whether the elements of a block are lazy and not materialised.
[[nodiscard]] inline bool is_lazy(const Block& block) noexcept {
  return block.written.load(std::memory_order_acquire) == lazy_elements;
}

/// Whether an operand is lazy and not materialised.
[[nodiscard]] inline bool is_awaited(const ops::View& view) {
  const Block* const block = block_of(view);
  return block != nullptr && is_lazy(*block) && block->failure == nullptr;
}

/// Whether an operand is lazy with elements of another type.
[[nodiscard]] inline bool has_other_dtype(const ops::View& view) {
  return is_awaited(view) && lazy_value_of(*block_of(view))->dtype != view.dtype();
}

/// Gives the block of a lazy value these elements, which lie on a device: from then on `residency`
/// is their producer. Once.
void set_value_on_device(Block& block, Producer& residency,
                         std::unique_ptr<const DeviceElements> elements) noexcept;

/// Gives the block of a lazy value these elements. Once.
void set_value(Block& block, Buffer elements) noexcept;

/// Makes every observation of the elements throw this error. Once.
void set_error(Block& block, const std::exception_ptr& error) noexcept;
/// As above, with the error of another block.
void set_error(Block& block, const Block& broken) noexcept;

/// Returns when the lazy value of the block is in the memory of the process, or has an error.
///
/// Throws:  EnvironmentError where memory runs out; the value is then still lazy.
void materialise(const Block& block);

}  // namespace ddx::backend
