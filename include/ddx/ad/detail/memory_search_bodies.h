/// \file
/// Bodies of the C library's functions that sort and search, as memory_bodies.h has others.
/// Included by synthesised text alone.

#pragma once

#include <cstddef>
#include <cstring>
#include <new>

namespace ddx::detail {

/// The comparison of two objects, as the C library calls it.
using Comparison = int (*)(const void* a, const void* b);

/// Merges two neighbouring sorted runs of objects of `size` bytes into `to`. Of equal objects those
/// of the first run come first.
inline void merge_runs(char* to, const char* low, const char* middle, const char* high,
                       std::size_t size, Comparison compare) {
  const char* left = low;
  const char* right = middle;
  for (char* const end = to + (high - low); to != end; to += size) {
    const bool takes_right = left == middle || (right != high && compare(left, right) > 0);
    const char*& taken = takes_right ? right : left;
    std::memcpy(to, taken, size);
    taken += size;
  }
}

[[gnu::used]] static inline void memory_qsort(void* first, std::size_t count, std::size_t size,
                                              Comparison compare) __asm__("ddx.body.qsort");
/// qsort: runs of doubling length are merged, so that equal objects keep their order, as glibc does
/// unless memory is short.
///
/// Throws: std::bad_alloc; what `compare` throws.
void memory_qsort(void* first, std::size_t count, std::size_t size, Comparison compare) {
  if (count < 2 || size == 0) {
    return;
  }
  const std::size_t bytes = count * size;
  struct Spare {
    explicit Spare(std::size_t n) : data(static_cast<char*>(::operator new(n))) {}
    Spare(const Spare&) = delete;
    Spare& operator=(const Spare&) = delete;
    ~Spare() { ::operator delete(data); }
    char* data;
  };
  const Spare spare(bytes);
  char* from = static_cast<char*>(first);
  char* to = spare.data;
  for (std::size_t width = size; width < bytes; width *= 2) {
    for (std::size_t low = 0; low < bytes; low += 2 * width) {
      const std::size_t middle = low + width < bytes ? low + width : bytes;
      const std::size_t high = middle + width < bytes ? middle + width : bytes;
      detail::merge_runs(to + low, from + low, from + middle, from + high, size, compare);
    }
    char* const merged = to;
    to = from;
    from = merged;
  }
  if (from != first) {
    std::memcpy(first, from, bytes);
  }
}

[[gnu::used]] static inline void* memory_bsearch(const void* key, const void* first,
                                                 std::size_t count, std::size_t size,
                                                 Comparison compare) __asm__("ddx.body.bsearch");
/// bsearch: the first match that bisection meets.
///
/// Throws: what `compare` throws.
void* memory_bsearch(const void* key, const void* first, std::size_t count, std::size_t size,
                     Comparison compare) {
  std::size_t low = 0;
  for (std::size_t high = count; low < high;) {
    const std::size_t middle = (low + high) / 2;
    const char* const at = static_cast<const char*>(first) + middle * size;
    const int order = compare(key, at);
    if (order == 0) {
      return const_cast<char*>(at);
    }
    (order < 0 ? high : low) = order < 0 ? middle : middle + 1;
  }
  return nullptr;
}

}  // namespace ddx::detail
