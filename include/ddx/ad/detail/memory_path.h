/// \file
/// What derivatives of LLVM IR call, each function under the name that the compiler knows it by.
/// Included by synthesised text alone.
///
/// A gradient's text runs, with `Reused<MemorySweep> sweep`: the forward function; then
/// `sweep->begin_reverse()`, `set_cotangents(*sweep, result, seed)`, the reverse function and
/// `add_cotangents(*sweep, argument, tangent)` for each selected argument. A pullback keeps its
/// sweep and runs the second part as often as it is called. A differential's, with
/// `Reused<MemoryTangents> tangents`: `set_tangents` for each selected argument, the tangent
/// function, `get_tangents` of the result.

#pragma once

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/memory_bits.h"
#include "ddx/ad/detail/memory_bodies.h"
#include "ddx/ad/detail/memory_exchange.h"
#include "ddx/ad/detail/memory_functions.h"
#include "ddx/ad/detail/memory_given.h"
#include "ddx/ad/detail/memory_lives.h"
#include "ddx/ad/detail/memory_observed.h"
#include "ddx/ad/detail/memory_search_bodies.h"
#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/memory_tangents.h"
#include "ddx/ad/detail/reused.h"

#include <cstddef>
#include <cstdint>
#include <limits>

// A unit without <complex> need not read it.
#if defined(_GLIBCXX_COMPLEX) || defined(_LIBCPP_COMPLEX)
#include "ddx/ad/detail/memory_complex_bodies.h"
#endif

namespace ddx::detail {

// The names of declarations count, so each function is declared before it is defined.

/// MemorySweep::push.
[[gnu::used, gnu::assume_aligned(16)]] static inline char* memory_push(
    MemorySweep* sweep, std::size_t bytes) __asm__("ddx.rt.push");
char* memory_push(MemorySweep* sweep, std::size_t bytes) {
  return sweep->push(bytes);
}

/// MemorySweep::pop.
[[gnu::used, gnu::assume_aligned(16)]] static inline char* memory_pop(MemorySweep* sweep,
                                                                      std::size_t bytes) noexcept
    __asm__("ddx.rt.pop");
char* memory_pop(MemorySweep* sweep, std::size_t bytes) noexcept {
  return sweep->pop(bytes);
}

/// MemorySweep::place, of doubles.
[[gnu::used, gnu::returns_nonnull]] static inline double* memory_place_f64(
    MemorySweep* sweep, const void* address) __asm__("ddx.rt.place_f64");
double* memory_place_f64(MemorySweep* sweep, const void* address) {
  return sweep->place<double>(address);
}

/// MemorySweep::place, of floats.
[[gnu::used, gnu::returns_nonnull]] static inline float* memory_place_f32(
    MemorySweep* sweep, const void* address) __asm__("ddx.rt.place_f32");
float* memory_place_f32(MemorySweep* sweep, const void* address) {
  return sweep->place<float>(address);
}

/// MemorySweep::place, of long doubles.
[[gnu::used, gnu::returns_nonnull]] static inline long double* memory_place_f80(
    MemorySweep* sweep, const void* address) __asm__("ddx.rt.place_f80");
long double* memory_place_f80(MemorySweep* sweep, const void* address) {
  return sweep->place<long double>(address);
}

/// MemorySweep::take, of doubles.
[[gnu::used]] static inline double memory_take_f64(MemorySweep* sweep,
                                                   const void* address) __asm__("ddx.rt.take_f64");
double memory_take_f64(MemorySweep* sweep, const void* address) {
  return sweep->take<double>(address);
}

/// MemorySweep::get, of doubles.
[[gnu::used]] static inline double memory_get_f64(MemorySweep* sweep,
                                                  const void* address) __asm__("ddx.rt.get_f64");
double memory_get_f64(MemorySweep* sweep, const void* address) {
  return sweep->get<double>(address);
}

/// MemorySweep::take, of floats.
[[gnu::used]] static inline float memory_take_f32(MemorySweep* sweep,
                                                  const void* address) __asm__("ddx.rt.take_f32");
float memory_take_f32(MemorySweep* sweep, const void* address) {
  return sweep->take<float>(address);
}

/// MemorySweep::get, of floats.
[[gnu::used]] static inline float memory_get_f32(MemorySweep* sweep,
                                                 const void* address) __asm__("ddx.rt.get_f32");
float memory_get_f32(MemorySweep* sweep, const void* address) {
  return sweep->get<float>(address);
}

/// MemorySweep::take, of long doubles.
[[gnu::used]] static inline long double memory_take_f80(
    MemorySweep* sweep, const void* address) __asm__("ddx.rt.take_f80");
long double memory_take_f80(MemorySweep* sweep, const void* address) {
  return sweep->take<long double>(address);
}

/// MemorySweep::get, of long doubles.
[[gnu::used]] static inline long double memory_get_f80(
    MemorySweep* sweep, const void* address) __asm__("ddx.rt.get_f80");
long double memory_get_f80(MemorySweep* sweep, const void* address) {
  return sweep->get<long double>(address);
}

/// MemorySweep::range, of doubles.
[[gnu::used]] static inline double* memory_range_f64(MemorySweep* sweep, const void* first,
                                                     const void* last) __asm__("ddx.rt.range_f64");
double* memory_range_f64(MemorySweep* sweep, const void* first, const void* last) {
  return sweep->range<double>(first, last);
}

/// MemorySweep::range, of floats.
[[gnu::used]] static inline float* memory_range_f32(MemorySweep* sweep, const void* first,
                                                    const void* last) __asm__("ddx.rt.range_f32");
float* memory_range_f32(MemorySweep* sweep, const void* first, const void* last) {
  return sweep->range<float>(first, last);
}

/// MemorySweep::range, of long doubles.
[[gnu::used]] static inline long double* memory_range_f80(
    MemorySweep* sweep, const void* first, const void* last) __asm__("ddx.rt.range_f80");
long double* memory_range_f80(MemorySweep* sweep, const void* first, const void* last) {
  return sweep->range<long double>(first, last);
}

/// MemorySweep::move.
[[gnu::used]] static inline void memory_move(MemorySweep* sweep, void* dst, const void* src,
                                             std::size_t bytes) __asm__("ddx.rt.move");
void memory_move(MemorySweep* sweep, void* dst, const void* src, std::size_t bytes) {
  sweep->move(dst, src, bytes);
}

/// MemorySweep::clear.
[[gnu::used]] static inline void memory_clear(MemorySweep* sweep, void* begin,
                                              std::size_t bytes) __asm__("ddx.rt.clear");
void memory_clear(MemorySweep* sweep, void* begin, std::size_t bytes) {
  sweep->clear(begin, bytes);
}

/// throw_not_differentiable.
[[gnu::used]] [[noreturn]] static inline void memory_refuse(const char* reason) __asm__(
    "ddx.rt.refuse");
void memory_refuse(const char* reason) {
  throw_not_differentiable(reason);
}

/// begin_of_life.
[[gnu::used]] static inline void memory_begin(MemorySweep* sweep, const void* begin,
                                              std::size_t bytes) __asm__("ddx.rt.begin");
void memory_begin(MemorySweep* sweep, const void* begin, std::size_t bytes) {
  begin_of_life(*sweep, begin, bytes);
}

/// take_bits, as 0 or 1.
[[gnu::used]] static inline unsigned memory_take_bits(
    MemorySweep* sweep, const void* begin, std::size_t bytes) __asm__("ddx.rt.take_bits");
unsigned memory_take_bits(MemorySweep* sweep, const void* begin, std::size_t bytes) {
  return take_bits(*sweep, begin, bytes) ? 1 : 0;
}

/// mark_bits, where `is_lost` is not 0.
[[gnu::used]] static inline void memory_mark_bits(MemorySweep* sweep, const void* begin,
                                                  std::size_t bytes,
                                                  unsigned is_lost) __asm__("ddx.rt.mark_bits");
void memory_mark_bits(MemorySweep* sweep, const void* begin, std::size_t bytes, unsigned is_lost) {
  if (is_lost != 0) {
    mark_bits(*sweep, begin, bytes);
  }
}

/// Returns the cotangent of a real: NaN where it is lost, else 0.
[[gnu::used]] static inline double memory_lost_cotangent_bits(MemorySweep* sweep,
                                                              unsigned is_lost) noexcept
    __asm__("ddx.rt.lost_cotangent_bits");
double memory_lost_cotangent_bits(MemorySweep* sweep, unsigned is_lost) noexcept {
  if (is_lost == 0) {
    return 0;
  }
  sweep->lost_bits().note_lost();
  return std::numeric_limits<double>::quiet_NaN();
}

/// LostBitsState::pass, where `is_lost` is not 0.
[[gnu::used]] static inline void memory_pass_cotangent_bits(MemorySweep* sweep,
                                                            unsigned is_lost) noexcept
    __asm__("ddx.rt.pass_cotangent_bits");
void memory_pass_cotangent_bits(MemorySweep* sweep, unsigned is_lost) noexcept {
  if (is_lost != 0) {
    sweep->lost_bits().pass();
  }
}

/// LostBitsState::have_passed, as 0 or 1.
[[gnu::used]] static inline unsigned memory_find_passed_cotangent_bits(MemorySweep* sweep) noexcept
    __asm__("ddx.rt.find_passed_cotangent_bits");
unsigned memory_find_passed_cotangent_bits(MemorySweep* sweep) noexcept {
  return sweep->lost_bits().have_passed() ? 1 : 0;
}

/// bits_and.
[[gnu::used]] static inline double memory_bits_and_f64(
    double cotangent, std::uint64_t own, std::uint64_t other) __asm__("ddx.rt.bits_and_f64");
double memory_bits_and_f64(double cotangent, std::uint64_t own, std::uint64_t other) {
  return bits_and<double>(cotangent, own, other);
}

/// bits_and.
[[gnu::used]] static inline float memory_bits_and_f32(
    float cotangent, std::uint32_t own, std::uint32_t other) __asm__("ddx.rt.bits_and_f32");
float memory_bits_and_f32(float cotangent, std::uint32_t own, std::uint32_t other) {
  return bits_and<float>(cotangent, own, other);
}

/// bits_or.
[[gnu::used]] static inline double memory_bits_or_f64(
    double cotangent, std::uint64_t own, std::uint64_t other) __asm__("ddx.rt.bits_or_f64");
double memory_bits_or_f64(double cotangent, std::uint64_t own, std::uint64_t other) {
  return bits_or<double>(cotangent, own, other);
}

/// bits_or.
[[gnu::used]] static inline float memory_bits_or_f32(
    float cotangent, std::uint32_t own, std::uint32_t other) __asm__("ddx.rt.bits_or_f32");
float memory_bits_or_f32(float cotangent, std::uint32_t own, std::uint32_t other) {
  return bits_or<float>(cotangent, own, other);
}

/// bits_xor.
[[gnu::used]] static inline double memory_bits_xor_f64(
    double cotangent, std::uint64_t own, std::uint64_t other) __asm__("ddx.rt.bits_xor_f64");
double memory_bits_xor_f64(double cotangent, std::uint64_t own, std::uint64_t other) {
  return bits_xor<double>(cotangent, own, other);
}

/// bits_xor.
[[gnu::used]] static inline float memory_bits_xor_f32(
    float cotangent, std::uint32_t own, std::uint32_t other) __asm__("ddx.rt.bits_xor_f32");
float memory_bits_xor_f32(float cotangent, std::uint32_t own, std::uint32_t other) {
  return bits_xor<float>(cotangent, own, other);
}

/// add_to_bits.
[[gnu::used]] static inline void memory_add_if_f64(MemorySweep* sweep, const void* address,
                                                   double cotangent) __asm__("ddx.rt.add_if_f64");
void memory_add_if_f64(MemorySweep* sweep, const void* address, double cotangent) {
  add_to_bits<double>(*sweep, address, cotangent);
}

/// take_from_bits.
[[gnu::used]] static inline double memory_take_if_f64(
    MemorySweep* sweep, const void* address) __asm__("ddx.rt.take_if_f64");
double memory_take_if_f64(MemorySweep* sweep, const void* address) {
  return take_from_bits<double>(*sweep, address);
}

/// add_to_bits.
[[gnu::used]] static inline void memory_add_if_f32(MemorySweep* sweep, const void* address,
                                                   float cotangent) __asm__("ddx.rt.add_if_f32");
void memory_add_if_f32(MemorySweep* sweep, const void* address, float cotangent) {
  add_to_bits<float>(*sweep, address, cotangent);
}

/// take_from_bits.
[[gnu::used]] static inline float memory_take_if_f32(
    MemorySweep* sweep, const void* address) __asm__("ddx.rt.take_if_f32");
float memory_take_if_f32(MemorySweep* sweep, const void* address) {
  return take_from_bits<float>(*sweep, address);
}

/// Fails where the bits of a number that has a cotangent went apart.
[[gnu::used]] static inline void memory_expect_zero(double cotangent) __asm__("ddx.rt.expect_zero");
void memory_expect_zero(double cotangent) {
  if (cotangent != 0) {
    throw_changed_bits();
  }
}

/// reverse_given.
[[gnu::used]] static inline void memory_given_reverse(
    MemorySweep* sweep, const void* result, void* const* arguments) __asm__("ddx.rt.given_reverse");
void memory_given_reverse(MemorySweep* sweep, const void* result, void* const* arguments) {
  reverse_given(*sweep, result, arguments);
}

/// reverse_object_copy.
[[gnu::used]] static inline void memory_object_copy(MemorySweep* sweep, const void* to,
                                                    const void* from) __asm__("ddx.rt.object_copy");
void memory_object_copy(MemorySweep* sweep, const void* to, const void* from) {
  reverse_object_copy(*sweep, to, from);
}

/// reverse_object_move.
[[gnu::used]] static inline void memory_object_move(MemorySweep* sweep, const void* to,
                                                    const void* from) __asm__("ddx.rt.object_move");
void memory_object_move(MemorySweep* sweep, const void* to, const void* from) {
  reverse_object_move(*sweep, to, from);
}

/// Drops the cotangent of an object where its life begins or ends.
[[gnu::used]] static inline void memory_object_clear(MemorySweep* sweep,
                                                     const void* object) noexcept
    __asm__("ddx.rt.object_clear");
void memory_object_clear(MemorySweep* sweep, const void* object) noexcept {
  (void)sweep->objects().take(object);
}

/// The same for its tangent.
[[gnu::used]] static inline void memory_object_tangent_clear(MemoryTangents* tangents,
                                                             const void* object) noexcept
    __asm__("ddx.rt.object_tangent_clear");
void memory_object_tangent_clear(MemoryTangents* tangents, const void* object) noexcept {
  (void)tangents->objects().take(object);
}

/// copy_object_tangent.
[[gnu::used]] static inline void memory_object_tangent(
    MemoryTangents* tangents, const void* to, const void* from) __asm__("ddx.rt.object_tangent");
void memory_object_tangent(MemoryTangents* tangents, const void* to, const void* from) {
  copy_object_tangent(*tangents, to, from);
}

/// MemoryTangents::place, of doubles.
[[gnu::used, gnu::returns_nonnull]] static inline double* memory_tangent_f64(
    MemoryTangents* tangents, const void* address) __asm__("ddx.rt.tangent_f64");
double* memory_tangent_f64(MemoryTangents* tangents, const void* address) {
  return tangents->place<double>(address);
}

/// MemoryTangents::place, of floats.
[[gnu::used, gnu::returns_nonnull]] static inline float* memory_tangent_f32(
    MemoryTangents* tangents, const void* address) __asm__("ddx.rt.tangent_f32");
float* memory_tangent_f32(MemoryTangents* tangents, const void* address) {
  return tangents->place<float>(address);
}

/// MemoryTangents::place, of long doubles.
[[gnu::used, gnu::returns_nonnull]] static inline long double* memory_tangent_f80(
    MemoryTangents* tangents, const void* address) __asm__("ddx.rt.tangent_f80");
long double* memory_tangent_f80(MemoryTangents* tangents, const void* address) {
  return tangents->place<long double>(address);
}

/// MemoryTangents::range, of doubles.
[[gnu::used]] static inline double* memory_tangent_range_f64(
    MemoryTangents* tangents, const void* first,
    const void* last) __asm__("ddx.rt.tangent_range_f64");
double* memory_tangent_range_f64(MemoryTangents* tangents, const void* first, const void* last) {
  return tangents->range<double>(first, last);
}

/// MemoryTangents::range, of floats.
[[gnu::used]] static inline float* memory_tangent_range_f32(
    MemoryTangents* tangents, const void* first,
    const void* last) __asm__("ddx.rt.tangent_range_f32");
float* memory_tangent_range_f32(MemoryTangents* tangents, const void* first, const void* last) {
  return tangents->range<float>(first, last);
}

/// MemoryTangents::range, of long doubles.
[[gnu::used]] static inline long double* memory_tangent_range_f80(
    MemoryTangents* tangents, const void* first,
    const void* last) __asm__("ddx.rt.tangent_range_f80");
long double* memory_tangent_range_f80(MemoryTangents* tangents, const void* first,
                                      const void* last) {
  return tangents->range<long double>(first, last);
}

/// MemoryTangents::move.
[[gnu::used]] static inline void memory_tangent_move(
    MemoryTangents* tangents, void* dst, const void* src,
    std::size_t bytes) __asm__("ddx.rt.tangent_move");
void memory_tangent_move(MemoryTangents* tangents, void* dst, const void* src, std::size_t bytes) {
  tangents->move(dst, src, bytes);
}

/// MemoryTangents::clear.
[[gnu::used]] static inline void memory_tangent_clear(MemoryTangents* tangents, void* begin,
                                                      std::size_t bytes) noexcept
    __asm__("ddx.rt.tangent_clear");
void memory_tangent_clear(MemoryTangents* tangents, void* begin, std::size_t bytes) noexcept {
  tangents->clear(begin, bytes);
}

/// tangent_of_bits.
[[gnu::used]] static inline double memory_tangent_get_f64(
    MemoryTangents* tangents, const void* address) __asm__("ddx.rt.tangent_get_f64");
double memory_tangent_get_f64(MemoryTangents* tangents, const void* address) {
  return tangent_of_bits<double>(*tangents, address);
}

/// set_tangent_of_bits.
[[gnu::used]] static inline void memory_tangent_set_f64(
    MemoryTangents* tangents, const void* address,
    double tangent) __asm__("ddx.rt.tangent_set_f64");
void memory_tangent_set_f64(MemoryTangents* tangents, const void* address, double tangent) {
  set_tangent_of_bits<double>(*tangents, address, tangent);
}

/// tangent_of_bits.
[[gnu::used]] static inline float memory_tangent_get_f32(
    MemoryTangents* tangents, const void* address) __asm__("ddx.rt.tangent_get_f32");
float memory_tangent_get_f32(MemoryTangents* tangents, const void* address) {
  return tangent_of_bits<float>(*tangents, address);
}

/// set_tangent_of_bits.
[[gnu::used]] static inline void memory_tangent_set_f32(
    MemoryTangents* tangents, const void* address, float tangent) __asm__("ddx.rt.tangent_set_f32");
void memory_tangent_set_f32(MemoryTangents* tangents, const void* address, float tangent) {
  set_tangent_of_bits<float>(*tangents, address, tangent);
}

/// MemoryTangents::has_tangent, as 0 or 1.
[[gnu::used]] static inline unsigned memory_find_bits(MemoryTangents* tangents, const void* begin,
                                                      std::size_t bytes) noexcept
    __asm__("ddx.rt.find_bits");
unsigned memory_find_bits(MemoryTangents* tangents, const void* begin, std::size_t bytes) noexcept {
  return tangents->has_tangent(begin, bytes) ? 1 : 0;
}

/// MemoryTangents::lose, where `had_tangent` is not 0.
[[gnu::used]] static inline void memory_lose_bits(MemoryTangents* tangents, const void* begin,
                                                  std::size_t bytes,
                                                  unsigned had_tangent) __asm__("ddx.rt.lose_bits");
void memory_lose_bits(MemoryTangents* tangents, const void* begin, std::size_t bytes,
                      unsigned had_tangent) {
  if (had_tangent != 0) {
    tangents->lose(begin, bytes);
  }
}

/// Returns the tangent of a real: NaN where it is lost, else 0.
[[gnu::used]] static inline double memory_lost_tangent_bits(MemoryTangents* tangents,
                                                            unsigned is_lost) noexcept
    __asm__("ddx.rt.lost_tangent_bits");
double memory_lost_tangent_bits(MemoryTangents* tangents, unsigned is_lost) noexcept {
  if (is_lost == 0) {
    return 0;
  }
  tangents->lost_bits().note_lost();
  return std::numeric_limits<double>::quiet_NaN();
}

/// LostBitsState::pass, where `has_tangent` is not 0.
[[gnu::used]] static inline void memory_pass_bits(MemoryTangents* tangents,
                                                  unsigned has_tangent) noexcept
    __asm__("ddx.rt.pass_bits");
void memory_pass_bits(MemoryTangents* tangents, unsigned has_tangent) noexcept {
  if (has_tangent != 0) {
    tangents->lost_bits().pass();
  }
}

/// LostBitsState::have_passed, as 0 or 1.
[[gnu::used]] static inline unsigned memory_find_passed_bits(MemoryTangents* tangents) noexcept
    __asm__("ddx.rt.find_passed_bits");
unsigned memory_find_passed_bits(MemoryTangents* tangents) noexcept {
  return tangents->lost_bits().have_passed() ? 1 : 0;
}

/// The end of a differential: something to do for derivatives of it alone.
[[gnu::used, gnu::noinline]] static inline void memory_end_tangents(
    MemoryTangents* tangents) __asm__("ddx.rt.tangents_end");
void memory_end_tangents(MemoryTangents* /*tangents*/) {}

/// The end of a reverse sweep: something to do for derivatives of it alone.
[[gnu::used, gnu::noinline]] static inline void memory_end_sweep(MemorySweep* sweep) __asm__(
    "ddx.rt.sweep_end");
void memory_end_sweep(MemorySweep* /*sweep*/) {}

/// reverse_effects.
[[gnu::used]] static inline void memory_reverse_effects(MemorySweep* sweep) __asm__(
    "ddx.rt.reverse_effects");
void memory_reverse_effects(MemorySweep* sweep) {
  reverse_effects(*sweep);
}

/// MemoryFunctions::find.
[[gnu::used, gnu::returns_nonnull]] static inline const MemoryFunction* memory_find(
    const void* function) __asm__("ddx.rt.find");
const MemoryFunction* memory_find(const void* function) {
  return MemoryFunctions::find(function);
}

/// The function of forward mode that MemoryFunctions::find has.
///
/// Throws: UsageError where there is none; std::bad_alloc.
[[gnu::used, gnu::returns_nonnull]] static inline void* memory_find_tangent(
    const void* function) __asm__("ddx.rt.find_tangent");
void* memory_find_tangent(const void* function) {
  void* const tangent = MemoryFunctions::find(function)->tangent;
  if (tangent == nullptr) {
    throw_unknown_function(function);
  }
  return tangent;
}

/// MemoryFunctions::find_plain.
[[gnu::used, gnu::returns_nonnull]] static inline const MemoryFunction* memory_find_plain(
    const void* function) __asm__("ddx.rt.find_plain");
const MemoryFunction* memory_find_plain(const void* function) {
  return MemoryFunctions::find_plain(function);
}

/// The function of forward mode that MemoryFunctions::find_plain has.
///
/// Throws: UsageError where there is none; std::bad_alloc.
[[gnu::used, gnu::returns_nonnull]] static inline void* memory_find_plain_tangent(
    const void* function) __asm__("ddx.rt.find_plain_tangent");
void* memory_find_plain_tangent(const void* function) {
  void* const tangent = MemoryFunctions::find_plain(function)->tangent;
  if (tangent == nullptr) {
    throw_unknown_function(function);
  }
  return tangent;
}

/// Enters the functions of this unit, an array of `count` that lives as long as the unit. Called
/// once, when the unit is loaded.
[[gnu::used]] static inline void memory_register_functions(
    const MemoryFunction* first, std::size_t count) __asm__("ddx.rt.register_functions");
void memory_register_functions(const MemoryFunction* first, std::size_t count) {
  static const MemoryFunctions::Table table(first, count);
}

}  // namespace ddx::detail
