/// \file
/// A growing array whose layout no option changes.

#pragma once

#include "ddx/ad/detail/failures.h"

#include <cstddef>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// Holds trivially copyable objects. Classes that programs and the library share hold this instead
/// of std::vector, whose layout is a different one with -D_GLIBCXX_DEBUG.
template <class T>
class PlainVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  PlainVector() = default;
  PlainVector(PlainVector&& other) noexcept
      : objects_(std::exchange(other.objects_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  PlainVector& operator=(PlainVector&& other) noexcept {
    std::swap(objects_, other.objects_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~PlainVector() { std::free(objects_); }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return objects_[i]; }
  [[nodiscard]] T& back() noexcept { return objects_[size_ - 1]; }

  /// Makes room for `count` objects.
  ///
  /// Throws: std::bad_alloc, where there is no memory.
  void reserve(std::size_t count) {
    if (count <= capacity_) {
      return;
    }
    void* const moved = std::realloc(objects_, count * sizeof(T));
    if (moved == nullptr) {
      throw_no_memory();
    }
    objects_ = static_cast<T*>(moved);
    capacity_ = count;
  }

  /// Throws: std::bad_alloc, where there is no memory.
  void push_back(const T& object) {
    if (size_ == capacity_) {
      const T kept = object;
      reserve(2 * capacity_ + 1);
      objects_[size_++] = kept;
    } else {
      objects_[size_++] = object;
    }
  }

  /// Removes all objects from number `count` on.
  void truncate(std::size_t count) noexcept { size_ = count < size_ ? count : size_; }

 private:
  T* objects_ = nullptr;  ///< Owned, from std::realloc.
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace ddx::detail
