#include "ddx/ad/detail/memory_sweep.h"

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/shadow_directory.h"

#include "ad/detail/shadow_ranges.h"

#include <cstddef>
#include <cstdint>

namespace ddx::detail {

namespace {

/// As MemorySweep::move, for `count` numbers of one page, which come from one page. A cotangent is
/// added to a sum only after that has given its own away: backward where the numbers came from
/// higher addresses.
template <class Real>
void move_within_pages(ShadowDirectory<Real>& cotangents, std::uintptr_t dst, std::uintptr_t src,
                       std::size_t count, bool backward) {
  Real* const taken = cotangents.find(dst, count).first;
  bool any = false;
  for (std::size_t i = 0; taken != nullptr && i < count; ++i) {
    any |= taken[i] != 0;
  }
  if (!any) {
    return;  // The page of `src` needs no mirror.
  }
  Real* const sums = cotangents.place(reinterpret_cast<const void*>(src));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = backward ? count - 1 - i : i;
    const Real cotangent = taken[at];
    taken[at] = 0;
    sums[at] += cotangent;
  }
}

/// As MemorySweep::move, for one type of number.
template <class Real>
void move_cotangents(ShadowDirectory<Real>& cotangents, std::uintptr_t dst, std::uintptr_t src,
                     std::size_t bytes) {
  const ShadowRange<Real> range(dst, bytes);
  if (range.cuts_number(cotangents)) {
    throw_cut_number("memcpy", reinterpret_cast<const void*>(dst), bytes);
  }
  const std::uintptr_t distance = src - dst;
  if (distance % sizeof(Real) != 0) {
    if (range.has_number(cotangents)) {
      throw_unaligned_copy(reinterpret_cast<const void*>(dst), reinterpret_cast<const void*>(src),
                           sizeof(Real));
    }
    return;
  }
  const bool backward = dst < src;
  for_each_page_pair<Real>(range.first(), range.first() + distance, range.count(), backward,
                           [&](std::uintptr_t to, std::uintptr_t from, std::size_t count) {
                             move_within_pages(cotangents, to, from, count, backward);
                           });
}

}  // namespace

void MemorySweep::move(const void* dst, const void* src, std::size_t bytes) {
  if (dst == src) {
    return;
  }
  if (layer_ != nullptr) {
    layer_->claim(cotangents_, dst, bytes);
  }
  cotangents_.for_each_used([&](auto& cotangents) {
    move_cotangents(cotangents, reinterpret_cast<std::uintptr_t>(dst),
                    reinterpret_cast<std::uintptr_t>(src), bytes);
  });
}

void MemorySweep::clear(const void* begin, std::size_t bytes) {
  objects_->clear(begin, bytes);
  if (layer_ != nullptr) {
    layer_->claim(cotangents_, begin, bytes);
  }
  cotangents_.for_each_used([&]<class Real>(ShadowDirectory<Real>& cotangents) {
    const ShadowRange<Real> range(reinterpret_cast<std::uintptr_t>(begin), bytes);
    if (range.cuts_number(cotangents)) {
      throw_cut_number("memset", begin, bytes);
    }
    range.set_zero(cotangents);
  });
}

}  // namespace ddx::detail
