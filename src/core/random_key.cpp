#include "ddx/core/random_key.h"

#include "ddx/core/detail/key_recording.h"
#include "ddx/core/host_vector.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ddx {
namespace {

// Blocks from here on make keys, blocks below make numbers, so that the two never meet.
constexpr std::uint64_t first_key_block = std::uint64_t{1} << 63;

/// The two halves of a key.
using State = std::array<std::uint64_t, 2>;

std::uint32_t low(std::uint64_t word) noexcept {
  return static_cast<std::uint32_t>(word);
}
std::uint32_t high(std::uint64_t word) noexcept {
  return static_cast<std::uint32_t>(word >> 32);
}

std::array<std::uint32_t, 4> words_of(const State& state, std::uint64_t block) noexcept {
  return philox4x32({low(block), high(block), low(state[1]), high(state[1])},
                    {low(state[0]), high(state[0])});
}

State child_of(const State& state, std::uint64_t number) noexcept {
  const auto words = words_of(state, first_key_block + number);
  return {(std::uint64_t{words[1]} << 32) | words[0], (std::uint64_t{words[3]} << 32) | words[2]};
}

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) noexcept {
  // Multipliers and Weyl increments as in the paper's table 2 and section 3.3.
  constexpr std::uint64_t multiplier_0 = 0xD2511F53;
  constexpr std::uint64_t multiplier_1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl_0 = 0x9E3779B9;
  constexpr std::uint32_t weyl_1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product_0 = multiplier_0 * counter[0];
    const std::uint64_t product_1 = multiplier_1 * counter[2];
    counter = {high(product_1) ^ counter[1] ^ key[0], low(product_1),
               high(product_0) ^ counter[3] ^ key[1], low(product_0)};
    key[0] += weyl_0;
    key[1] += weyl_1;
  }
  return counter;
}

std::array<std::uint32_t, 4> RandomKey::words(std::uint64_t block) const noexcept {
  note_is_read();
  return words_of({key_, stream_}, block);
}

RandomKey RandomKey::child(std::uint64_t number) const noexcept {
  RandomKey key = from_state(child_of({key_, stream_}, number));
  if (recorded_ != 0) [[unlikely]] {
    key.recorded_ = detail::KeyRecording::derived(recorded_, {.number = number});
  }
  return key;
}

std::vector<RandomKey> RandomKey::split(std::size_t count) const {
  auto keys = host_vector_with_room<RandomKey>("split", static_cast<std::int64_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    keys.push_back(child(i));
  }
  return keys;
}

RandomKey RandomKey::fold_in(std::uint64_t number) const noexcept {
  // From a child that split() never makes; numbers differ in the counter, so no two keys are
  // derived from one block.
  State base = child_of({key_, stream_}, first_key_block - 1);
  base[1] ^= number;
  RandomKey key = from_state(child_of(base, 0));
  if (recorded_ != 0) [[unlikely]] {
    key.recorded_ = detail::KeyRecording::derived(recorded_, {.number = number, .is_folded = true});
  }
  return key;
}

RandomKey RandomKey::from_state(std::array<std::uint64_t, 2> state) noexcept {
  RandomKey key(state[0]);
  key.stream_ = state[1];
  return key;
}

std::string to_string(const RandomKey& key) {
  const auto [first, second] = key.state();
  const std::string text = "key(" + std::to_string(first);
  return second == 0 ? text + ")" : text + ", " + std::to_string(second) + ")";
}

std::ostream& operator<<(std::ostream& stream, const RandomKey& key) {
  return stream << to_string(key);
}

}  // namespace ddx
