/// \file
/// What derivatives of derivatives call in the place of functions that move or clear tangents and
/// cotangents: the same, seen by the derivatives around them. A part of memory_path.h.

#pragma once

#include "ddx/ad/detail/memory_lives.h"
#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/memory_tangents.h"
#include "ddx/ad/detail/range_effects.h"

#include <cstddef>

namespace ddx::detail {

/// MemorySweep::move.
[[gnu::used]] static inline void observed_move(
    MemorySweep* sweep, void* dst, const void* src, std::size_t bytes, const char* kinds,
    void* const* objects) __asm__("ddx.rt.move.observed");
void observed_move(MemorySweep* sweep, void* dst, const void* src, std::size_t bytes,
                   const char* kinds, void* const* objects) {
  const Observers observers(kinds, objects);
  observers.begin();
  sweep->move(dst, src, bytes, observers);
}

/// MemorySweep::clear.
[[gnu::used]] static inline void observed_clear(
    MemorySweep* sweep, void* begin, std::size_t bytes, const char* kinds,
    void* const* objects) __asm__("ddx.rt.clear.observed");
void observed_clear(MemorySweep* sweep, void* begin, std::size_t bytes, const char* kinds,
                    void* const* objects) {
  const Observers observers(kinds, objects);
  observers.begin();
  sweep->clear(begin, bytes, observers);
}

/// MemorySweep::end_reverse.
[[gnu::used]] static inline void observed_sweep_end(
    MemorySweep* sweep, const char* kinds,
    void* const* objects) __asm__("ddx.rt.sweep_end.observed");
void observed_sweep_end(MemorySweep* sweep, const char* kinds, void* const* objects) {
  const Observers observers(kinds, objects);
  observers.begin();
  sweep->end_reverse(observers);
}

/// MemoryTangents::move.
[[gnu::used]] static inline void observed_tangent_move(
    MemoryTangents* tangents, void* dst, const void* src, std::size_t bytes, const char* kinds,
    void* const* objects) __asm__("ddx.rt.tangent_move.observed");
void observed_tangent_move(MemoryTangents* tangents, void* dst, const void* src, std::size_t bytes,
                           const char* kinds, void* const* objects) {
  const Observers observers(kinds, objects);
  observers.begin();
  tangents->move(dst, src, bytes, observers);
}

/// MemoryTangents::clear.
[[gnu::used]] static inline void observed_tangent_clear(
    MemoryTangents* tangents, void* begin, std::size_t bytes, const char* kinds,
    void* const* objects) __asm__("ddx.rt.tangent_clear.observed");
void observed_tangent_clear(MemoryTangents* tangents, void* begin, std::size_t bytes,
                            const char* kinds, void* const* objects) {
  const Observers observers(kinds, objects);
  observers.begin();
  tangents->clear(begin, bytes, observers);
}

/// MemoryTangents::end_use.
[[gnu::used]] static inline void observed_tangents_end(
    MemoryTangents* tangents, const char* kinds,
    void* const* objects) __asm__("ddx.rt.tangents_end.observed");
void observed_tangents_end(MemoryTangents* tangents, const char* kinds, void* const* objects) {
  const Observers observers(kinds, objects);
  observers.begin();
  tangents->end_use(observers);
}

/// reallocate.
[[gnu::used]] static inline void* observed_reallocate(
    void* old, std::size_t bytes, const char* kinds,
    void* const* objects) __asm__("ddx.rt.reallocate.observed");
void* observed_reallocate(void* old, std::size_t bytes, const char* kinds, void* const* objects) {
  return reallocate(old, bytes, Observers(kinds, objects));
}

/// reverse_effects.
[[gnu::used]] static inline void observed_reverse_effects(
    MemorySweep* sweep, const char* kinds,
    void* const* objects) __asm__("ddx.rt.reverse_effects.observed");
void observed_reverse_effects(MemorySweep* sweep, const char* kinds, void* const* objects) {
  reverse_effects(*sweep, Observers(kinds, objects));
}

}  // namespace ddx::detail
