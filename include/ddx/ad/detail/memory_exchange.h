/// \file
/// From tangents of objects to cotangents and tangents of memory, and back.

#pragma once

#include "ddx/ad/detail/accumulate.h"
#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/memory_tangents.h"
#include "ddx/ad/detail/object_tangents.h"
#include "ddx/ad/detail/real_addresses.h"
#include "ddx/ad/detail/shadow_kinds.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// Whether the calling function is itself differentiated: the compiler makes it true there.
[[gnu::used]] static inline bool is_differentiated() noexcept __asm__("ddx.rt.is_differentiated");
bool is_differentiated() noexcept {
  return false;
}

/// Sets the tangents in memory that belong to the numbers and objects of `object`. Zeros need no
/// place, but have derivatives.
template <class Object, class Tangent>
void set_in_memory(ShadowKinds& memory, ObjectTangents& objects, const Object& object,
                   const Tangent& tangent) {
  for_each_real<MissingTangents::AreZero>(
      object, tangent, [&]<class Part>(const Part* parts, const auto* tangents, std::size_t count) {
        if constexpr (std::is_floating_point_v<Part>) {
          ShadowDirectory<Part>& directory = memory.of<Part>();
          for (std::size_t i = 0; i < count; ++i) {
            if (tangents[i] != 0 || is_differentiated()) {
              *directory.place(parts + i) = tangents[i];
            } else if (Part* const old =
                           directory.find(reinterpret_cast<std::uintptr_t>(parts + i), 1).first) {
              *old = 0;
            }
          }
        } else {
          (void)objects.take(parts);
          add_object_tangent(objects, parts, *tangents);
        }
      });
}

/// Calls `use(tangent, found)` with the numbers and objects of a tangent and what memory has for
/// them: numbers may be missing in pages, which are zero, and objects are taken.
template <class Object, class Tangent, class Use>
void for_each_in_memory(ShadowKinds& memory, ObjectTangents& objects, const Object& object,
                        Tangent& tangent, const Use& use) {
  for_each_real<MissingTangents::AreAdded>(
      object, tangent, [&]<class Part>(const Part* parts, auto* tangents, std::size_t count) {
        if constexpr (std::is_floating_point_v<Part>) {
          const ShadowDirectory<Part>& directory = memory.of<Part>();
          for (std::size_t done = 0; done < count;) {
            const auto run =
                directory.find(reinterpret_cast<std::uintptr_t>(parts + done), count - done);
            for (std::size_t i = 0; i < run.count; ++i) {
              use(tangents[done + i], run.first == nullptr ? Part{0} : run.first[i]);
            }
            done += run.count;
          }
        } else {
          use(*tangents, tangent_in<Part>(objects.take(parts)));
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
  set_in_memory(sweep.cotangents(), sweep.objects(), object, tangent);
}

/// Adds the cotangents of the numbers of `object`, from the sweep, to those of `tangent`.
///
/// Empty vectors get the length of the object's, maps its keys.
///
/// Throws: UsageError where two vectors have different lengths, or a map has other keys; where a
///         cotangent is NaN and bits were lost.
template <class Object, class Tangent>
void add_cotangents(MemorySweep& sweep, const Object& object, Tangent& tangent) {
  for_each_in_memory(sweep.cotangents(), sweep.objects(), object, tangent,
                     [&]<class Value>(auto& sum, Value cotangent) {
                       if constexpr (std::is_floating_point_v<Value>) {
                         if (cotangent != cotangent && sweep.lost_bits().have_been_lost()) {
                           throw_lost_bits();
                         }
                       }
                       accumulate(sum, std::move(cotangent));
                     });
}

/// As set_cotangents, for the tangents of a differential.
template <class Object, class Tangent>
void set_tangents(MemoryTangents& tangents, const Object& object, const Tangent& tangent) {
  set_in_memory(tangents.tangents(), tangents.objects(), object, tangent);
}

/// Sets the numbers of `tangent` to the tangents of those of `object`.
///
/// As for add_cotangents; what an optional or a variant does not hold becomes zero.
///
/// Throws: UsageError also where a tangent is NaN and bits were lost.
template <class Object, class Tangent>
void get_tangents(MemoryTangents& tangents, const Object& object, Tangent& tangent) {
  set_zero(tangent);
  for_each_in_memory(tangents.tangents(), tangents.objects(), object, tangent,
                     [&]<class Value>(auto& into, Value value) {
                       if constexpr (std::is_floating_point_v<Value>) {
                         if (value != value && tangents.lost_bits().have_been_lost()) {
                           throw_lost_bits();
                         }
                       }
                       into = std::move(value);
                     });
}

}  // namespace ddx::detail
