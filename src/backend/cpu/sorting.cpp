#include "backend/cpu/sorting.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/pool.h"
#include "backend/cpu/scratch.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace ddx::backend::cpu {
namespace {

/// An element and its place, in one word: the key above the place.
using Entry = std::uint64_t;

/// A word that orders elements as they order: a NaN after every number, both zeros alike.
template <class T>
std::uint32_t key_of(T x) noexcept {
  if constexpr (std::is_same_v<T, float>) {
    if (x != x) {
      return std::numeric_limits<std::uint32_t>::max();
    }
    const auto bits = __builtin_bit_cast(std::uint32_t, x + 0.0F);
    return (bits >> 31U) != 0 ? ~bits : bits | 0x80000000U;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(x)) ^ 0x80000000U;
  } else {
    return static_cast<std::uint32_t>(x);
  }
}

/// How a row is sorted: by digits of so many bits.
struct Digits {
  int bits;
  int passes;
};

// Counting takes the time of 2^bits entries, passing over the row that of its length.
Digits digits_for(std::int64_t count, int key_bits) noexcept {
  const int bits = count < 4096 ? 8 : 11;
  return {bits, (key_bits + bits - 1) / bits};
}

/// Sorts entries by their keys, equal ones staying in their order; the result may be in `entries`
/// or in `other`, and is returned.
Entry* sorted_by_digits(Entry* entries, Entry* other, std::int64_t count,
                        const Digits& digits) noexcept {
  constexpr std::int64_t most_values = 2048;
  for (int pass = 0; pass < digits.passes; ++pass) {
    const int shift = 32 + pass * digits.bits;
    const Entry mask = (Entry{1} << static_cast<unsigned>(digits.bits)) - 1;
    std::int32_t counts[most_values];
    std::fill_n(counts, std::int64_t{1} << digits.bits, 0);
    for (std::int64_t i = 0; i < count; ++i) {
      ++counts[(entries[i] >> static_cast<unsigned>(shift)) & mask];
    }
    const Entry common = (entries[0] >> static_cast<unsigned>(shift)) & mask;
    if (counts[common] == count) {
      continue;
    }
    std::int32_t start = 0;
    for (std::int64_t value = 0; value < std::int64_t{1} << digits.bits; ++value) {
      start += std::exchange(counts[value], start);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      other[counts[(entries[i] >> static_cast<unsigned>(shift)) & mask]++] = entries[i];
    }
    std::swap(entries, other);
  }
  return entries;
}

/// Sorts a few entries; with their places, no two are equal.
void insertion_sort(Entry* entries, std::int64_t count) noexcept {
  for (std::int64_t i = 1; i < count; ++i) {
    const Entry entry = entries[i];
    std::int64_t k = i;
    for (; k > 0 && entries[k - 1] > entry; --k) {
      entries[k] = entries[k - 1];
    }
    entries[k] = entry;
  }
}

template <class T>
void argsort(const ops::Call& call) noexcept {
  const Shape& shape = call.output().shape();
  const std::int64_t extent = shape[shape.rank() - 1];
  if (shape.count() == 0) {
    return;
  }
  const T* all_x = call.input(0).data<T>();
  auto* all_orders = call.output().mutable_data<std::int32_t>();
  // Descending: the keys turned around, so that equal elements still stay in their order.
  const std::uint32_t turn = call.attributes<ops::SortAttributes>().descending
                                 ? std::numeric_limits<std::uint32_t>::max()
                                 : 0;
  constexpr std::int64_t few = 48;
  constexpr bool narrow = sizeof(T) < 4 && std::is_unsigned_v<T>;
  const Digits digits = digits_for(extent, narrow && turn == 0 ? 8 * sizeof(T) : 32);
  std::atomic<bool> done{true};
  for_each_range(shape.count() / extent, std::max<std::int64_t>(4096 / extent, 1),
                 [&](std::int64_t begin, std::int64_t end) {
                   const Scratch<Entry> scratch(2 * extent);
                   if (!scratch) {
                     done = false;
                     return;
                   }
                   for (std::int64_t row = begin; row < end; ++row) {
                     const T* x = all_x + row * extent;
                     Entry* entries = scratch.data();
                     for (std::int64_t i = 0; i < extent; ++i) {
                       entries[i] = Entry{key_of(x[i]) ^ turn} << 32U | static_cast<Entry>(i);
                     }
                     if (extent <= few) {
                       insertion_sort(entries, extent);
                     } else {
                       entries = sorted_by_digits(entries, entries + extent, extent, digits);
                     }
                     std::int32_t* order = all_orders + row * extent;
                     for (std::int64_t i = 0; i < extent; ++i) {
                       order[i] = static_cast<std::int32_t>(entries[i] & 0xffffffffU);
                     }
                   }
                 });
  if (!done) {
    ops::reference_kernel(ops::Op::argsort, dtype_of<T>)(call);
  }
}

}  // namespace

ops::Kernel sorting_kernel(ops::Op op, DType dtype) noexcept {
  if (op != ops::Op::argsort) {
    return nullptr;
  }
  return visit(dtype, [](auto element) -> ops::Kernel {
    using T = decltype(element);
    if constexpr (std::is_same_v<T, float> || (std::is_integral_v<T> && sizeof(T) <= 4)) {
      return &argsort<T>;
    } else {
      return nullptr;
    }
  });
}

}  // namespace ddx::backend::cpu
