/// \file
/// The random keys among the arguments of a compiled function: parameters of what is recorded, as
/// tensors are.

#pragma once

#include "ddx/backend/staging.h"
#include "ddx/core/detail/key_recording.h"
#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/holds_type.h"
#include "ddx/tensor/detail/staged_values.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// Computes an array on the host from a key.
using HostDraw = std::function<Array(const RandomKey&)>;

/// Calls `visit(key)` for each random key of a value that is not a part of an object compared as a
/// whole, in order. Returns whether there may be others, in such objects.
template <class Visit, class T>
bool visit_keys(Visit visit, T& value) {
  bool may_be_others = false;
  auto ignore = [](const auto&...) {};
  auto look = [&]<class Part>(Part&& part) {
    using Bare = std::remove_cvref_t<Part>;
    if constexpr (std::is_same_v<Bare, RandomKey>) {
      visit(part);
    } else {
      may_be_others = may_be_others || holds_type<RandomKey, Bare>;
    }
    return true;
  };
  visit_staged(ignore, look, value);
  return may_be_others;
}

/// The random keys of some values, in order, as plain ones: those that are being recorded elsewhere
/// count as read.
template <class... T>
std::vector<RandomKey> keys_in(const T&... values) {
  std::vector<RandomKey> keys;
  const auto add = [&](const RandomKey& key) {
    keys.push_back(RandomKey::from_state(key.state()));
  };
  (visit_keys(add, values), ...);
  return keys;
}

/// How a program gets what depends on the keys of a call.
class KeyInputs {
 public:
  /// Whether a program for `recorded` keys also is one for `given`: those whose bits the function
  /// read are equal.
  [[nodiscard]] bool fit(std::span<const RandomKey> recorded,
                         std::span<const RandomKey> given) const;

  /// The keys of one call.
  class Call {
   public:
    Call(const KeyInputs& inputs, std::span<const RandomKey> given)
        : inputs_(inputs), keys_(inputs.derivations_.keys(given)) {}

    /// The scalars and captured arrays of the program.
    ///
    /// Throws:  what computes an array.
    [[nodiscard]] backend::StagedValues values(const backend::StagedGraph& staged) const;

    /// Makes the keys of a result those of this call.
    template <class Result>
    void set_keys(Result& result) const {
      std::size_t number = 0;
      visit_keys(
          [&](RandomKey& key) {
            if (const auto place = inputs_.results_[number++]) {
              key = keys_[*place];
            }
          },
          result);
    }

   private:
    const KeyInputs& inputs_;
    std::vector<RandomKey> keys_;
  };

 private:
  friend class RecordedKeys;

  struct ScalarInput {
    std::size_t scalar;
    std::uint32_t key;  // Its place among the derivations.
  };
  struct ArrayInput {
    std::size_t captured;
    std::uint32_t key;
    HostDraw draw;
  };

  KeyDerivations derivations_;
  std::vector<bool> is_read_;  // By the keys given.
  std::vector<ScalarInput> scalars_;
  std::vector<ArrayInput> arrays_;
  std::vector<std::optional<std::uint32_t>> results_;  // By the keys of the result.
};

/// While it exists, keys of arguments are parameters of what this thread records.
class RecordedKeys {
 public:
  explicit RecordedKeys(std::vector<RandomKey> given);
  RecordedKeys(const RecordedKeys&) = delete;
  RecordedKeys& operator=(const RecordedKeys&) = delete;
  ~RecordedKeys();

  /// Makes the keys of arguments those of the recording.
  template <class T>
  void set_keys(T& arguments) const {
    std::size_t place = 0;
    visit_keys([&](RandomKey& key) { key = recording_.recorded(place++); }, arguments);
  }

  /// What a program of this recording needs. Keys in `result` are made plain, and count as read by
  /// another recording that they are of; where it may have others, the program is for the keys of
  /// this call alone.
  template <class Result>
  [[nodiscard]] KeyInputs finish(const backend::StagedGraph& staged, Result& result) const {
    std::vector<RandomKey> keys;
    const bool may_be_others = visit_keys(
        [&](RandomKey& key) {
          keys.push_back(key);
          key = recording_.place_of(key) ? KeyRecording::bits_of(key)
                                         : RandomKey::from_state(key.state());
        },
        result);
    return inputs(staged, keys, may_be_others);
  }

 private:
  friend Array drawn(const RandomKey& key, Device device, const HostDraw& draw);
  friend bool is_drawn_at_calls(const RandomKey& key, Device device);

  struct Draw {
    Array array;
    std::uint32_t key;
    HostDraw draw;
  };

  [[nodiscard]] KeyInputs inputs(const backend::StagedGraph& staged,
                                 std::span<const RandomKey> results, bool may_be_others) const;

  KeyRecording recording_;
  std::size_t given_;
  std::vector<Draw> draws_;
  RecordedKeys* before_;
};

/// Whether an array that the host computes from a key for a device is computed at each call of what
/// is being recorded.
[[nodiscard]] bool is_drawn_at_calls(const RandomKey& key, Device device);

/// An array that the host computes from a key, for a device. Where a compiled function is recorded
/// for this device and the key is its parameter, so is the array, computed at each call.
///
/// Throws:  what `draw` throws, now or at a call.
[[nodiscard]] Array drawn(const RandomKey& key, Device device, const HostDraw& draw);

/// Numbers that the host draws with a key, for arrays on a device that are computed from them.
/// Where such arrays are computed at each call, each draws the numbers itself.
template <class Numbers>
class HostNumbers {
 public:
  /// Throws:  what `draw` throws; where arrays are computed at each call, they throw it.
  HostNumbers(const RandomKey& key, Device device, std::function<Numbers(const RandomKey&)> draw)
      : key_(key), device_(device), draw_(std::move(draw)) {
    if (!is_drawn_at_calls(key_, device_)) {
      numbers_ = std::make_shared<const Numbers>(draw_(RandomKey::from_state(key_.state())));
    }
  }

  /// The array that `make` computes from the numbers.
  template <class Make>
  [[nodiscard]] Array array(const Make& make) const {
    if (numbers_ != nullptr) {
      return make(*numbers_);
    }
    return drawn(key_, device_,
                 [draw = draw_, make](const RandomKey& key) { return make(draw(key)); });
  }

 private:
  RandomKey key_;
  Device device_;
  std::function<Numbers(const RandomKey&)> draw_;
  std::shared_ptr<const Numbers> numbers_;
};

/// The key for an operation on a device: where that does not record it, the key's bits are read.
[[nodiscard]] RandomKey key_on(const RandomKey& key, Device device);

}  // namespace ddx::detail
