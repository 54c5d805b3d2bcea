/// \file
/// What functions of the run time do to tangents and cotangents in memory, as derivatives of them
/// see it.
///
/// Tangents and cotangents are numbers in memory themselves: mirrors. A derivative of a derivative
/// has tangents or cotangents of them in turn, so what moves mirrors must move those too, or keep a
/// record of it.

#pragma once

#include <cstddef>

namespace ddx::detail {

class MemorySweep;

/// What happened to numbers of one type that follow each other.
struct RangeEffect {
  enum class Kind : std::size_t {
    Copied,   ///< The numbers at `dst` became those at `src`, as by memmove.
    Added,    ///< The numbers at `dst` were added to those at `src`, and became zero.
    Cleared,  ///< The numbers at `dst` became zero.
    Ended,    ///< Nothing, but what reads them next is another use of the memory.
    None      ///< The first record of a call.
  };

  Kind kind;
  void* dst;
  void* src;  ///< Of a move.
  std::size_t bytes;
};

/// The derivatives that a call of the run time is part of, from the inner to the outer one: each is
/// shown what happens, and does or records its part.
class Observers {
 public:
  /// None.
  constexpr Observers() = default;

  /// `kinds` has one letter for each of `objects`: `t` for the MemoryTangents of forward mode, `s`
  /// for the MemorySweep of the forward sweep of reverse mode. Both live as long as this.
  constexpr Observers(const char* kinds, void* const* objects) : kinds_(kinds), objects_(objects) {}

  [[nodiscard]] constexpr bool any() const { return *kinds_ != 0; }

  /// To be called at the begin of a call: what is seen from here on is reversed together.
  ///
  /// Throws: std::bad_alloc.
  void begin() const;

  /// Shows an effect: forward mode has the same on its tangents, which those behind it see in turn;
  /// reverse mode keeps the effect that the reverse has on cotangents.
  ///
  /// Throws: std::bad_alloc; what MemoryTangents::move throws.
  void see(const RangeEffect& effect) const;

 private:
  const char* kinds_ = "";
  void* const* objects_ = nullptr;
};

/// The reverse of one call that was observed: takes its records from the tape, and does what they
/// say to the cotangents.
///
/// Throws: as MemorySweep::move.
void reverse_effects(MemorySweep& sweep, Observers observers = {});

}  // namespace ddx::detail
