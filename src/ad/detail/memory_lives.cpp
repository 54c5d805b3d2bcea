#include "ddx/ad/detail/memory_lives.h"

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/shadow_directory.h"

#include "ad/detail/shadow_ranges.h"

#include <cstdint>
#include <cstdlib>
#include <malloc.h>

namespace ddx::detail {

void begin_of_life(MemorySweep& sweep, const void* begin, std::size_t bytes) {
  if (sweep.layer() != nullptr) {
    sweep.layer()->claim(sweep.cotangents(), begin, bytes);
  }
  sweep.cotangents().for_each_used([&]<class Real>(ShadowDirectory<Real>& cotangents) {
    const ShadowRange<Real> range(reinterpret_cast<std::uintptr_t>(begin), bytes);
    if (!range.has_number(cotangents)) {
      return;
    }
    if (sweep.lost_bits().have_been_lost() && range.has_nan_alone(cotangents)) {
      range.set_zero(cotangents);  // Of bits that were marked.
      return;
    }
    throw_number_without_origin(begin, bytes);
  });
}

bool take_bits(MemorySweep& sweep, const void* begin, std::size_t bytes) {
  if (sweep.layer() != nullptr) {
    sweep.layer()->claim(sweep.cotangents(), begin, bytes);
  }
  bool found = false;
  sweep.cotangents().for_each_used([&]<class Real>(ShadowDirectory<Real>& cotangents) {
    const ShadowRange<Real> range(reinterpret_cast<std::uintptr_t>(begin), bytes);
    if (range.has_number(cotangents)) {
      found = true;
      range.set_zero(cotangents);
    }
    range.for_each_cut(cotangents, [&](Real& number) {
      if (number != 0) {
        found = true;
        number = std::numeric_limits<Real>::quiet_NaN();
        sweep.lost_bits().note_lost();
      }
    });
  });
  return found;
}

void mark_bits(MemorySweep& sweep, const void* begin, std::size_t bytes) {
  sweep.cotangents().for_each_used([&]<class Real>(ShadowDirectory<Real>& cotangents) {
    ShadowRange<Real>(reinterpret_cast<std::uintptr_t>(begin), bytes).set_nan(cotangents);
  });
  sweep.lost_bits().note_lost();
}

void* reallocate(void* old, std::size_t bytes, Observers observers) {
  const std::size_t before = ::malloc_usable_size(old);
  observers.begin();
  void* const made = std::realloc(old, bytes);
  if (made != nullptr && old != nullptr) {
    observers.see({RangeEffect::Kind::Copied, made, old, before < bytes ? before : bytes});
  }
  return made;
}

}  // namespace ddx::detail
