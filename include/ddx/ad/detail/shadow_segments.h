/// \file
/// Address space in which the mirrors of neighbouring pages are neighbours.

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ddx::detail {

/// Reserved address space for the mirrors of parts of the memory, 1 GiB each.
///
/// Memory of the system is taken by the pages that are written alone. There is none where the
/// address space of the process is limited (`ulimit -v`) or the system reserves no more.
class ShadowSegments {
 public:
  static constexpr std::size_t segment_bytes = std::size_t{1} << 30;
  /// The programs' heap, stacks, and what they map; others do without.
  static constexpr std::size_t most_segments = 16;
  static constexpr std::size_t page_bytes = 4096;

  /// What lies at an address, and whether it may have been written before: if not, it is zero.
  struct Mirror {
    char* memory;
    bool is_used;
  };

  ShadowSegments() = default;
  ShadowSegments(const ShadowSegments&) = delete;
  ShadowSegments& operator=(const ShadowSegments&) = delete;
  ~ShadowSegments();

  /// Returns the mirror of the page at address `page`, and marks it as used; null where no memory
  /// is reserved.
  [[nodiscard]] Mirror get(std::uintptr_t page) noexcept;

  /// The pages that may take memory of the system.
  [[nodiscard]] std::size_t used_pages() const noexcept { return used_pages_; }

  /// Gives the memory back to the system, so that all is zero again.
  void clear() noexcept;

  void swap(ShadowSegments& other) noexcept {
    std::swap(segments_, other.segments_);
    std::swap(count_, other.count_);
    std::swap(used_pages_, other.used_pages_);
  }

 private:
  struct Segment {
    std::uintptr_t number;  ///< The address by `segment_bytes`.
    char* memory;
    std::size_t skew;     ///< Bytes in front of the first page's mirror.
    std::uint64_t* used;  ///< A bit for each page. Owned, reserved like the memory.
  };

  [[nodiscard]] const Segment* find(std::uintptr_t bits) noexcept;

  Segment segments_[most_segments] = {};
  std::size_t count_ = 0;
  std::size_t used_pages_ = 0;
};

}  // namespace ddx::detail
