/// \file
/// Objects that a thread keeps between two uses, because to make them costs more than to use them.

#pragma once

#include "ddx/ad/detail/owned.h"

#include <cstddef>
#include <utility>

namespace ddx::detail {

/// An owner that takes its object from those that the calling thread keeps, or makes one. At the
/// end the object is reset, by `reset()`, and kept by the thread that ends the owner.
///
/// Cost: measured 8 ns for an object that was kept, without its reset.
template <class T>
class Reused {
 public:
  /// A thread keeps so many: as many as sweeps are usually nested.
  static constexpr std::size_t most_kept = 4;

  /// Throws: std::bad_alloc.
  Reused() : object_(take()) {}
  Reused(Reused&& other) noexcept = default;
  Reused& operator=(Reused&& other) noexcept = default;
  ~Reused() {
    if (object_) {
      object_->reset();
      keep(std::move(object_));
    }
  }

  [[nodiscard]] T* get() const noexcept { return object_.get(); }
  [[nodiscard]] T& operator*() const noexcept { return *object_; }
  [[nodiscard]] T* operator->() const noexcept { return object_.get(); }

 private:
  struct Kept {
    Owned<T> objects[most_kept];
    std::size_t count = 0;

    ~Kept() { has_ended = true; }
    /// Objects that end after this one, such as thread_local ones, are not kept.
    static inline constinit thread_local bool has_ended = false;
  };

  static Kept& kept() noexcept {
    static thread_local Kept objects;
    return objects;
  }

  static Owned<T> take() {
    if (!Kept::has_ended) {
      Kept& objects = kept();
      if (objects.count > 0) {
        return std::move(objects.objects[--objects.count]);
      }
    }
    return make_owned<T>();
  }

  static void keep(Owned<T> object) noexcept {
    if (!Kept::has_ended) {
      Kept& objects = kept();
      if (objects.count < most_kept) {
        objects.objects[objects.count++] = std::move(object);
      }
    }
  }

  Owned<T> object_;
};

}  // namespace ddx::detail
