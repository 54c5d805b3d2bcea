/// \file
/// Cotangents and tangents of objects whose tangents are objects too, such as tensors, by address.

#pragma once

#include "ddx/ad/detail/accumulate.h"
#include "ddx/ad/detail/owned.h"
#include "ddx/ad/tangent.h"

#include <cstddef>
#include <utility>

namespace ddx::detail {

/// The tangent of one object, of whichever type.
struct ObjectTangent {
  ObjectTangent() = default;
  ObjectTangent(const ObjectTangent&) = delete;
  ObjectTangent& operator=(const ObjectTangent&) = delete;
  virtual ~ObjectTangent() = default;

  /// Adds `from`, a tangent of the same type, which may lend its memory.
  virtual void add(ObjectTangent& from) = 0;
  [[nodiscard]] virtual Owned<ObjectTangent> copy() const = 0;
};

/// One of type `Tangent`.
template <class Tangent>
struct ObjectTangentOf final : ObjectTangent {
  explicit ObjectTangentOf(Tangent given) : value(std::move(given)) {}

  void add(ObjectTangent& from) override {
    accumulate_into<true>(value, static_cast<ObjectTangentOf&>(from).value);
  }
  [[nodiscard]] Owned<ObjectTangent> copy() const override {
    return make_owned<ObjectTangentOf>(value);
  }

  Tangent value;
};

/// The tangents of objects by their addresses. An object that has none has the tangent zero.
///
/// For several threads at a time.
class ObjectTangents {
 public:
  ObjectTangents() noexcept = default;
  ObjectTangents(const ObjectTangents&) = delete;
  ObjectTangents& operator=(const ObjectTangents&) = delete;
  ~ObjectTangents();

  /// Adds to the tangent of the object.
  ///
  /// Throws: std::bad_alloc; what the sum of two tangents throws.
  void add(const void* object, Owned<ObjectTangent> tangent);

  /// Replaces the tangent of the object.
  ///
  /// Throws: std::bad_alloc.
  void set(const void* object, Owned<ObjectTangent> tangent);

  /// Returns the tangent, or null, and leaves none.
  [[nodiscard]] Owned<ObjectTangent> take(const void* object) noexcept;

  /// Returns a copy of the tangent, or null.
  ///
  /// Throws: std::bad_alloc.
  [[nodiscard]] Owned<ObjectTangent> copy(const void* object) const;

  /// Removes the tangents of objects that begin in a range of memory.
  ///
  /// Cost: proportional to the smaller of the range and the number of tangents.
  void clear(const void* begin, std::size_t bytes) noexcept;

  /// Removes all tangents.
  void reset() noexcept;

  [[nodiscard]] bool is_empty() const noexcept { return all_ == nullptr; }

 private:
  struct All;
  All& all();

  All* all_ = nullptr;  ///< Owned. Read and written as an atomic object.
};

/// Adds `tangent` to that of an object of type `T`.
///
/// Throws: as ObjectTangents::add.
template <class T>
void add_object_tangent(ObjectTangents& objects, const T* object, TangentOf<T> tangent) {
  objects.add(object, make_owned<ObjectTangentOf<TangentOf<T>>>(std::move(tangent)));
}

/// Returns the tangent in `found`, that of an object of type `T`; a symbolic zero where there is
/// none.
template <class T>
[[nodiscard]] TangentOf<T> tangent_in(const Owned<ObjectTangent>& found) {
  return found ? std::move(static_cast<ObjectTangentOf<TangentOf<T>>&>(*found).value)
               : TangentOf<T>{};
}

}  // namespace ddx::detail
