/// \file
/// Derivatives of operations on the bits of reals: what masks do to signs, and selections.

#pragma once

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/memory_tangents.h"

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// The integer with as many bits as `Real`.
template <class Real>
using BitsOf = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;

/// The mask of the sign of `Real`.
template <class Real>
inline constexpr BitsOf<Real> sign_bit = BitsOf<Real>{1} << (8 * sizeof(Real) - 1);

/// Whether the bits are those of a number with a minus sign.
template <class Real>
[[nodiscard]] constexpr bool is_signed(BitsOf<Real> bits) noexcept {
  return (bits & sign_bit<Real>) != 0;
}

/// Returns the cotangent of `own` in `own & other`: of a selection by a mask, of an absolute value
/// or of a sign.
///
/// Throws: UsageError where `other` does anything else to a number that has a cotangent.
template <class Real>
[[nodiscard]] Real bits_and(Real cotangent, BitsOf<Real> own, BitsOf<Real> other) {
  constexpr auto all = static_cast<BitsOf<Real>>(-1);
  if (other == 0 || other == sign_bit<Real>) {
    return 0;
  }
  if (other == all) {
    return cotangent;
  }
  if (cotangent != 0 && other != (all ^ sign_bit<Real>)) {
    throw_changed_bits();
  }
  return is_signed<Real>(own) ? -cotangent : cotangent;
}

/// As bits_and, in `own | other`: of a selection, or with a sign that is set.
template <class Real>
[[nodiscard]] Real bits_or(Real cotangent, BitsOf<Real> own, BitsOf<Real> other) {
  if (other == 0) {
    return cotangent;
  }
  if (own == 0) {
    return 0;
  }
  if (cotangent != 0 && other != sign_bit<Real>) {
    throw_changed_bits();
  }
  return is_signed<Real>(own) ? cotangent : -cotangent;
}

/// As bits_and, in `own ^ other`: with a sign that changes.
template <class Real>
[[nodiscard]] Real bits_xor(Real cotangent, BitsOf<Real> /*own*/, BitsOf<Real> other) {
  if (other == 0) {
    return cotangent;
  }
  if (cotangent != 0 && other != sign_bit<Real>) {
    throw_changed_bits();
  }
  return -cotangent;
}

/// Adds to the cotangent of the number at `address`, which may be none if `cotangent` is zero.
template <class Real>
void add_to_bits(MemorySweep& sweep, const void* address, Real cotangent) {
  if (cotangent != 0 || reinterpret_cast<std::uintptr_t>(address) % sizeof(Real) == 0) {
    *sweep.place<Real>(address) += cotangent;
  }
}

/// Takes the cotangent of the number at `address`, if one is there; it is zero then.
template <class Real>
[[nodiscard]] Real take_from_bits(MemorySweep& sweep, const void* address) {
  if (reinterpret_cast<std::uintptr_t>(address) % sizeof(Real) != 0) {
    return 0;
  }
  return sweep.take<Real>(address);
}

/// Returns the tangent of the number at `address`, if one is there, else zero.
template <class Real>
[[nodiscard]] Real tangent_of_bits(MemoryTangents& tangents, const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % sizeof(Real) == 0
             ? *tangents.place<Real>(address)
             : Real{0};
}

/// Sets the tangent of the number at `address`, which may be none if `tangent` is zero.
template <class Real>
void set_tangent_of_bits(MemoryTangents& tangents, const void* address, Real tangent) {
  if (tangent != 0 || reinterpret_cast<std::uintptr_t>(address) % sizeof(Real) == 0) {
    *tangents.place<Real>(address) = tangent;
  }
}

}  // namespace ddx::detail
