#include "ddx/ad/detail/second_sweep.h"

#include "ddx/ad/detail/shadow_directory.h"

#include "ad/detail/shadow_ranges.h"

#include <cstddef>
#include <cstdint>

namespace ddx::detail {

namespace {

/// Adds the tangents of the cotangents of `dst` to those of `src`, and leaves zeros.
template <class Real>
void move_second(ShadowDirectory<Real>& cotangents, std::uintptr_t dst, std::uintptr_t src,
                 std::size_t bytes, MemoryTangents& tangents) {
  const ShadowRange<Real> range(dst, bytes);
  const std::uintptr_t distance = src - dst;
  if (distance % sizeof(Real) != 0) {
    return;  // Of the numbers that have cotangents, none was copied.
  }
  const bool backward = dst < src;
  for_each_page_pair<Real>(range.first(), range.first() + distance, range.count(), backward,
                           [&](std::uintptr_t to, std::uintptr_t from, std::size_t count) {
                             Real* const taken = cotangents.find(to, count).first;
                             if (taken == nullptr) {
                               return;
                             }
                             Real* const sums =
                                 cotangents.place(reinterpret_cast<const void*>(from));
                             for (std::size_t i = 0; i < count; ++i) {
                               const std::size_t at = backward ? count - 1 - i : i;
                               Real& tangent = *tangents.place<Real>(taken + at);
                               const Real amount = tangent;
                               tangent = 0;
                               *tangents.place<Real>(sums + at) += amount;
                             }
                           });
}

}  // namespace

void move_with_tangents(MemorySweep& sweep, const void* dst, const void* src, std::size_t bytes,
                        MemoryTangents& tangents) {
  sweep.move(dst, src, bytes);
  if (dst == src || bytes == 0) {
    return;
  }
  sweep.cotangents().for_each_used([&](auto& cotangents) {
    move_second(cotangents, reinterpret_cast<std::uintptr_t>(dst),
                reinterpret_cast<std::uintptr_t>(src), bytes, tangents);
  });
}

void clear_with_tangents(MemorySweep& sweep, const void* begin, std::size_t bytes,
                         MemoryTangents& tangents) {
  sweep.clear(begin, bytes);
  sweep.cotangents().for_each_used([&]<class Real>(ShadowDirectory<Real>& cotangents) {
    const ShadowRange<Real> range(reinterpret_cast<std::uintptr_t>(begin), bytes);
    range.for_each_run(cotangents, [&](const auto& run, std::uintptr_t /*at*/) {
      if (run.first != nullptr) {
        tangents.clear(run.first, run.count * sizeof(Real));
      }
    });
  });
}

}  // namespace ddx::detail
