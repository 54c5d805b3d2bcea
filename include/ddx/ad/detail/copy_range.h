/// \file
/// Copies of array elements that the reverse sweep needs again.

#pragma once

#include "ddx/ad/detail/arena.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ddx::detail {

/// Copies `trips + more` elements of `array`, from number `first` on, into the arena. Where `trips`
/// is 0 nothing is read, and the result is null.
///
/// Throws: std::bad_alloc.
template <class T>
[[nodiscard]] DDX_INLINE const T* copy_range(Arena& arena, const T* array, std::ptrdiff_t first,
                                             std::size_t trips, std::size_t more) {
  // Fewer elements than this are copied sooner than memcpy is called.
  constexpr std::size_t few = 12;
  if (trips == 0) {
    return nullptr;
  }
  const std::size_t count = trips + more;
  const T* const from = array + first;
  T* const to = arena.alloc<T>(count);
  if (count <= few) {
    for (std::size_t i = 0; i < count; ++i) {
      to[i] = from[i];
      asm("" : "+r"(i));  // Or the optimiser makes a call of memcpy out of the loop.
    }
  } else {
    std::memcpy(to, from, count * sizeof(T));
  }
  return to;
}

/// Asks for `bytes` below `address` in advance, or as much of that as is not fetched soon enough
/// anyway.
[[gnu::noinline]] inline void fetch_bytes_below(const void* address, std::size_t bytes) noexcept {
  constexpr std::size_t most = 32 * Arena::cache_line;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const std::size_t end = bytes < most ? bytes : most;
  for (std::size_t below = Arena::cache_line; below <= end; below += Arena::cache_line) {
    __builtin_prefetch(reinterpret_cast<const void*>(begin - below));
  }
}

/// Asks in advance for as many elements as `count`, which one loop copied, below the first of these
/// copies, `copy`: what the forward sweep copied before them, and the reverse sweep takes next. The
/// processor fetches ahead upwards within a copy, but not from one to the one below. Nothing where
/// all of the arena's memory is in a cache anyway, or where the copies are short.
template <class T>
DDX_INLINE void fetch_below(const Arena& arena, const T* copy, std::size_t count) noexcept {
  constexpr std::size_t few = 4 * Arena::cache_line / sizeof(T);
  if (count > few && !arena.is_small()) {
    fetch_bytes_below(copy, count * sizeof(T));
  }
}

/// Rows of elements, copied; each begins on a cache line. They lie in memory from the last to the
/// first: the reverse sweep takes the rows backwards and each row forwards, and so reads all of
/// them in the order of their addresses, as fetching ahead wants it.
template <class T>
struct Rows {
  const T* first = nullptr;
  std::size_t width = 0;

  [[nodiscard]] DDX_INLINE const T* row(std::size_t number) const { return first - number * width; }
};

/// What one load needs of the rows: of row `row`, counted from that of the iteration, the elements
/// from `low` on, and as many more as there are iterations, to `high`.
struct RowPart {
  std::ptrdiff_t row;
  std::ptrdiff_t low;
  std::ptrdiff_t high;
};

/// Copies what `rows` iterations load of `array`, each `trips` elements and a few, into the arena.
/// Element 0 of the first iteration's own row is number `first` of the array; the next row begins
/// `distance` elements behind. In the result, number 0 is the least row of all parts, and of each
/// row the least element. Nothing is read that no part asks for.
///
/// Throws: std::bad_alloc.
template <class T, std::size_t N>
[[nodiscard]] Rows<T> copy_rows(Arena& arena, const T* array, std::ptrdiff_t first,
                                std::ptrdiff_t distance, std::size_t rows, std::size_t trips,
                                const RowPart (&parts)[N]) {
  if (rows == 0 || trips == 0) {
    return {};
  }
  RowPart least = parts[0];
  RowPart most = parts[0];
  for (const RowPart& part : parts) {
    least = {part.row < least.row ? part.row : least.row,
             part.low < least.low ? part.low : least.low, 0};
    most = {part.row > most.row ? part.row : most.row, 0,
            part.high > most.high ? part.high : most.high};
  }
  constexpr std::size_t line = Arena::cache_line / sizeof(T);
  const auto count = static_cast<std::ptrdiff_t>(rows);
  const std::size_t wanted = trips + static_cast<std::size_t>(most.high - least.low);
  const std::size_t width = (wanted + line - 1) / line * line;
  const std::size_t height = rows + static_cast<std::size_t>(most.row - least.row);
  T* to = arena.alloc<T>(height * width);
  const Rows<T> result{to + (height - 1) * width, width};
  for (std::ptrdiff_t row = count + most.row - 1; row >= least.row; --row, to += width) {
    std::ptrdiff_t low = most.high;
    std::ptrdiff_t end = least.low;
    for (const RowPart& part : parts) {
      if (part.row <= row && row < part.row + count) {
        const std::ptrdiff_t end_of_part = part.high + static_cast<std::ptrdiff_t>(trips);
        low = part.low < low ? part.low : low;
        end = end_of_part > end ? end_of_part : end;
      }
    }
    if (low < end) {
      std::memcpy(to + (low - least.low), array + (first + row * distance + low),
                  static_cast<std::size_t>(end - low) * sizeof(T));
    }
  }
  return result;
}

}  // namespace ddx::detail
