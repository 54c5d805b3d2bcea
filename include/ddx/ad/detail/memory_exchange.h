/// \file
/// From tangents of objects to cotangents and tangents of memory, and back.

#pragma once

#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/memory_tangents.h"
#include "ddx/ad/detail/real_addresses.h"
#include "ddx/ad/detail/shadow_kinds.h"

#include <cstddef>
#include <cstdint>

namespace ddx::detail {

/// Sets the numbers in memory that belong to those of `object`.
template <class Object, class Tangent>
void set_in_memory(ShadowKinds& memory, const Object& object, const Tangent& tangent) {
  for_each_real<MissingTangents::AreZero>(
      object, tangent,
      [&]<class Real>(const Real* numbers, const Real* tangents, std::size_t count) {
        ShadowDirectory<Real>& directory = memory.of<Real>();
        for (std::size_t i = 0; i < count; ++i) {
          if (tangents[i] != 0) {
            *directory.place(numbers + i) = tangents[i];
          } else if (Real* const old =
                         directory.find(reinterpret_cast<std::uintptr_t>(numbers + i), 1).first) {
            *old = 0;
          }
        }
      });
}

/// Calls `use(tangent, number)` with the numbers of a tangent and those in memory that belong to
/// them; these may be missing in pages, which are zero.
template <class Object, class Tangent, class Use>
void for_each_in_memory(ShadowKinds& memory, const Object& object, Tangent& tangent,
                        const Use& use) {
  for_each_real<MissingTangents::AreAdded>(
      object, tangent, [&]<class Real>(const Real* numbers, Real* tangents, std::size_t count) {
        const ShadowDirectory<Real>& directory = memory.of<Real>();
        for (std::size_t done = 0; done < count;) {
          const auto run =
              directory.find(reinterpret_cast<std::uintptr_t>(numbers + done), count - done);
          for (std::size_t i = 0; i < run.count; ++i) {
            use(tangents[done + i], run.first == nullptr ? Real{0} : run.first[i]);
          }
          done += run.count;
        }
      });
}

/// Sets the cotangents of the numbers of `object`, in the sweep, to those of `tangent`.
///
/// An empty vector counts as zeros of any length, a key that a map lacks as zero.
///
/// Throws: UsageError where two vectors have different lengths, or a map has other keys.
template <class Object, class Tangent>
void set_cotangents(MemorySweep& sweep, const Object& object, const Tangent& tangent) {
  set_in_memory(sweep.cotangents(), object, tangent);
}

/// Adds the cotangents of the numbers of `object`, from the sweep, to those of `tangent`.
///
/// Empty vectors get the length of the object's, maps its keys.
///
/// Throws: UsageError where two vectors have different lengths, or a map has other keys.
template <class Object, class Tangent>
void add_cotangents(MemorySweep& sweep, const Object& object, Tangent& tangent) {
  for_each_in_memory(sweep.cotangents(), object, tangent,
                     [](auto& sum, auto cotangent) { sum += cotangent; });
}

/// As set_cotangents, for the tangents of a differential.
template <class Object, class Tangent>
void set_tangents(MemoryTangents& tangents, const Object& object, const Tangent& tangent) {
  set_in_memory(tangents.tangents(), object, tangent);
}

/// Sets the numbers of `tangent` to the tangents of those of `object`.
///
/// As for add_cotangents; what an optional or a variant does not hold becomes zero.
template <class Object, class Tangent>
void get_tangents(MemoryTangents& tangents, const Object& object, Tangent& tangent) {
  set_zero(tangent);
  for_each_in_memory(tangents.tangents(), object, tangent,
                     [](auto& into, auto value) { into = value; });
}

}  // namespace ddx::detail
