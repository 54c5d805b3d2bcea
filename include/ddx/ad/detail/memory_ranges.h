/// \file
/// Cotangents and tangents of numbers that follow each other in memory.

#pragma once

#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/memory_tangents.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ddx::detail {

/// Calls `use(place, first, count)` with runs of `count` numbers that follow each other in memory
/// and whose shadows do, from `place` on; `first` is the number of those before.
template <class Real, class Use>
void for_each_run(ShadowDirectory<Real>& directory, const Real* numbers, std::size_t count,
                  const Use& use) {
  constexpr std::size_t page = ShadowDirectory<Real>::page_bytes;
  for (std::size_t done = 0; done < count;) {
    const auto address = reinterpret_cast<std::uintptr_t>(numbers + done);
    const std::size_t run = std::min(count - done, (page - address % page) / sizeof(Real));
    use(directory.place(numbers + done), done, run);
    done += run;
  }
}

/// Writes the cotangents of `count` numbers to `into`.
template <class Real>
void get_cotangents(MemorySweep& sweep, const Real* numbers, std::size_t count, Real* into) {
  if (sweep.layer() != nullptr) {
    for (std::size_t i = 0; i < count; ++i) {
      into[i] = sweep.get<Real>(numbers + i);
    }
    return;
  }
  for_each_run(sweep.cotangents().of<Real>(), numbers, count,
               [&](const Real* place, std::size_t first, std::size_t run) {
                 std::copy_n(place, run, into + first);
               });
}

/// As get_cotangents, and leaves zeros.
template <class Real>
void take_cotangents(MemorySweep& sweep, const Real* numbers, std::size_t count, Real* into) {
  if (sweep.layer() != nullptr) {
    for (std::size_t i = 0; i < count; ++i) {
      into[i] = sweep.take<Real>(numbers + i);
    }
    return;
  }
  for_each_run(sweep.cotangents().of<Real>(), numbers, count,
               [&](Real* place, std::size_t first, std::size_t run) {
                 std::copy_n(place, run, into + first);
                 std::fill_n(place, run, Real{0});
               });
}

/// Returns the cotangents of `count` numbers where they follow each other as the numbers do, else
/// null.
template <class Real>
[[nodiscard]] Real* adjacent_cotangents(MemorySweep& sweep, const Real* numbers,
                                        std::size_t count) {
  if (count == 0) {
    return nullptr;
  }
  if (sweep.layer() != nullptr) {
    return sweep.range<Real>(numbers, numbers + (count - 1));
  }
  Real* const first = sweep.place<Real>(numbers);
  bool are_adjacent = true;
  for_each_run(sweep.cotangents().of<Real>(), numbers, count,
               [&](const Real* place, std::size_t before, std::size_t /*run*/) {
                 are_adjacent = are_adjacent && place == first + before;
               });
  return are_adjacent ? first : nullptr;
}

/// Calls `change(place, first, count)` with stretches of the cotangents of `count` numbers, to add
/// to; `first` is the number of those before.
template <class Real, class Change>
void change_cotangents(MemorySweep& sweep, const Real* numbers, std::size_t count,
                       const Change& change) {
  for_each_run(sweep.cotangents().of<Real>(), numbers, count, change);
}

}  // namespace ddx::detail
