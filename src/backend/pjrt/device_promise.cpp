#include "backend/pjrt/device_promise.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"

#include "backend/pjrt/device_buffer.h"
#include "backend/promise.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

namespace ddx::backend::pjrt {
namespace {

using Owner = std::shared_ptr<const DeviceBuffer>;

/// The elements in the memory of the process.
Buffer on_host(const DeviceArray& array, DType dtype) {
  const std::size_t bytes = static_cast<std::size_t>(array.shape().count()) * info(dtype).bytes;
  if (bytes == 0) {
    array.buffer()->ready().await("run by PJRT");
    return Buffer(1);
  }
  const std::byte* const place = array.buffer()->elements_in_place();
  if (place != nullptr && reinterpret_cast<std::uintptr_t>(place) % Buffer::alignment == 0) {
    auto owner = std::make_unique<Owner>(array.buffer());
    // Nobody writes into what is borrowed.
    Buffer elements = Buffer::borrowed(const_cast<std::byte*>(place), owner.get(),
                                       [](void* one) noexcept { delete static_cast<Owner*>(one); });
    (void)owner.release();
    return elements;
  }
  Buffer elements(bytes);
  array.buffer()->take_to_host({elements.data(), bytes});
  return elements;
}

/// Why the run that made an array has left it without meaning; null where it has not.
std::exception_ptr error_of_run(const DeviceArray& array) noexcept {
  try {
    return array.run() == nullptr ? nullptr : array.run()->error_of(array.result());
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

void DeviceKeeper::fulfil(Block& block) noexcept {
  const DeviceArray& array = *array_of(block);
  // Not under the lock: to say what is wrong, a run looks at its parameters.
  std::exception_ptr error = error_of_run(array);
  const auto number = reinterpret_cast<std::uintptr_t>(&block) / Buffer::alignment;
  const std::scoped_lock lock(mutexes_[(number ^ (number >> 6)) % mutexes_.size()]);
  if (!is_promised(block) || block.failure != nullptr) {
    return;
  }
  try {
    if (error == nullptr) {
      keep_promise(block, on_host(array, promise_of(block)->dtype));
    }
  } catch (...) {
    error = std::current_exception();
  }
  if (error != nullptr) {
    break_promise(block, error);
  }
}

const DeviceArray* DeviceKeeper::array_of(Block& block) const noexcept {
  const Promise* const promise = promise_of(block);
  if (promise == nullptr || promise->promiser.load(std::memory_order_acquire) != this) {
    return nullptr;
  }
  return static_cast<const DeviceArray*>(promise->on_device.get());
}

}  // namespace ddx::backend::pjrt
