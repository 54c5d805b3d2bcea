#include "ddx/ad/detail/memory_tangents.h"

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/shadow_directory.h"

#include "ad/detail/shadow_ranges.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace ddx::detail {

namespace {

/// As MemoryTangents::move, for one type of number. Returns whether tangents were lost: of numbers
/// of which only a part was copied.
template <class Real>
[[nodiscard]] bool move_tangents(ShadowDirectory<Real>& tangents, std::uintptr_t dst,
                                 std::uintptr_t src, std::size_t bytes, Observers observers) {
  const std::uintptr_t distance = dst - src;
  const ShadowRange<Real> source(src, bytes);
  const ShadowRange<Real> range(dst, bytes);
  if (distance % sizeof(Real) != 0) {
    if (source.has_number(tangents)) {
      throw_unaligned_copy(reinterpret_cast<const void*>(dst), reinterpret_cast<const void*>(src),
                           sizeof(Real));
    }
    const bool loses = source.cuts_number(tangents);
    clear_numbers(tangents, dst, bytes, observers);
    if (loses) {
      range.set_nan(tangents);
    }
    return loses;
  }
  std::array<std::uintptr_t, 2> lost{};  // One at each end.
  std::size_t lost_count = 0;
  source.for_each_cut_place([&](std::uintptr_t place) {
    const Real* const number = tangents.find(place, 1).first;
    if (number != nullptr && *number != 0) {
      lost[lost_count++] = place + distance;
    }
  });
  clear_cut(range, tangents, observers);
  copy_numbers(tangents, range.first(), range.first() - distance, range.count(), observers);
  for (std::size_t i = 0; i < lost_count; ++i) {
    *tangents.place(reinterpret_cast<const void*>(lost[i])) =
        std::numeric_limits<Real>::quiet_NaN();
  }
  return lost_count > 0;
}

constinit thread_local MemoryTangents* newest_tangents = nullptr;

}  // namespace

MemoryTangents::MemoryTangents() noexcept : next_(newest_tangents), place_(&newest_tangents) {
  if (next_ != nullptr) {
    next_->place_ = &next_;
  }
  newest_tangents = this;
}

MemoryTangents::~MemoryTangents() {
  *place_ = next_;
  if (next_ != nullptr) {
    next_->place_ = place_;
  }
}

void MemoryTangents::clear_all(const void* begin, std::size_t bytes) noexcept {
  for (MemoryTangents* one = newest_tangents; one != nullptr; one = one->next_) {
    one->clear(begin, bytes);
  }
}

void MemoryTangents::move(const void* dst, const void* src, std::size_t bytes,
                          Observers observers) {
  if (dst == src) {
    return;
  }
  tangents_.for_each_used([&](auto& tangents) {
    if (move_tangents(tangents, reinterpret_cast<std::uintptr_t>(dst),
                      reinterpret_cast<std::uintptr_t>(src), bytes, observers)) {
      lost_bits_.note_lost();
    }
  });
}

void MemoryTangents::follow(const RangeEffect& effect, Observers observers) {
  const auto dst = reinterpret_cast<std::uintptr_t>(effect.dst);
  const auto src = reinterpret_cast<std::uintptr_t>(effect.src);
  switch (effect.kind) {
    case RangeEffect::Kind::Copied:
      move(effect.dst, effect.src, effect.bytes, observers);
      return;
    case RangeEffect::Kind::Added:
      tangents_.for_each_used([&]<class Real>(ShadowDirectory<Real>& tangents) {
        add_numbers(tangents, dst, src, effect.bytes / sizeof(Real), observers);
      });
      return;
    case RangeEffect::Kind::Cleared:
    case RangeEffect::Kind::Ended:  // Another use begins with zeros.
      clear(effect.dst, effect.bytes, observers);
      return;
    case RangeEffect::Kind::None:
      return;
  }
}

void MemoryTangents::end_use(Observers observers) const {
  end_numbers(tangents_, observers);
}

bool MemoryTangents::has_tangent(const void* begin, std::size_t bytes) noexcept {
  bool found = false;
  tangents_.for_each_used([&]<class Real>(ShadowDirectory<Real>& tangents) {
    const ShadowRange<Real> range(reinterpret_cast<std::uintptr_t>(begin), bytes);
    found = found || range.has_number(tangents) || range.cuts_number(tangents);
  });
  return found;
}

void MemoryTangents::lose(const void* begin, std::size_t bytes) {
  tangents_.for_each_used([&]<class Real>(ShadowDirectory<Real>& tangents) {
    ShadowRange<Real>(reinterpret_cast<std::uintptr_t>(begin), bytes).set_nan(tangents);
  });
  lost_bits_.note_lost();
}

void MemoryTangents::clear(const void* begin, std::size_t bytes) noexcept {
  clear(begin, bytes, Observers());
}

void MemoryTangents::clear(const void* begin, std::size_t bytes, Observers observers) {
  objects_.clear(begin, bytes);
  tangents_.for_each_used([&](auto& tangents) {
    clear_numbers(tangents, reinterpret_cast<std::uintptr_t>(begin), bytes, observers);
  });
}

}  // namespace ddx::detail
