#include "backend/pjrt/mesh_array.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"

#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/mesh_parts.h"
#include "backend/promise.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

std::size_t bytes_of(const Shape& shape, DType dtype) {
  return static_cast<std::size_t>(shape.count()) * info(dtype).bytes;
}

/// Why the run that made an array has left it without meaning; null where it has not.
std::exception_ptr error_of_run(const MeshArray& array) noexcept {
  try {
    return array.run() == nullptr ? nullptr : array.run()->error_of(array.result());
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

Buffer MeshKeeper::on_host(const MeshArray& array, DType dtype) const {
  const auto& [buffers, sharding] = *array.buffers();
  const std::size_t bytes = bytes_of(array.shape(), dtype);
  Buffer elements(std::max<std::size_t>(bytes, 1));
  if (bytes == 0) {
    buffers.front().ready().await("run by PJRT");
    return elements;
  }
  if (is_replicated(sharding)) {
    buffers.front().take_to_host({elements.data(), bytes});
    return elements;
  }
  std::vector<Part> known;
  std::vector<std::byte> copied;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const Part part = part_of(array.shape(), sharding, mesh_, i);
    if (std::ranges::find(known, part) != known.end()) {
      continue;  // Another device has the same.
    }
    known.push_back(part);
    const std::byte* place = buffers[i].elements_in_place();
    if (place == nullptr) {
      copied.resize(bytes_of(part.shape, dtype));
      buffers[i].take_to_host(copied);
      place = copied.data();
    }
    copy_in(elements.data(), array.shape(), part, info(dtype).bytes, place);
  }
  return elements;
}

void MeshKeeper::fulfil(Block& block) noexcept {
  const MeshArray& array = *array_of(block);
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

const MeshArray* MeshKeeper::array_of(Block& block) const noexcept {
  const Promise* const promise = promise_of(block);
  if (promise == nullptr || promise->promiser.load(std::memory_order_acquire) != this) {
    return nullptr;
  }
  return static_cast<const MeshArray*>(promise->on_device.get());
}

}  // namespace ddx::backend::pjrt
