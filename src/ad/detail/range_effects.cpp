#include "ddx/ad/detail/range_effects.h"

#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/memory_tangents.h"
#include "ddx/ad/detail/tape.h"

namespace ddx::detail {

namespace {

constexpr std::size_t record_bytes =
    (sizeof(RangeEffect) + Tape::alignment - 1) / Tape::alignment * Tape::alignment;

void push_record(void* sweep, const RangeEffect& effect) {
  *reinterpret_cast<RangeEffect*>(static_cast<MemorySweep*>(sweep)->push(record_bytes)) = effect;
}

/// What the reverse of an effect does to the cotangents of the numbers.
RangeEffect::Kind reverse_of(RangeEffect::Kind kind) {
  switch (kind) {
    case RangeEffect::Kind::Copied:
      return RangeEffect::Kind::Added;
    case RangeEffect::Kind::Added:
      return RangeEffect::Kind::Copied;
    case RangeEffect::Kind::Cleared:
    case RangeEffect::Kind::Ended:
      return RangeEffect::Kind::Cleared;
    case RangeEffect::Kind::None:
      break;
  }
  return kind;
}

}  // namespace

void Observers::begin() const {
  for (std::size_t i = 0; kinds_[i] != 0; ++i) {
    if (kinds_[i] == 's') {
      push_record(objects_[i], {RangeEffect::Kind::None, nullptr, nullptr, 0});
    }
  }
}

void Observers::see(const RangeEffect& effect) const {
  for (std::size_t i = 0; kinds_[i] != 0; ++i) {
    if (kinds_[i] == 's') {
      push_record(objects_[i], {reverse_of(effect.kind), effect.dst, effect.src, effect.bytes});
    } else {
      static_cast<MemoryTangents*>(objects_[i])
          ->follow(effect, Observers(kinds_ + i + 1, objects_ + i + 1));
    }
  }
}

void reverse_effects(MemorySweep& sweep, Observers observers) {
  observers.begin();
  while (true) {
    const RangeEffect effect = *reinterpret_cast<const RangeEffect*>(sweep.pop(record_bytes));
    switch (effect.kind) {
      case RangeEffect::Kind::Copied:
        sweep.copy(effect.dst, effect.src, effect.bytes, observers);
        break;
      case RangeEffect::Kind::Added:
        sweep.move(effect.dst, effect.src, effect.bytes, observers);
        break;
      case RangeEffect::Kind::Cleared:
      case RangeEffect::Kind::Ended:
        sweep.clear(effect.dst, effect.bytes, observers);
        break;
      case RangeEffect::Kind::None:
        return;
    }
  }
}

}  // namespace ddx::detail
