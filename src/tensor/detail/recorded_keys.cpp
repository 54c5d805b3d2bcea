#include "ddx/tensor/detail/recorded_keys.h"

#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"

#include "tensor/detail/dispatch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::detail {
namespace {

/// The innermost of this thread.
constinit thread_local RecordedKeys* innermost = nullptr;

}  // namespace

bool KeyInputs::fit(std::span<const RandomKey> recorded, std::span<const RandomKey> given) const {
  for (std::size_t i = 0; i < is_read_.size(); ++i) {
    if (is_read_[i] && recorded[i] != given[i]) {
      return false;
    }
  }
  return true;
}

backend::StagedValues KeyInputs::Call::values(const backend::StagedGraph& staged) const {
  backend::StagedValues values{staged.scalars, staged.captured};
  for (const ScalarInput& one : inputs_.scalars_) {
    values.scalars[one.scalar] = keys_[one.key];
  }
  for (const ArrayInput& one : inputs_.arrays_) {
    Array array = one.draw(keys_[one.key]);
    (void)array.mutable_data();
    values.captured[one.captured] = backend::Buffer(*backend::block_of(array.view()));
  }
  return values;
}

RecordedKeys::RecordedKeys(std::vector<RandomKey> given)
    : recording_(given), given_(given.size()), before_(std::exchange(innermost, this)) {}

RecordedKeys::~RecordedKeys() {
  innermost = before_;
}

KeyInputs RecordedKeys::inputs(const backend::StagedGraph& staged,
                               std::span<const RandomKey> results, bool may_be_others) const {
  KeyInputs inputs;
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < staged.scalars.size(); ++i) {
    const auto* const key = std::get_if<RandomKey>(&staged.scalars[i]);
    if (const auto place = key == nullptr ? std::nullopt : recording_.place_of(*key)) {
      inputs.scalars_.push_back({i, 0});
      places.push_back(*place);
    }
  }
  for (std::size_t i = 0; i < staged.captured.size(); ++i) {
    const auto draw = std::ranges::find_if(draws_, [&](const Draw& one) {
      return backend::block_of(one.array.view()) == staged.captured[i].block();
    });
    if (draw != draws_.end()) {
      inputs.arrays_.push_back({i, 0, draw->draw});
      places.push_back(draw->key);
    }
  }
  for (const RandomKey& key : results) {
    const auto place = recording_.place_of(key);
    inputs.results_.push_back(place);
    if (place) {
      places.push_back(*place);
    }
  }
  inputs.derivations_ = recording_.derivations(places);
  auto place = places.begin();
  for (auto& scalar : inputs.scalars_) {
    scalar.key = *place++;
  }
  for (auto& array : inputs.arrays_) {
    array.key = *place++;
  }
  for (auto& result : inputs.results_) {
    if (result) {
      result = *place++;
    }
  }
  for (std::size_t i = 0; i < given_; ++i) {
    inputs.is_read_.push_back(may_be_others || recording_.is_read(i));
  }
  return inputs;
}

bool is_drawn_at_calls(const RandomKey& key, Device device) {
  return innermost != nullptr && innermost->recording_.place_of(key).has_value() &&
         backend::staging_device() == device;
}

Array drawn(const RandomKey& key, Device device, const HostDraw& draw) {
  if (!is_drawn_at_calls(key, device)) {
    return draw(key_on(key, Device::cpu()));
  }
  RecordedKeys* const keys = innermost;
  // The function gets the result of an operation on the array, which cannot be observed.
  Array array = draw(KeyRecording::bits_of(key));
  (void)array.mutable_data();
  keys->draws_.push_back({array, *keys->recording_.place_of(key), draw});
  const std::array<ops::View, 1> operands{array.view()};
  return compute(ops::Op::reshape, array.dtype(), device, array.shape(), array.dtype(), operands,
                 ops::NoAttributes{});
}

RandomKey key_on(const RandomKey& key, Device device) {
  return backend::staging_device() == device ? key : RandomKey::from_state(key.state());
}

}  // namespace ddx::detail
