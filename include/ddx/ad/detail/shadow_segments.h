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

  ShadowSegments() = default;
  ShadowSegments(const ShadowSegments&) = delete;
  ShadowSegments& operator=(const ShadowSegments&) = delete;
  ~ShadowSegments();

  /// Returns the mirror of what lies at address `bits`; null where none is reserved.
  [[nodiscard]] char* find(std::uintptr_t bits) const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (segments_[i].number == bits / segment_bytes) {
        return segments_[i].memory + bits % segment_bytes;
      }
    }
    return nullptr;
  }

  /// As find, but reserves it first. Zero when it is used for the first time.
  [[nodiscard]] char* get(std::uintptr_t bits) noexcept;

  /// Gives the memory back to the system, so that all is zero again. False where the system
  /// refuses, for some of it.
  [[nodiscard]] bool clear() noexcept;

  void swap(ShadowSegments& other) noexcept {
    std::swap(segments_, other.segments_);
    std::swap(count_, other.count_);
  }

 private:
  struct Segment {
    std::uintptr_t number;  ///< The address by `segment_bytes`.
    char* memory;
  };

  Segment segments_[most_segments] = {};
  std::size_t count_ = 0;
};

}  // namespace ddx::detail
