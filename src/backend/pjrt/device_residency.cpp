#include "backend/pjrt/device_residency.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"

#include "backend/pjrt/device_buffer.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace ddx::backend::pjrt {

Buffer DeviceResidency::on_host(const KeptArray& array, DType dtype) const {
  using Owner = std::shared_ptr<const DeviceBuffer>;
  const Owner& buffer = static_cast<const DeviceArray&>(array).elements();
  const std::size_t bytes = static_cast<std::size_t>(array.shape().count()) * info(dtype).bytes;
  if (bytes == 0) {
    buffer->ready().await("run by PJRT");
    return Buffer(1);
  }
  const std::byte* const place = buffer->elements_in_place();
  if (place != nullptr && reinterpret_cast<std::uintptr_t>(place) % Buffer::alignment == 0) {
    auto owner = std::make_unique<Owner>(buffer);
    // What is borrowed is not written.
    Buffer elements = Buffer::borrowed(const_cast<std::byte*>(place), owner.get(),
                                       [](void* one) noexcept { delete static_cast<Owner*>(one); });
    (void)owner.release();
    return elements;
  }
  Buffer elements(bytes);
  if (place != nullptr) {
    std::memcpy(elements.data(), place, bytes);
  } else {
    buffer->copy_to_host({elements.data(), bytes}).await("copy from a PJRT device");
  }
  return elements;
}

}  // namespace ddx::backend::pjrt
