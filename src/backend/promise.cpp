#include "backend/promise.h"

#include "ddx/backend/buffer.h"

#include "backend/failure.h"

#include <atomic>
#include <exception>
#include <utility>

namespace ddx::backend {

void Promise::mark(void* /*owner*/) noexcept {}

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

void fulfil(const Block& block) noexcept {
  auto& promised = const_cast<Block&>(block);
  if (Promiser* promiser = promise_of(promised)->promiser) {
    promiser->fulfil(promised);
  }
}

}  // namespace ddx::backend
