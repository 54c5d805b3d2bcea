/// \file
/// The tangents of the numbers in memory, of one differential.

#pragma once

#include "ddx/ad/detail/lost_bits.h"
#include "ddx/ad/detail/object_tangents.h"
#include "ddx/ad/detail/range_effects.h"
#include "ddx/ad/detail/shadow_kinds.h"

#include <cstddef>

namespace ddx::detail {

/// What a function with tangents computes beside the values in memory.
///
/// A store of a number sets its tangent too. What is stored as something else leaves the tangents
/// that lay there; memory that begins or ends its life is cleared.
///
/// For one thread at a time, except where shared. Differentials take theirs by Reused, since a new
/// one costs more.
class MemoryTangents {
 public:
  /// Created and destroyed by the same thread.
  MemoryTangents() noexcept;
  MemoryTangents(const MemoryTangents&) = delete;
  MemoryTangents& operator=(const MemoryTangents&) = delete;
  ~MemoryTangents();

  /// Returns the tangent of the number of type `Real` at `address`, zero at first; the place is
  /// valid until the reset.
  ///
  /// Throws: std::bad_alloc; UsageError where the address is no multiple of the size.
  template <class Real>
  [[nodiscard]] Real* place(const void* address) {
    return tangents_.of<Real>().place(address);
  }

  /// Returns the tangent of the number at `first`, if the tangents of all numbers from there to
  /// `last` follow each other as the numbers do, else null; null while threads share the tangents.
  ///
  /// Throws: std::bad_alloc.
  template <class Real>
  [[nodiscard]] Real* range(const void* first, const void* last) {
    return tangents_.of<Real>().range(first, last);
  }

  /// Copies tangents as memmove(dst, src, bytes) copies the numbers. A number of which a part is
  /// overwritten has tangent zero, or NaN where that is a part of a number that has a tangent.
  ///
  /// Throws: std::bad_alloc; UsageError where a number that has a tangent is copied to an address
  ///         of another alignment.
  ///
  /// Cost: proportional to the pages, and to the numbers in those that have tangents.
  void move(const void* dst, const void* src, std::size_t bytes, Observers observers = {});

  /// Makes the tangents of the range zero, and those of numbers of which a part lies in it.
  ///
  /// Cost: as move().
  void clear(const void* begin, std::size_t bytes) noexcept;

  /// Whether a number of which bytes lie in the range has a tangent.
  [[nodiscard]] bool has_tangent(const void* begin, std::size_t bytes) noexcept;

  /// Bytes of numbers that have tangents were written into the range as integers: the tangents of
  /// all numbers of which bytes lie in it become NaN.
  ///
  /// Throws: std::bad_alloc.
  void lose(const void* begin, std::size_t bytes);

  [[nodiscard]] LostBitsState& lost_bits() noexcept { return lost_bits_; }

  /// As clear, in a derivative of forward mode.
  ///
  /// Throws: std::bad_alloc.
  void clear(const void* begin, std::size_t bytes, Observers observers);

  /// Takes part in what happened to numbers of which these are the tangents.
  ///
  /// Throws: std::bad_alloc.
  void follow(const RangeEffect& effect, Observers observers);

  /// Shows the end of the use by one differential: in the reverse sweep its tangents begin with
  /// cotangents that are zero, whatever later uses of the same memory left.
  ///
  /// Throws: std::bad_alloc.
  void end_use(Observers observers) const;

  /// Makes the tangents of the range zero in all objects of the calling thread: the memory becomes
  /// cotangents, which are zero at first.
  static void clear_all(const void* begin, std::size_t bytes) noexcept;

  /// Makes all tangents zero. Keeps memory for the next use.
  void reset() noexcept {
    if (is_shared_) {
      set_shared(false);
    }
    tangents_.reset();
    objects_.reset();
    lost_bits_.reset();
  }

  /// Lets several threads use the tangents at a time, until the reset: what starts the first of
  /// them calls this before. The program orders the uses of each number.
  void share() noexcept {
    if (!is_shared_) {
      set_shared(true);
    }
  }

  [[nodiscard]] ShadowKinds& tangents() noexcept { return tangents_; }
  [[nodiscard]] ObjectTangents& objects() noexcept { return objects_; }

 private:
  void set_shared(bool is_shared) noexcept {
    is_shared_ = is_shared;
    tangents_.of<double>().share(is_shared);
    tangents_.of<float>().share(is_shared);
    tangents_.of<long double>().share(is_shared);
  }

  ShadowKinds tangents_;
  ObjectTangents objects_;
  bool is_shared_ = false;
  LostBitsState lost_bits_;
  MemoryTangents* next_;    ///< Of those of the thread.
  MemoryTangents** place_;  ///< What points to this one.
};

}  // namespace ddx::detail
