/// \file
/// How keys are derived from those that a function is given while it is recorded, so that they can
/// be derived from other keys later.

#pragma once

#include "ddx/core/random_key.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ddx::detail {

/// How a key follows from its parent: as a child (`RandomKey::split`), or by `fold_in`.
struct KeyStep {
  std::uint64_t number = 0;
  bool is_folded = false;
};

/// Keys that follow from others, each by a step from one before it. The first are given.
class KeyDerivations {
 public:
  /// The keys, where these are given.
  ///
  /// Cost:    some 30 ns for each that is derived.
  [[nodiscard]] std::vector<RandomKey> keys(std::span<const RandomKey> given) const;

 private:
  friend class KeyRecording;

  struct Derived {
    std::uint32_t parent;  // Its place among the keys.
    KeyStep step;
  };

  std::vector<Derived> derived_;  // Behind those that are given.
};

/// Records how keys are derived while it exists, on any thread. The keys stay values: their bits
/// are those of the recording's call, and a key that outlives the recording is a plain one.
class KeyRecording {
 public:
  /// For these keys, which are the first places.
  ///
  /// Throws:  std::bad_alloc.
  explicit KeyRecording(std::vector<RandomKey> given);
  KeyRecording(const KeyRecording&) = delete;
  KeyRecording& operator=(const KeyRecording&) = delete;
  ~KeyRecording();

  /// A key that was given, as the function gets it.
  [[nodiscard]] RandomKey recorded(std::size_t place) const noexcept;
  /// The place of a key among those of this recording; none of others.
  [[nodiscard]] std::optional<std::uint32_t> place_of(const RandomKey& key) const noexcept;
  /// The bits of a key of this recording; does not count as reading them.
  [[nodiscard]] static RandomKey bits_of(const RandomKey& key) noexcept;
  /// A child of a key, as `RandomKey::split` returns it.
  [[nodiscard]] static RandomKey child_of(const RandomKey& key, std::uint64_t number) noexcept;
  /// Whether bits were read of a key that was given, or of one derived from it.
  [[nodiscard]] bool is_read(std::size_t place) const;
  /// The derivations of the keys at some places, which become their places in the result, behind
  /// those that are given.
  [[nodiscard]] KeyDerivations derivations(std::vector<std::uint32_t>& places) const;

  /// The mark of a key that follows from one with the mark `parent`; 0 where that recording has
  /// ended. Where there is no memory, it is 0, and the parent counts as read.
  [[nodiscard]] static std::uint64_t derived(std::uint64_t parent, KeyStep step) noexcept;

 private:
  friend void note_key_is_read(std::uint64_t recorded) noexcept;

  class Active;

  struct Known {
    std::uint32_t parent;
    std::uint32_t root;
    KeyStep step;
  };

  [[nodiscard]] std::uint64_t mark_of(std::size_t place) const noexcept;

  std::vector<RandomKey> given_;
  std::vector<Known> derived_;
  std::vector<bool> is_read_;  // By the place of those given.
  std::uint32_t number_ = 0;
};

}  // namespace ddx::detail
