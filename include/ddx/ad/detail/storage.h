/// \file
/// Room for an object that is constructed piece by piece.

#pragma once

#include "ddx/ad/detail/lifetime.h"

#include <type_traits>

namespace ddx::detail {

/// Raw storage for a `T`. The code around it constructs the members of `get()` one after the other,
/// then calls `complete()`; from then on leaving the scope destroys the object. Where an exception
/// comes earlier, nothing is destroyed.
template <class T>
class Storage {
 public:
  Storage() noexcept {}
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage() {
    if (complete_) {
      destroy(object);
    }
  }

  /// The object, or the room for it.
  [[nodiscard]] T& get() noexcept { return object; }
  [[nodiscard]] const T& get() const noexcept { return object; }

  /// Says that the object is now alive.
  void complete() noexcept { complete_ = true; }

 private:
  union {
    T object;
  };
  bool complete_ = false;
};

/// The object of a type without destructor needs no ending.
template <class T>
  requires std::is_trivially_destructible_v<T>
class Storage<T> {
 public:
  Storage() noexcept {}
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  [[nodiscard]] T& get() noexcept { return object; }
  [[nodiscard]] const T& get() const noexcept { return object; }
  void complete() noexcept {}

 private:
  union {
    T object;
  };
};

}  // namespace ddx::detail
