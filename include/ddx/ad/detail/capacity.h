/// \file
/// Room in vectors of tangents.

#pragma once

namespace ddx::detail {

/// Gives `tangent` as much room as `vector` has, so that references into it stay valid as long as
/// those into `vector`. The tangent of a vector that gets no new elements is passed as const.
///
/// Throws: std::bad_alloc.
template <class Tangent, class Vector>
constexpr void reserve_like(const Tangent& tangent, const Vector& vector) {
  if constexpr (requires(Tangent& grown) { grown.reserve(vector.capacity()); }) {
    const_cast<Tangent&>(tangent).reserve(vector.capacity());
  }
}

}  // namespace ddx::detail
