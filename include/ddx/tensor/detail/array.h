/// \file
/// A tensor without its C++ type: storage, shape, dtype, device.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/kernel.h"

#include <cstddef>
#include <utility>

namespace ddx::detail {

/// What a Tensor<Scalar> wraps, so that all but the thin typed shell is compiled once. Copy on
/// write.
class Array {
 public:
  // To the compiler: a copy has elements of its own, and they may be real. A derivative does not
  // follow them into an array that lies bare, and the compiler says so.
  using DdxSelfContained = void;
  using DdxHoldsReals = void;

  /// A symbolic zero: rank 0, reads as zero, owns no memory, belongs to every device.
  explicit Array(DType dtype) noexcept : dtype_(dtype) {}

  /// Elements of indeterminate value.
  ///
  /// Throws:  EnvironmentError where the system has no more memory.
  Array(const Shape& shape, DType dtype, Device device);

  /// As above, for the results of kernels only: they are the first to write it.
  [[nodiscard]] static Array for_kernels(const Shape& shape, DType dtype, Device device);

  /// The elements in this memory, in row-major order; as many bytes as they take, unchecked.
  Array(backend::Buffer buffer, const Shape& shape, DType dtype, Device device) noexcept
      : buffer_(std::move(buffer)), shape_(shape), device_(device), dtype_(dtype) {}

  /// The elements of `other`, shared, in another shape of the same count.
  Array(const Array& other, const Shape& shape)
      : buffer_(other.buffer_), shape_(shape), device_(other.device_), dtype_(other.dtype_) {}

  /// The memory of `other`, shared, as elements of another type that fill it as well.
  Array(Array other, const Shape& shape, DType dtype)
      : buffer_(std::move(other.buffer_)), shape_(shape), device_(other.device_), dtype_(dtype) {}

  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] DType dtype() const noexcept { return dtype_; }
  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] bool is_symbolic_zero() const noexcept { return buffer_.block() == nullptr; }
  /// Whether this is the only owner of the elements. Always false on a lazy device, since recorded
  /// operations may read them.
  [[nodiscard]] bool unshared() const noexcept { return !device_.is_lazy() && buffer_.unshared(); }
  /// How many share the storage; 0 for a symbolic zero.
  [[nodiscard]] std::size_t owners() const noexcept { return buffer_.owners(); }
  [[nodiscard]] bool shares_storage_with(const Array& other) const noexcept {
    return !is_symbolic_zero() && buffer_ == other.buffer_;
  }

  /// The elements in row-major order, to read; one zero for a symbolic zero. Waits for queued work
  /// on them.
  ///
  /// Throws:  what that work has failed with.
  [[nodiscard]] const void* data() const;

  /// The elements, to write, after unsharing them. A symbolic zero becomes a scalar of value zero.
  /// Waits for queued work with them.
  ///
  /// Throws:  as data(); EnvironmentError where the system has no more memory.
  [[nodiscard]] void* mutable_data();

  /// The elements of an array that was just created and is not shared, to write on the host.
  [[nodiscard]] void* fresh_data() const noexcept { return buffer_.data(); }

  /// The same elements as a kernel sees them, which runs after the queued work on them.
  [[nodiscard]] ops::View view() const noexcept {
    const void* elements = is_symbolic_zero()  ? zero()
                           : buffer_.is_lazy() ? nullptr
                                               : buffer_.data();
    return {elements, shape_, dtype_, buffer_.block()};
  }

  /// Makes it belong to another device that shares this one's memory.
  void set_device(Device device) noexcept { device_ = device; }

 private:
  /// What a symbolic zero reads as.
  [[nodiscard]] static const void* zero() noexcept;

  backend::Buffer buffer_;
  Shape shape_;
  Device device_;
  DType dtype_;
};

/// The array of a tensor of integers or truth values.
class DiscreteArray : public Array {
 public:
  using DdxHoldsNoReals = void;
  using Array::Array;
  explicit DiscreteArray(Array array) noexcept : Array(std::move(array)) {}
};

}  // namespace ddx::detail
