/// \file
/// One reverse sweep through memory: the tape of its forward sweep, and the cotangents of the
/// numbers in memory.

#pragma once

#include "ddx/ad/detail/lost_bits.h"
#include "ddx/ad/detail/memory_layer.h"
#include "ddx/ad/detail/object_tangents.h"
#include "ddx/ad/detail/owned.h"
#include "ddx/ad/detail/range_effects.h"
#include "ddx/ad/detail/shadow_kinds.h"
#include "ddx/ad/detail/tape.h"

#include <cstddef>
#include <utility>

namespace ddx::detail {

/// What the forward sweep of a function saves, and what its reverse sweeps compute.
///
/// The forward sweep pushes; then, for each reverse sweep: begin_reverse(), the cotangents of the
/// result are set, the reverse sweep pops, the cotangents of the arguments are read. Outside the
/// life of a number its cotangent is zero: the reverse of a store takes the cotangent and leaves
/// zero.
///
/// For one thread at a time. Gradients take theirs by Reused, since a new one costs more.
class MemorySweep {
 public:
  MemorySweep() noexcept = default;
  MemorySweep(const MemorySweep&) = delete;
  MemorySweep& operator=(const MemorySweep&) = delete;
  ~MemorySweep() { forget_calls(); }

  /// Returns room on the tape for `bytes`, a multiple of 16, aligned to 16 bytes.
  ///
  /// Throws: std::bad_alloc.
  [[nodiscard]] char* push(std::size_t bytes) { return tape_.push(bytes); }

  /// Returns the last record that was pushed and not yet popped. Readable until the next push.
  [[nodiscard]] char* pop(std::size_t bytes) noexcept { return tape_.pop(bytes); }

  /// Returns the cotangent of the number of type `Real` at `address`, zero at first; the place is
  /// valid until the next begin_reverse().
  ///
  /// Throws: std::bad_alloc; UsageError where the address is no multiple of the size.
  template <class Real>
  [[nodiscard]] Real* place(const void* address) {
    return cotangents_.of<Real>().place(address);
  }

  /// Returns the cotangent of the number at `address` and leaves zero: the reverse of a store.
  ///
  /// Throws: as place().
  template <class Real>
  [[nodiscard]] Real take(const void* address) {
    const Real own = std::exchange(*place<Real>(address), Real{0});
    return layer_ == nullptr ? own : own + layer_->take<Real>(address);
  }

  /// Returns the cotangent of the number at `address`.
  ///
  /// Throws: as place().
  template <class Real>
  [[nodiscard]] Real get(const void* address) {
    const Real own = *place<Real>(address);
    return layer_ == nullptr ? own : own + layer_->get<Real>(address);
  }

  /// ShadowDirectory::range; null also where a part of a cotangent may lie in directories that this
  /// sweep has in common with others.
  ///
  /// Throws: std::bad_alloc.
  template <class Real>
  [[nodiscard]] Real* range(const void* first, const void* last) {
    ShadowDirectory<Real>& cotangents = cotangents_.of<Real>();
    Real* const place = cotangents.range(first, last);
    const bool has_all =
        layer_ == nullptr || (place != nullptr && layer_->has_all(cotangents, first, last));
    return has_all ? place : nullptr;
  }

  /// The reverse of memmove(dst, src, bytes): takes the cotangents of `dst`, leaves zeros and adds
  /// them to those of `src`. The ranges may overlap.
  ///
  /// Throws: std::bad_alloc; UsageError where a number that has a cotangent was copied in part, or
  ///         from an address of another alignment.
  ///
  /// Cost: proportional to the pages of `dst`, and to the numbers in those that have cotangents.
  void move(const void* dst, const void* src, std::size_t bytes, Observers observers = {});

  /// The reverse of memset(begin, byte, bytes): makes the cotangents zero.
  ///
  /// Throws: UsageError where a part of a number that has a cotangent lies in the range.
  ///
  /// Cost: as move().
  void clear(const void* begin, std::size_t bytes, Observers observers = {});

  /// Copies cotangents as memmove copies numbers: the reverse of move(), in the derivative of a
  /// derivative. All are whole.
  ///
  /// Throws: std::bad_alloc.
  void copy(const void* dst, const void* src, std::size_t bytes, Observers observers = {});

  /// Shows that a reverse sweep is complete: the cotangents that it read as zeros at first are
  /// other numbers than those of earlier sweeps in the same memory.
  ///
  /// Throws: std::bad_alloc.
  void end_reverse(Observers observers) const;

  /// Begins a reverse sweep, the first one or another one: the next pop() returns the record that
  /// was pushed last, and all cotangents are zero.
  void begin_reverse() noexcept {
    if (threads_) {
      threads_->begin_reverse();
    }
    tape_.rewind_to_end();
    cotangents_.reset();
    own_objects_.reset();
    lost_bits_.reset();
  }

  /// Ends the use for this function; the next forward sweep may follow. Keeps memory for it.
  void reset() noexcept {
    if (threads_) {
      threads_->reset();
    }
    tape_.reset();
    cotangents_.reset();
    own_objects_.reset();
    lost_bits_.reset();
    forget_calls();
  }

  [[nodiscard]] LostBitsState& lost_bits() noexcept { return lost_bits_; }

  [[nodiscard]] ShadowKinds& cotangents() noexcept { return cotangents_; }

  /// The cotangents of objects: of all threads those of the first.
  [[nodiscard]] ObjectTangents& objects() noexcept { return *objects_; }
  void share_objects(ObjectTangents& objects) noexcept { objects_ = &objects; }

  /// A call of a function with a given derivative.
  struct GivenCall {
    GivenCall() = default;
    GivenCall(const GivenCall&) = delete;
    GivenCall& operator=(const GivenCall&) = delete;
    virtual ~GivenCall() = default;

    /// Takes the cotangent of the result and adds to those of the arguments. Those of numbers that
    /// are passed by value are at `result` and, to be set, `arguments`.
    virtual void reverse(MemorySweep& sweep, const void* result, void* const* arguments) = 0;

    Owned<GivenCall> before;
  };

  /// Keeps a call until the reset.
  void keep(Owned<GivenCall> call) noexcept {
    call->before = std::move(calls_);
    calls_ = std::move(call);
  }

  /// The sweeps of the threads that this one starts, and its place among those of others.
  struct Threads {
    Threads() = default;
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;
    virtual ~Threads() = default;
    virtual void begin_reverse() noexcept = 0;
    virtual void reset() noexcept = 0;
  };

  /// Null until the first thread starts.
  [[nodiscard]] Threads* threads() const noexcept { return threads_.get(); }
  void set_threads(Owned<Threads> threads) noexcept { threads_ = std::move(threads); }

  /// Makes the sweep's cotangents a layer over common ones, or, by null, all there are. To be
  /// called while none has a place.
  void set_layer(MemoryLayer* layer) noexcept {
    layer_ = layer;
    cotangents_.set_layer(layer);
  }
  [[nodiscard]] MemoryLayer* layer() const noexcept { return layer_; }

 private:
  /// One by one: an owner of a long list would need much stack.
  void forget_calls() noexcept {
    while (calls_) {
      const Owned<GivenCall> last(calls_.release());
      calls_ = std::move(last->before);
    }
  }

  Tape tape_;
  ShadowKinds cotangents_;
  LostBitsState lost_bits_;
  MemoryLayer* layer_ = nullptr;
  ObjectTangents own_objects_;
  ObjectTangents* objects_ = &own_objects_;
  Owned<GivenCall> calls_;
  Owned<Threads> threads_;
};

}  // namespace ddx::detail
