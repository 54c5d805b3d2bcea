#include "backend/promise.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/detail/out_of_memory.h"

#include "backend/failure.h"

#include <atomic>
#include <exception>
#include <memory>
#include <utility>

namespace ddx::backend {

void Promise::mark(void* /*owner*/) noexcept {}

void keep_promise_on_device(Block& block, Promiser& keeper,
                            std::unique_ptr<const DeviceElements> elements) noexcept {
  Promise& promise = *promise_of(block);
  promise.on_device = std::move(elements);
  promise.result = Promise::on_a_device;
  promise.promiser.store(&keeper, std::memory_order_release);
}

void keep_promise(Block& block, Buffer elements) noexcept {
  Promise& promise = *promise_of(block);
  promise.elements = std::move(elements);
  block.data = promise.elements.data();
  block.written.store(0, std::memory_order_release);
}

void break_promise(Block& block, const std::exception_ptr& error) noexcept {
  block.failure = Failure::of(error);
}

void break_promise(Block& block, const Block& broken) noexcept {
  block.failure = broken.failure->shared();
}

void fulfil(const Block& block) {
  const ddx::detail::SharedUse use;
  auto& promised = const_cast<Block&>(block);
  const Promise& promise = *promise_of(promised);
  // A trace may keep it on a device; then it is for another to bring the elements here.
  Promiser* asked = nullptr;
  for (Promiser* promiser = promise.promiser.load(std::memory_order_acquire);
       promiser != nullptr && promiser != asked && is_promised(block);
       promiser = promise.promiser.load(std::memory_order_acquire)) {
    ddx::detail::with_memory_for("evaluate", [&] { promiser->fulfil(promised); });
    asked = promiser;
  }
}

}  // namespace ddx::backend
