/// \file
/// Ranges of bytes in memory, seen as the numbers of one type that lie in them.

#pragma once

#include "ddx/ad/detail/range_effects.h"
#include "ddx/ad/detail/shadow_directory.h"
#include "ddx/ad/detail/shadow_kinds.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace ddx::detail {

/// The bytes of a number that hold its value: a long double of x86 has 10, and padding behind them
/// that compilers copy separately, or not at all.
template <class Real>
inline constexpr std::size_t value_bytes =
    std::numeric_limits<Real>::digits == 64 ? std::size_t{10} : sizeof(Real);

/// The numbers of type `Real` that lie whole in a range of bytes, padding left out.
template <class Real>
class ShadowRange {
 public:
  ShadowRange(std::uintptr_t begin, std::size_t bytes) noexcept
      : begin_(begin), end_(begin + bytes) {
    const std::uintptr_t first = (begin + sizeof(Real) - 1) / sizeof(Real) * sizeof(Real);
    const std::uintptr_t upper = end_ / sizeof(Real) * sizeof(Real);
    const std::uintptr_t last = end_ - upper < value_bytes<Real> ? upper : upper + sizeof(Real);
    if (first < last) {
      first_ = first;
      count_ = (last - first) / sizeof(Real);
    }
  }

  /// The address of the first one.
  [[nodiscard]] std::uintptr_t first() const noexcept { return first_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  /// Calls `use(run, address)` with the numbers of each page. Makes no mirrors.
  template <class Use>
  void for_each_run(const ShadowDirectory<Real>& directory, const Use& use) const {
    std::uintptr_t at = first_;
    for (std::size_t left = count_; left > 0;) {
      const auto run = directory.find(at, left);
      use(run, at);
      at += run.count * sizeof(Real);
      left -= run.count;
    }
  }

  /// Whether a number is not zero.
  [[nodiscard]] bool has_number(const ShadowDirectory<Real>& directory) const {
    bool found = false;
    for_each_run(directory, [&](const auto& run, std::uintptr_t /*at*/) {
      for (std::size_t i = 0; run.first != nullptr && i < run.count; ++i) {
        found = found || run.first[i] != 0;
      }
    });
    return found;
  }

  /// Whether all numbers that are not zero are NaN.
  [[nodiscard]] bool has_nan_alone(const ShadowDirectory<Real>& directory) const {
    bool found = false;
    for_each_run(directory, [&](const auto& run, std::uintptr_t /*at*/) {
      for (std::size_t i = 0; run.first != nullptr && i < run.count; ++i) {
        found = found || (run.first[i] != 0 && run.first[i] == run.first[i]);
      }
    });
    return !found;
  }

  /// Makes NaN of the numbers of which bytes lie in the range. Makes mirrors.
  void set_nan(ShadowDirectory<Real>& directory) const {
    std::uintptr_t at = begin_ / sizeof(Real) * sizeof(Real);
    if (begin_ - at >= value_bytes<Real>) {
      at += sizeof(Real);
    }
    for (; at < end_; at += sizeof(Real)) {
      *directory.place(reinterpret_cast<const void*>(at)) = std::numeric_limits<Real>::quiet_NaN();
    }
  }

  /// Makes the numbers zero.
  void set_zero(const ShadowDirectory<Real>& directory) const noexcept {
    for_each_run(directory, [](const auto& run, std::uintptr_t /*at*/) {
      if (run.first != nullptr) {
        std::memset(static_cast<void*>(run.first), 0, run.count * sizeof(Real));
      }
    });
  }

  /// Calls `use(address)` with those of which a part lies in the range: at most one at each end.
  template <class Use>
  void for_each_cut_place(const Use& use) const {
    const std::uintptr_t lower = begin_ / sizeof(Real) * sizeof(Real);
    const std::uintptr_t upper = end_ / sizeof(Real) * sizeof(Real);
    if (begin_ == end_) {
      return;
    }
    if (lower != begin_ && begin_ - lower < value_bytes<Real>) {
      use(lower);
    }
    if (upper >= begin_ && upper != end_ && end_ - upper < value_bytes<Real>) {
      use(upper);
    }
  }

  /// Calls `use(number)` with those of them that have a mirror.
  template <class Use>
  void for_each_cut(const ShadowDirectory<Real>& directory, const Use& use) const {
    for_each_cut_place([&](std::uintptr_t place) {
      if (Real* const number = directory.find(place, 1).first) {
        use(*number);
      }
    });
  }

  /// Whether a number of which a part lies in the range is not zero.
  [[nodiscard]] bool cuts_number(const ShadowDirectory<Real>& directory) const {
    bool found = false;
    for_each_cut(directory, [&](const Real& number) { found = found || number != 0; });
    return found;
  }

 private:
  std::uintptr_t begin_;
  std::uintptr_t end_;
  std::uintptr_t first_ = 0;
  std::size_t count_ = 0;
};

/// Calls `use(dst, src, count)` with the parts of two ranges of `count` numbers at which neither
/// leaves its page. The parts come from the last to the first where `backward` is true.
template <class Real, class Use>
void for_each_page_pair(std::uintptr_t dst, std::uintptr_t src, std::size_t count, bool backward,
                        const Use& use) {
  constexpr std::size_t page_bytes = ShadowDirectory<Real>::page_bytes;
  const auto smaller = [](std::size_t a, std::size_t b) { return a < b ? a : b; };
  const auto to_end = [](std::uintptr_t at) {
    return (page_bytes - at % page_bytes) / sizeof(Real);
  };
  const auto from_begin = [](std::uintptr_t end) {
    return ((end - 1) % page_bytes + 1) / sizeof(Real);
  };
  std::size_t done = 0;
  while (done < count) {
    const std::size_t left = count - done;
    if (backward) {
      const std::size_t bytes = left * sizeof(Real);
      const std::size_t part =
          smaller(left, smaller(from_begin(dst + bytes), from_begin(src + bytes)));
      const std::size_t skipped = (left - part) * sizeof(Real);
      use(dst + skipped, src + skipped, part);
      done += part;
    } else {
      const std::size_t skipped = done * sizeof(Real);
      const std::size_t part = smaller(left, smaller(to_end(dst + skipped), to_end(src + skipped)));
      use(dst + skipped, src + skipped, part);
      done += part;
    }
  }
}

/// Shows that numbers in a row became zero.
template <class Real>
void see_cleared(Observers observers, Real* numbers, std::size_t count) {
  observers.see({RangeEffect::Kind::Cleared, numbers, nullptr, count * sizeof(Real)});
}

/// Makes the numbers zero of which a part lies in a range. One that was lost stays so as long as a
/// byte of it is there.
template <class Real>
void clear_cut(const ShadowRange<Real>& range, ShadowDirectory<Real>& numbers,
               Observers observers) {
  range.for_each_cut(numbers, [&](Real& number) {
    number = number != number ? number : 0;
    see_cleared(observers, &number, 1);
  });
}

/// Makes the numbers of a range zero, those of which a part lies in it included.
template <class Real>
void clear_numbers(ShadowDirectory<Real>& numbers, std::uintptr_t begin, std::size_t bytes,
                   Observers observers) {
  const ShadowRange<Real> range(begin, bytes);
  clear_cut(range, numbers, observers);
  range.set_zero(numbers);
  if (observers.any()) {
    range.for_each_run(numbers, [&](const auto& run, std::uintptr_t /*at*/) {
      if (run.first != nullptr) {
        see_cleared(observers, run.first, run.count);
      }
    });
  }
}

/// Copies numbers as memmove does. Both addresses are multiples of the size.
///
/// Throws: std::bad_alloc.
template <class Real>
void copy_numbers(ShadowDirectory<Real>& numbers, std::uintptr_t dst, std::uintptr_t src,
                  std::size_t count, Observers observers) {
  for_each_page_pair<Real>(
      dst, src, count, /*backward=*/dst > src,
      [&](std::uintptr_t to, std::uintptr_t from, std::size_t part) {
        if (Real* const source = numbers.find(from, part).first) {
          Real* const into = numbers.place(reinterpret_cast<const void*>(to));
          std::memmove(static_cast<void*>(into), source, part * sizeof(Real));
          observers.see({RangeEffect::Kind::Copied, into, source, part * sizeof(Real)});
        } else if (Real* const old = numbers.find(to, part).first) {
          std::memset(static_cast<void*>(old), 0, part * sizeof(Real));
          see_cleared(observers, old, part);
        }
      });
}

/// Adds the numbers at `dst` to those at `src`, and leaves zeros. Both addresses are multiples of
/// the size.
///
/// Throws: std::bad_alloc.
template <class Real>
void add_numbers(ShadowDirectory<Real>& numbers, std::uintptr_t dst, std::uintptr_t src,
                 std::size_t count, Observers observers) {
  // A number is added to a sum only after that has given its own away: backward where the numbers
  // came from higher addresses.
  const bool backward = dst < src;
  for_each_page_pair<Real>(
      dst, src, count, backward, [&](std::uintptr_t to, std::uintptr_t from, std::size_t part) {
        Real* const taken = numbers.find(to, part).first;
        bool any = taken != nullptr && observers.any();  // Zeros have derivatives.
        for (std::size_t i = 0; taken != nullptr && i < part; ++i) {
          any |= taken[i] != 0;
        }
        if (!any) {
          return;  // The page of `src` needs no mirror.
        }
        Real* const sums = numbers.place(reinterpret_cast<const void*>(from));
        for (std::size_t i = 0; i < part; ++i) {
          const std::size_t at = backward ? part - 1 - i : i;
          const Real number = taken[at];
          taken[at] = 0;
          sums[at] += number;
        }
        observers.see({RangeEffect::Kind::Added, taken, sums, part * sizeof(Real)});
      });
}

/// Shows that the use of all numbers ends.
inline void end_numbers(const ShadowKinds& kinds, Observers observers) {
  kinds.for_each_used([&]<class Real>(const ShadowDirectory<Real>& numbers) {
    numbers.for_each_mirror([&](std::uintptr_t /*page*/, Real* mirror) {
      observers.see({RangeEffect::Kind::Ended, mirror, nullptr, ShadowDirectory<Real>::page_bytes});
    });
  });
}

}  // namespace ddx::detail
