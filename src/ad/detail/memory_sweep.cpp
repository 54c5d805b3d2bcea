#include "ddx/ad/detail/memory_sweep.h"

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/shadow_directory.h"

#include "ad/detail/shadow_ranges.h"

#include <cstddef>
#include <cstdint>

namespace ddx::detail {

namespace {

/// As MemorySweep::move, for one type of number.
template <class Real>
void move_cotangents(ShadowDirectory<Real>& cotangents, std::uintptr_t dst, std::uintptr_t src,
                     std::size_t bytes, Observers observers) {
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
  add_numbers(cotangents, range.first(), range.first() + distance, range.count(), observers);
}

}  // namespace

void MemorySweep::move(const void* dst, const void* src, std::size_t bytes, Observers observers) {
  if (dst == src) {
    return;
  }
  if (layer_ != nullptr) {
    layer_->claim(cotangents_, dst, bytes);
  }
  cotangents_.for_each_used([&](auto& cotangents) {
    move_cotangents(cotangents, reinterpret_cast<std::uintptr_t>(dst),
                    reinterpret_cast<std::uintptr_t>(src), bytes, observers);
  });
}

void MemorySweep::clear(const void* begin, std::size_t bytes, Observers observers) {
  objects_->clear(begin, bytes);
  if (layer_ != nullptr) {
    layer_->claim(cotangents_, begin, bytes);
  }
  cotangents_.for_each_used([&]<class Real>(ShadowDirectory<Real>& cotangents) {
    const ShadowRange<Real> range(reinterpret_cast<std::uintptr_t>(begin), bytes);
    if (range.cuts_number(cotangents)) {
      throw_cut_number("memset", begin, bytes);
    }
    clear_numbers(cotangents, reinterpret_cast<std::uintptr_t>(begin), bytes, observers);
  });
}

void MemorySweep::copy(const void* dst, const void* src, std::size_t bytes, Observers observers) {
  if (layer_ != nullptr) {
    layer_->claim(cotangents_, dst, bytes);
    layer_->claim(cotangents_, src, bytes);
  }
  cotangents_.for_each_used([&]<class Real>(ShadowDirectory<Real>& cotangents) {
    copy_numbers(cotangents, reinterpret_cast<std::uintptr_t>(dst),
                 reinterpret_cast<std::uintptr_t>(src), bytes / sizeof(Real), observers);
  });
}

void MemorySweep::end_reverse(Observers observers) const {
  end_numbers(cotangents_, observers);
}

}  // namespace ddx::detail
