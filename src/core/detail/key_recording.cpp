#include "ddx/core/detail/key_recording.h"

#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/random_key.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ddx::detail {
namespace {

constexpr std::uint32_t recording_of(std::uint64_t mark) noexcept {
  return static_cast<std::uint32_t>(mark >> 32);
}
constexpr std::uint32_t place_in(std::uint64_t mark) noexcept {
  return static_cast<std::uint32_t>(mark);
}

}  // namespace

/// The recordings that have not ended. Keys know theirs by its number, since they may outlive it.
class KeyRecording::Active {
 public:
  static Active& instance() {
    static Active active;
    return active;
  }

  void add(KeyRecording& recording) {
    const std::scoped_lock lock(mutex_);
    all_.push_back(&recording);
    recording.number_ = ++last_ == 0 ? ++last_ : last_;  // No mark is 0.
  }
  void remove(const KeyRecording& recording) noexcept {
    const std::scoped_lock lock(mutex_);
    std::erase(all_, &recording);
  }

  /// Calls `use(recording, place)` for the key with this mark, unless its recording has ended.
  template <class Use>
  void with(std::uint64_t mark, const Use& use) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find(all_, recording_of(mark), &KeyRecording::number_);
    if (found != all_.end()) {
      use(**found, place_in(mark));
    }
  }

 private:
  ForkSafeMutex mutex_;
  std::vector<KeyRecording*> all_;
  std::uint32_t last_ = 0;
};

std::vector<RandomKey> KeyDerivations::keys(std::span<const RandomKey> given) const {
  std::vector<RandomKey> keys(given.begin(), given.end());
  keys.reserve(given.size() + derived_.size());
  for (const Derived& one : derived_) {
    const RandomKey& parent = keys[one.parent];
    keys.push_back(one.step.is_folded ? parent.fold_in(one.step.number)
                                      : KeyRecording::child_of(parent, one.step.number));
  }
  return keys;
}

KeyRecording::KeyRecording(std::vector<RandomKey> given)
    : given_(std::move(given)), is_read_(given_.size(), false) {
  if (!given_.empty()) {
    Active::instance().add(*this);
  }
}

KeyRecording::~KeyRecording() {
  if (!given_.empty()) {
    Active::instance().remove(*this);
  }
}

std::uint64_t KeyRecording::mark_of(std::size_t place) const noexcept {
  return (std::uint64_t{number_} << 32) | place;
}

RandomKey KeyRecording::recorded(std::size_t place) const noexcept {
  RandomKey key = given_[place];
  key.recorded_ = mark_of(place);
  return key;
}

std::optional<std::uint32_t> KeyRecording::place_of(const RandomKey& key) const noexcept {
  return key.recorded_ != 0 && recording_of(key.recorded_) == number_
             ? std::optional(place_in(key.recorded_))
             : std::nullopt;
}

RandomKey KeyRecording::bits_of(const RandomKey& key) noexcept {
  RandomKey bits = key;
  bits.recorded_ = 0;
  return bits;
}

RandomKey KeyRecording::child_of(const RandomKey& key, std::uint64_t number) noexcept {
  return key.child(number);
}

bool KeyRecording::is_read(std::size_t place) const {
  bool is_read = false;
  Active::instance().with(mark_of(place), [&](const KeyRecording& own, std::uint32_t) {
    is_read = own.is_read_[place];
  });
  return is_read;
}

KeyDerivations KeyRecording::derivations(std::vector<std::uint32_t>& places) const {
  const std::size_t given = given_.size();
  // By the place here: the place there.
  std::vector<std::uint32_t> there(given + derived_.size(), 0);
  for (const std::uint32_t place : places) {
    for (std::uint32_t at = place; at >= given && there[at] == 0;
         at = derived_[at - given].parent) {
      there[at] = 1;
    }
  }
  KeyDerivations kept;
  for (std::size_t i = 0; i < given; ++i) {
    there[i] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = 0; i < derived_.size(); ++i) {
    if (there[given + i] != 0) {
      there[given + i] = static_cast<std::uint32_t>(given + kept.derived_.size());
      kept.derived_.push_back({there[derived_[i].parent], derived_[i].step});
    }
  }
  for (std::uint32_t& place : places) {
    place = there[place];
  }
  return kept;
}

std::uint64_t KeyRecording::derived(std::uint64_t parent, KeyStep step) noexcept {
  std::uint64_t mark = 0;
  Active::instance().with(parent, [&](KeyRecording& own, std::uint32_t place) noexcept {
    const std::size_t given = own.given_.size();
    const std::uint32_t root = place < given ? place : own.derived_[place - given].root;
    const std::size_t next = given + own.derived_.size();
    try {
      if (next < std::numeric_limits<std::uint32_t>::max()) {
        own.derived_.push_back({place, root, step});
        mark = own.mark_of(next);
        return;
      }
    } catch (const std::bad_alloc&) {  // What follows is for this key alone.
    }
    own.is_read_[root] = true;
  });
  return mark;
}

void note_key_is_read(std::uint64_t recorded) noexcept {
  KeyRecording::Active::instance().with(recorded, [](KeyRecording& own, std::uint32_t place) {
    const std::size_t given = own.given_.size();
    own.is_read_[place < given ? place : own.derived_[place - given].root] = true;
  });
}

}  // namespace ddx::detail
