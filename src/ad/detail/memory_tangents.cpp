#include "ddx/ad/detail/memory_tangents.h"

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/shadow_directory.h"

#include "ad/detail/shadow_ranges.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ddx::detail {

namespace {

/// As MemoryTangents::clear, for one type of number.
template <class Real>
void clear_tangents(ShadowDirectory<Real>& tangents, std::uintptr_t begin,
                    std::size_t bytes) noexcept {
  const ShadowRange<Real> range(begin, bytes);
  // One that was lost stays so as long as a byte of it is there.
  range.for_each_cut(tangents, [](Real& number) { number = number != number ? number : 0; });
  range.set_zero(tangents);
}

/// As MemoryTangents::move, for one type of number.
template <class Real>
void move_tangents(ShadowDirectory<Real>& tangents, std::uintptr_t dst, std::uintptr_t src,
                   std::size_t bytes) {
  const std::uintptr_t distance = dst - src;
  if (distance % sizeof(Real) != 0) {
    if (ShadowRange<Real>(src, bytes).has_number(tangents)) {
      throw_unaligned_copy(reinterpret_cast<const void*>(dst), reinterpret_cast<const void*>(src),
                           sizeof(Real));
    }
    clear_tangents(tangents, dst, bytes);
    return;
  }
  const ShadowRange<Real> range(dst, bytes);
  range.for_each_cut(tangents, [](Real& number) { number = 0; });
  for_each_page_pair<Real>(
      range.first(), range.first() - distance, range.count(), /*backward=*/dst > src,
      [&](std::uintptr_t to, std::uintptr_t from, std::size_t count) {
        const Real* const source = tangents.find(from, count).first;
        if (source != nullptr) {
          std::memmove(static_cast<void*>(tangents.place(reinterpret_cast<const void*>(to))),
                       source, count * sizeof(Real));
        } else if (Real* const old = tangents.find(to, count).first) {
          std::memset(static_cast<void*>(old), 0, count * sizeof(Real));
        }
      });
}

}  // namespace

namespace {

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

void MemoryTangents::move(const void* dst, const void* src, std::size_t bytes) {
  if (dst == src) {
    return;
  }
  tangents_.for_each_used([&](auto& tangents) {
    move_tangents(tangents, reinterpret_cast<std::uintptr_t>(dst),
                  reinterpret_cast<std::uintptr_t>(src), bytes);
  });
}

namespace {

/// Tangents that moved, or, without source, became zero.
struct MovedTangents {
  void* dst;
  void* src;
  std::size_t bytes;
};

/// A record, in whole units of the tape; and that of the number of records in front of it.
constexpr std::size_t moved_bytes =
    (sizeof(MovedTangents) + Tape::alignment - 1) / Tape::alignment * Tape::alignment;
constexpr std::size_t count_bytes = Tape::alignment;

/// Writes the records of one call.
class MovedRecords {
 public:
  explicit MovedRecords(MemorySweep& sweep) : sweep_(sweep) {}

  void add(void* dst, void* src, std::size_t bytes) {
    *reinterpret_cast<MovedTangents*>(sweep_.push(moved_bytes)) = {dst, src, bytes};
    ++count_;
  }

  void end() { *reinterpret_cast<std::size_t*>(sweep_.push(count_bytes)) = count_; }

 private:
  MemorySweep& sweep_;
  std::size_t count_ = 0;
};

/// Records the tangents of a range as cleared, those of which a part lies in it included.
template <class Real>
void record_clear(ShadowDirectory<Real>& tangents, std::uintptr_t begin, std::size_t bytes,
                  MovedRecords& records) {
  const ShadowRange<Real> range(begin, bytes);
  range.for_each_cut(tangents, [&](Real& number) { records.add(&number, nullptr, sizeof number); });
  range.for_each_run(tangents, [&](const auto& run, std::uintptr_t /*at*/) {
    if (run.first != nullptr) {
      records.add(run.first, nullptr, run.count * sizeof(Real));
    }
  });
}

}  // namespace

void MemoryTangents::move(const void* dst, const void* src, std::size_t bytes, MemorySweep& sweep) {
  move(dst, src, bytes);
  MovedRecords records(sweep);
  tangents_.for_each_used([&]<class Real>(ShadowDirectory<Real>& tangents) {
    const auto to = reinterpret_cast<std::uintptr_t>(dst);
    const std::uintptr_t distance = to - reinterpret_cast<std::uintptr_t>(src);
    if (dst == src) {
      return;
    }
    if (distance % sizeof(Real) != 0) {
      record_clear(tangents, to, bytes, records);
      return;
    }
    const ShadowRange<Real> range(to, bytes);
    range.for_each_cut(tangents,
                       [&](Real& number) { records.add(&number, nullptr, sizeof number); });
    // In the order of the copy: the reverse takes them the other way round.
    for_each_page_pair<Real>(
        range.first(), range.first() - distance, range.count(), /*backward=*/dst > src,
        [&](std::uintptr_t into, std::uintptr_t from, std::size_t count) {
          if (Real* const moved = tangents.find(into, count).first) {
            records.add(moved, tangents.find(from, count).first, count * sizeof(Real));
          }
        });
  });
  records.end();
}

void MemoryTangents::clear(const void* begin, std::size_t bytes, MemorySweep& sweep) {
  clear(begin, bytes);
  MovedRecords records(sweep);
  tangents_.for_each_used([&](auto& tangents) {
    record_clear(tangents, reinterpret_cast<std::uintptr_t>(begin), bytes, records);
  });
  records.end();
}

void MemoryTangents::end_use(MemorySweep& sweep) {
  MovedRecords records(sweep);
  tangents_.for_each_used([&]<class Real>(ShadowDirectory<Real>& tangents) {
    tangents.for_each_mirror([&](std::uintptr_t /*page*/, Real* mirror) {
      records.add(mirror, nullptr, ShadowDirectory<Real>::page_bytes);
    });
  });
  records.end();
}

void MemoryTangents::reverse(MemorySweep& sweep) {
  std::size_t count = *reinterpret_cast<const std::size_t*>(sweep.pop(count_bytes));
  for (; count > 0; --count) {
    const MovedTangents moved = *reinterpret_cast<const MovedTangents*>(sweep.pop(moved_bytes));
    if (moved.src == nullptr) {
      sweep.clear(moved.dst, moved.bytes);
    } else {
      sweep.move(moved.dst, moved.src, moved.bytes);
    }
  }
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
  objects_.clear(begin, bytes);
  tangents_.for_each_used([&](auto& tangents) {
    clear_tangents(tangents, reinterpret_cast<std::uintptr_t>(begin), bytes);
  });
}

}  // namespace ddx::detail
