#include "backend/pjrt/kept_array.h"

#include "ddx/backend/buffer.h"

#include "backend/lazy_value.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>

namespace ddx::backend::pjrt {

std::exception_ptr KeptArray::error() const noexcept {
  try {
    return run_ == nullptr ? nullptr : run_->error_of(result_);
  } catch (...) {
    return std::current_exception();
  }
}

void Residency::materialise(Block& block) noexcept {
  const KeptArray& array = *kept(block);
  // Not under the lock: to say what is wrong, a run looks at its parameters.
  std::exception_ptr error = array.error();
  const auto number = reinterpret_cast<std::uintptr_t>(&block) / Buffer::alignment;
  const std::scoped_lock lock(mutexes_[(number ^ (number >> 6)) % mutexes_.size()]);
  if (!is_lazy(block) || block.failure != nullptr) {
    return;
  }
  try {
    if (error == nullptr) {
      set_value(block, on_host(array, lazy_value_of(block)->dtype));
    }
  } catch (...) {
    error = std::current_exception();
  }
  if (error != nullptr && array.report() != nullptr) {
    error = array.report()->explained(error,
                                      array.run() == nullptr ? std::nullopt : array.run()->site());
  }
  if (error != nullptr) {
    set_error(block, error);
  }
}

const KeptArray* Residency::kept(Block& block) const noexcept {
  const LazyValue* const lazy_value = lazy_value_of(block);
  if (lazy_value == nullptr || lazy_value->producer.load(std::memory_order_acquire) != this) {
    return nullptr;
  }
  return static_cast<const KeptArray*>(lazy_value->on_device.get());
}

}  // namespace ddx::backend::pjrt
