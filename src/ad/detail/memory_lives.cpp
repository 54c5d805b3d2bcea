#include "ddx/ad/detail/memory_lives.h"

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/second_sweep.h"
#include "ddx/ad/detail/shadow_directory.h"

#include "ad/detail/shadow_ranges.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>

namespace ddx::detail {

namespace {

/// What realloc did.
struct Reallocation {
  void* old;
  void* made;
  std::size_t bytes;  ///< Copied.
};

/// A record, in whole units of the tape.
constexpr std::size_t reallocation_bytes =
    (sizeof(Reallocation) + Tape::alignment - 1) / Tape::alignment * Tape::alignment;

}  // namespace

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

void* reallocate(void* old, std::size_t bytes, MemoryTangents& tangents) {
  const std::size_t before = ::malloc_usable_size(old);
  void* const made = std::realloc(old, bytes);
  if (made != nullptr && old != nullptr) {
    tangents.move(made, old, before < bytes ? before : bytes);
  }
  return made;
}

void* reallocate_with_records(void* old, std::size_t bytes, MemoryTangents& tangents,
                              MemorySweep& sweep) {
  const std::size_t before = ::malloc_usable_size(old);
  void* const made = reallocate(old, bytes, sweep);
  const bool copied = made != nullptr && old != nullptr;
  tangents.move(made, old, copied ? std::min(before, bytes) : 0, sweep);
  return made;
}

void* reallocate_with_tangents(void* old, std::size_t bytes, MemorySweep& sweep,
                               MemoryTangents& tangents) {
  const std::size_t before = ::malloc_usable_size(old);
  void* const made = reallocate(old, bytes, sweep);
  if (made != nullptr && old != nullptr) {
    tangents.move(made, old, before < bytes ? before : bytes);
  }
  return made;
}

void reverse_reallocate_with_tangents(MemorySweep& sweep, MemoryTangents& tangents) {
  const auto* record = reinterpret_cast<const Reallocation*>(sweep.pop(reallocation_bytes));
  if (record->made != nullptr && record->old != nullptr) {
    move_with_tangents(sweep, record->made, record->old, record->bytes, tangents);
  }
}

void* reallocate(void* old, std::size_t bytes, MemorySweep& sweep) {
  const std::size_t before = ::malloc_usable_size(old);
  auto* record = reinterpret_cast<Reallocation*>(sweep.push(reallocation_bytes));
  void* const made = std::realloc(old, bytes);
  *record = {old, made, before < bytes ? before : bytes};
  return made;
}

void reverse_reallocate(MemorySweep& sweep) {
  const auto* record = reinterpret_cast<const Reallocation*>(sweep.pop(reallocation_bytes));
  if (record->made != nullptr && record->old != nullptr) {
    sweep.move(record->made, record->old, record->bytes);
  }
}

}  // namespace ddx::detail
