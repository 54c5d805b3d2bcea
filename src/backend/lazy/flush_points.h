/// \file
/// Where to flush the trace of a loop that observes nothing.

#pragma once

#include "ddx/core/hash.h"

#include "backend/lazy/make_room.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ddx::backend::lazy {

/// The operations since the last flush, as far as flushes depend on them, and the sequences learned
/// from earlier ones: a sequence that has repeated itself is flushed where it begins again, so that
/// every turn of a loop, or every few turns, is the same graph.
class FlushPoints {
 public:
  FlushPoints() { learned_.reserve(most_sequences); }

  /// Counts an operation. Operations of equal signatures are taken for the same; `hash` is that of
  /// those since the last flush, this one included (`extended`). Returns whether to flush behind
  /// it: where they are a sequence that was learned, or `most`, from which it learns.
  ///
  /// Throws:  std::bad_alloc where no room was made; it is then as before.
  [[gnu::always_inline]] bool add(std::uint64_t signature, std::uint64_t hash) {
    signatures_.push_back(signature);
    return signatures_.size() >= next_look_ && ends_here(hash);
  }

  /// The hash of no operations, and that of some and one more.
  static constexpr std::uint64_t empty_hash = 0;
  [[nodiscard]] static std::uint64_t extended(std::uint64_t hash,
                                              std::uint64_t signature) noexcept {
    return mixed(hash, signature);
  }

  /// Makes room for one more operation.
  ///
  /// Throws:  std::bad_alloc.
  void make_room() { lazy::make_room(signatures_, 1); }

  /// Learns the shortest sequence of at least `shortest` operations that the latest ones, before
  /// the last flush and since, repeat; of one that is longer than `most`, what is left behind parts
  /// of that length. Nothing where they do not. Known from the next flush on.
  void learn() noexcept;

  /// How many there are since the last flush.
  [[nodiscard]] std::size_t count() const noexcept { return signatures_.size() - begin_; }

  /// The next operation is the first after a flush.
  void begin() noexcept;

  /// Shorter traces cost more than they save.
  static constexpr std::size_t shortest = 128;
  /// A graph of more operations costs more to prepare than its flushes do.
  static constexpr std::size_t most = 8192;

 private:
  struct Sequence {
    std::size_t length;
    std::uint64_t hash;

    friend bool operator==(const Sequence&, const Sequence&) = default;
  };

  // A program that teaches more has no loop.
  static constexpr std::size_t most_sequences = 16;
  // Three turns of what is learned are among as many.
  static constexpr std::size_t most_past = 8 * most;

  /// As add, where a sequence may end.
  bool ends_here(std::uint64_t hash) noexcept;
  /// Finds out where the next sequence may end.
  void look_ahead() noexcept;

  std::vector<std::uint64_t> signatures_;  // The latest ones.
  std::size_t begin_ = 0;                  // Of those since the last flush.
  std::size_t next_look_ = most;           // With so many signatures a sequence may end.
  std::vector<Sequence> learned_;
};

}  // namespace ddx::backend::lazy
