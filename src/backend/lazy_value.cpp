#include "backend/lazy_value.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/detail/out_of_memory.h"

#include "backend/failure.h"

#include <atomic>
#include <exception>
#include <memory>
#include <utility>

namespace ddx::backend {

void LazyValue::mark(void* /*owner*/) noexcept {}

void set_value_on_device(Block& block, Producer& residency,
                         std::unique_ptr<const DeviceElements> elements) noexcept {
  LazyValue& lazy_value = *lazy_value_of(block);
  lazy_value.on_device = std::move(elements);
  lazy_value.result = LazyValue::on_a_device;
  lazy_value.producer.store(&residency, std::memory_order_release);
}

void set_value(Block& block, Buffer elements) noexcept {
  LazyValue& lazy_value = *lazy_value_of(block);
  lazy_value.elements = std::move(elements);
  block.data = lazy_value.elements.data();
  block.written.store(0, std::memory_order_release);
}

void set_error(Block& block, const std::exception_ptr& error) noexcept {
  block.failure = Failure::of(error);
}

void set_error(Block& block, const Block& broken) noexcept {
  block.failure = broken.failure->shared();
}

void materialise(const Block& block) {
  const ddx::detail::SharedUse use;
  auto& pending = const_cast<Block&>(block);
  const LazyValue& lazy_value = *lazy_value_of(pending);
  // A trace may keep it on a device; then it is for another to bring the elements here.
  Producer* asked = nullptr;
  for (Producer* producer = lazy_value.producer.load(std::memory_order_acquire);
       producer != nullptr && producer != asked && is_lazy(block);
       producer = lazy_value.producer.load(std::memory_order_acquire)) {
    ddx::detail::with_memory_for("evaluate", [&] { producer->materialise(pending); });
    asked = producer;
  }
}

}  // namespace ddx::backend
