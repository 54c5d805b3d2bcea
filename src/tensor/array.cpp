#include "ddx/tensor/detail/array.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"

#include <cstddef>
#include <cstring>

namespace ddx::detail {
namespace {

std::size_t bytes_of(const Shape& shape, DType dtype) {
  return static_cast<std::size_t>(shape.count()) * info(dtype).bytes;
}

}  // namespace

Array::Array(const Shape& shape, DType dtype, Device device)
    : buffer_(bytes_of(shape, dtype)), shape_(shape), device_(device), dtype_(dtype) {}

Array Array::for_kernels(const Shape& shape, DType dtype, Device device) {
  if (device.is_lazy()) {
    return {backend::Buffer::lazy(), shape, dtype, device};
  }
  return {backend::Buffer::for_calls(bytes_of(shape, dtype)), shape, dtype, device};
}

const void* Array::zero() noexcept {
  // Every element type has the zero of all bits zero.
  alignas(
      backend::Buffer::alignment) static constexpr std::byte bytes[backend::Buffer::alignment] = {};
  return bytes;
}

const void* Array::data() const {
  buffer_.await_elements();
  return is_symbolic_zero() ? zero() : buffer_.data();
}

void* Array::mutable_data() {
  if (!buffer_.unshared()) {
    backend::Buffer own(bytes_of(shape_, dtype_));
    std::memcpy(own.data(), data(), bytes_of(shape_, dtype_));
    buffer_ = std::move(own);
  }
  buffer_.await_unused();
  return buffer_.data();
}

}  // namespace ddx::detail
