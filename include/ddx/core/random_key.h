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

/// One block of the counter-based generator Philox4x32-10: four words from a counter and a key.
///
/// Source:  J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
///          SC 2011.
[[nodiscard]] std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                      std::array<std::uint32_t, 2> key) noexcept;

/// A key for random numbers. Use each key once; make new ones with `split` or `fold_in`.
///
/// Holds 128 bits: 64 are the generator's key, 64 the upper half of its counter.
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
  [[nodiscard]] std::array<std::uint64_t, 2> state() const noexcept { return {key_, stream_}; }

  /// The key with this state.
  [[nodiscard]] static RandomKey from_state(std::array<std::uint64_t, 2> state) noexcept;

  friend bool operator==(const RandomKey&, const RandomKey&) = default;

 private:
  RandomKey child(std::uint64_t number) const noexcept;

  std::uint64_t key_ = 0;
  std::uint64_t stream_ = 0;
};

/// Renders as "key(42)", and as "key(42, 7)" where the second half of the state is not 0, as that
/// of derived keys.
[[nodiscard]] std::string to_string(const RandomKey& key);
/// Writes what to_string gives.
std::ostream& operator<<(std::ostream& stream, const RandomKey& key);

}  // namespace ddx
