/// \file
/// What synthesised text asks of objects in memory: their cotangents and tangents, and a place for
/// new ones.

#pragma once

#include "ddx/ad/detail/arena.h"
#include "ddx/ad/detail/owned.h"

#include <cstddef>
#include <new>
#include <utility>

namespace ddx::detail {

/// Returns the cotangent of a number in memory, in the reverse sweep that `arena` serves. The
/// number need not exist any more. Valid until the next call.
template <class T>
[[nodiscard]] T& cotangent_of(Arena& arena, const T& number) {
  return arena.cotangents().at(number);
}

/// As cotangent_of, for the number `distance` bytes behind the begin of an object.
template <class T, class Object>
[[nodiscard]] T& cotangent_at(Arena& arena, const Object* object, std::size_t distance) {
  const auto* const begin = reinterpret_cast<const unsigned char*>(object);
  return arena.cotangents().at(*reinterpret_cast<const T*>(begin + distance));
}

/// The tangents of numbers in memory, of the differential that the calling thread is at.
struct TangentTable {
  static inline thread_local Owned<AddressTable> current;
};

/// A differential of its own while this object lives.
class TangentScope {
 public:
  TangentScope() noexcept : outer_(std::move(TangentTable::current)) {}
  TangentScope(const TangentScope&) = delete;
  TangentScope& operator=(const TangentScope&) = delete;
  ~TangentScope() { TangentTable::current = std::move(outer_); }

 private:
  Owned<AddressTable> outer_;
};

/// Returns the tangent of a number in memory. Valid until the next call.
template <class T>
[[nodiscard]] T& tangent_of(const T& number) {
  if (!TangentTable::current) {
    TangentTable::current = make_owned<AddressTable>();
  }
  return TangentTable::current->at(number);
}

/// Returns room for a `T`, as a new-expression takes it.
template <class T>
[[nodiscard]] T* allocate() {
  if constexpr (alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
    return static_cast<T*>(::operator new(sizeof(T), std::align_val_t{alignof(T)}));
  } else {
    return static_cast<T*>(::operator new(sizeof(T)));
  }
}

/// Gives the room back if its object is not finished.
template <class T>
class Unfinished {
 public:
  explicit Unfinished(T* place) noexcept : place_(place) {}
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  ~Unfinished() {
    if (place_ == nullptr) {
      return;
    }
    if constexpr (alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      ::operator delete(place_, std::align_val_t{alignof(T)});
    } else {
      ::operator delete(place_);
    }
  }

  void finish() noexcept { place_ = nullptr; }

 private:
  T* place_;
};

}  // namespace ddx::detail
