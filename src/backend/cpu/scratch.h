/// \file
/// Memory that a kernel needs for the time of its call.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/error.h"

#include <cstddef>
#include <cstdint>

namespace ddx::backend::cpu {

/// A block from the pool of buffers, uninitialised. Kernels must not fail, so a scratch that got no
/// memory says so, and the kernel computes by the reference kernel, which needs none.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::int64_t count) noexcept {
    try {
      buffer_ = Buffer(static_cast<std::size_t>(count) * sizeof(T));
    } catch (const EnvironmentError&) {
      buffer_ = Buffer();
    }
  }

  [[nodiscard]] explicit operator bool() const noexcept { return buffer_.data() != nullptr; }
  [[nodiscard]] T* data() const noexcept { return reinterpret_cast<T*>(buffer_.data()); }

 private:
  Buffer buffer_;
};

}  // namespace ddx::backend::cpu
