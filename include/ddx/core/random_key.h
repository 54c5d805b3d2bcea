/// \file
/// Random numbers without hidden state: a key is a value, and equal keys give equal numbers on
/// every device.

#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace ddx {

namespace detail {
class KeyRecording;
/// Notes that the bits of a key were read, so that they are part of what is recorded. `recorded` is
/// that of the key; nothing happens where its recording has ended.
void note_key_is_read(std::uint64_t recorded) noexcept;
}  // namespace detail

/// One block of the counter-based generator Philox4x32-10: four words from a counter and a key.
///
/// Source:  J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
///          SC 2011.
[[nodiscard]] std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                      std::array<std::uint32_t, 2> key) noexcept;

/// A key for random numbers. Use each key once; make new ones with `split` or `fold_in`.
///
/// Holds 128 bits: 64 are the generator's key, 64 the upper half of its counter. While a compiled
/// function is recorded, the keys among its arguments, and those derived from them, also know how
/// they were derived: then random operations have them as parameters. Where a program reads the
/// bits of such a key (words, state, a comparison, its text), what is recorded is for that key.
///
/// Example:
///   auto [for_weights, for_data] = RandomKey(42).split();
class RandomKey {
 public:
  explicit RandomKey(std::uint64_t seed) noexcept : key_(seed) {}

  /// Two keys, independent of each other and of this one.
  [[nodiscard]] std::pair<RandomKey, RandomKey> split() const noexcept {
    return {child(0), child(1)};
  }

  /// `count` keys, independent of each other and of this one.
  [[nodiscard]] std::vector<RandomKey> split(std::size_t count) const;

  /// The key that belongs to a number, such as an epoch or a step.
  [[nodiscard]] RandomKey fold_in(std::uint64_t number) const noexcept;

  /// Four random words; each `block` in [0, 2^63) gives other ones.
  [[nodiscard]] std::array<std::uint32_t, 4> words(std::uint64_t block) const noexcept;

  /// The two halves of the state, for checkpoints.
  [[nodiscard]] std::array<std::uint64_t, 2> state() const noexcept {
    note_is_read();
    return {key_, stream_};
  }

  /// The key with this state.
  [[nodiscard]] static RandomKey from_state(std::array<std::uint64_t, 2> state) noexcept;

  friend bool operator==(const RandomKey& a, const RandomKey& b) noexcept {
    return (a.recorded_ != 0 && a.recorded_ == b.recorded_) || a.state() == b.state();
  }

 private:
  friend class detail::KeyRecording;

  RandomKey child(std::uint64_t number) const noexcept;
  void note_is_read() const noexcept {
    if (recorded_ != 0) [[unlikely]] {
      detail::note_key_is_read(recorded_);
    }
  }

  std::uint64_t key_ = 0;
  std::uint64_t stream_ = 0;
  std::uint64_t recorded_ = 0;  // Of a key that is being recorded: its recording, its derivation.
};

/// Renders as "key(42)", and as "key(42, 7)" where the second half of the state is not 0, as that
/// of derived keys.
[[nodiscard]] std::string to_string(const RandomKey& key);
/// Writes what to_string gives.
std::ostream& operator<<(std::ostream& stream, const RandomKey& key);

}  // namespace ddx
