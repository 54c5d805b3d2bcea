#include "backend/cpu/copy.h"

#include "ddx/core/shape.h"

#include "backend/cpu/elements.h"
#include "backend/cpu/pool.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ddx::backend::cpu {
namespace {

/// One axis of a box.
struct Axis {
  std::int64_t extent = 1;
  std::int64_t from = 1;
  std::int64_t to = 1;
};

/// The axes of a box, neighbours that lie dense on both sides as one.
struct Axes {
  explicit Axes(const Box& box) noexcept {
    for (std::size_t i = 0; i < box.shape.rank(); ++i) {
      const Axis axis{box.shape[i], box.from[i], box.to[i]};
      if (axis.extent == 1) {
        continue;
      }
      Axis* before = rank == 0 ? nullptr : &all[rank - 1];
      if (before != nullptr && before->from == axis.from * axis.extent &&
          before->to == axis.to * axis.extent) {
        *before = {before->extent * axis.extent, axis.from, axis.to};
      } else {
        all[rank++] = axis;
      }
    }
    rank = std::max<std::size_t>(rank, 1);
  }

  [[nodiscard]] const Axis& last() const noexcept { return all[rank - 1]; }

  /// The place of the axis whose neighbours are next to each other where the box comes from, or the
  /// rank where there is none.
  [[nodiscard]] std::size_t dense() const noexcept {
    std::size_t i = 0;
    while (i < rank && all[i].from != 1) {
      ++i;
    }
    return i;
  }

  /// Takes an axis out.
  Axis removed(std::size_t place) noexcept {
    const Axis axis = all[place];
    std::copy(all.begin() + static_cast<std::ptrdiff_t>(place) + 1, all.end(),
              all.begin() + static_cast<std::ptrdiff_t>(place));
    --rank;
    return axis;
  }

  std::array<Axis, Shape::max_rank + 1> all{};
  std::size_t rank = 0;
};

/// A position in the outer axes of a box, and the offsets that it has on both sides.
class Position {
 public:
  Position(const Axes& axes, std::int64_t number) noexcept : axes_(axes) {
    for (std::size_t i = axes.rank; i-- > 0;) {
      at_[i] = number % axes.all[i].extent;
      number /= axes.all[i].extent;
      from += at_[i] * axes.all[i].from;
      to += at_[i] * axes.all[i].to;
    }
  }

  void advance() noexcept {
    for (std::size_t i = axes_.rank; i-- > 0;) {
      const Axis& axis = axes_.all[i];
      from += axis.from;
      to += axis.to;
      if (++at_[i] < axis.extent) {
        return;
      }
      at_[i] = 0;
      from -= axis.extent * axis.from;
      to -= axis.extent * axis.to;
    }
  }

  std::int64_t from = 0;
  std::int64_t to = 0;

 private:
  const Axes& axes_;
  std::array<std::int64_t, Shape::max_rank + 1> at_{};
};

std::int64_t count_of(const Axes& axes) noexcept {
  std::int64_t count = 1;
  for (std::size_t i = 0; i < axes.rank; ++i) {
    count *= axes.all[i].extent;
  }
  return count;
}

using Four = float __attribute__((ext_vector_type(4)));

/// to[i] = from[-i]
template <class T>
void copy_reversed(const T* from, T* to, std::int64_t count) noexcept {
  std::int64_t i = 0;
  if constexpr (sizeof(T) == sizeof(float)) {
    for (; i + 4 <= count; i += 4) {
      Four four;
      std::memcpy(&four, from - i - 3, sizeof four);
      four = __builtin_shufflevector(four, four, 3, 2, 1, 0);
      std::memcpy(to + i, &four, sizeof four);
    }
  }
  for (; i < count; ++i) {
    to[i] = from[-i];
  }
}

template <class T>
void copy_run(const T* from, T* to, const Axis& run) noexcept {
  if (run.to == 1 && run.from == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(run.extent) * sizeof(T));
  } else if (run.to == 1 && run.from == 0) {
    std::fill_n(to, run.extent, *from);
  } else if (run.to == 1 && run.from == -1) {
    copy_reversed(from, to, run.extent);
  } else {
    for (std::int64_t i = 0; i < run.extent; ++i) {
      to[i * run.to] = from[i * run.from];
    }
  }
}

/// Copies run after run along the last axis.
template <class T>
void copy_runs(Axes axes, const T* from, T* to) noexcept {
  const Axis run = axes.removed(axes.rank - 1);
  for_each_range(count_of(axes), std::max<std::int64_t>(movement_grain / run.extent, 1),
                 [&](std::int64_t begin, std::int64_t end) {
                   Position at(axes, begin);
                   for (std::int64_t i = begin; i < end; ++i, at.advance()) {
                     copy_run(from + at.from, to + at.to, run);
                   }
                 });
}

// A transposition goes in tiles of this many rows and columns. A tile is first copied: the lines of
// an array whose rows are apart by a power of two fall on the same few places of the cache, and
// there the lines of both sides would drive out each other half used.
constexpr std::int64_t tile = 16;

/// to[i * to_stride + k] = from[k * tile + i] for a square of four rows and columns.
inline void transpose_square(const Word<4>* from, Word<4>* to, std::int64_t to_stride) noexcept {
  Four rows[4];
  for (std::int64_t i = 0; i < 4; ++i) {
    std::memcpy(&rows[i], from + i * tile, sizeof rows[i]);
  }
  const Four a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
  const Four b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
  const Four c = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
  const Four d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
  const Four columns[4] = {
      __builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
      __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)};
  for (std::int64_t i = 0; i < 4; ++i) {
    std::memcpy(to + i * to_stride, &columns[i], sizeof columns[i]);
  }
}

/// to[i * to_stride + k] = from[i + k * from_stride] for a whole tile.
template <class T>
void transpose_tile(const T* from, std::int64_t from_stride, T* to,
                    std::int64_t to_stride) noexcept {
  T copy[tile * tile];
  for (std::int64_t k = 0; k < tile; ++k) {
    std::memcpy(copy + k * tile, from + k * from_stride, tile * sizeof(T));
  }
  if constexpr (sizeof(T) == sizeof(float)) {
    for (std::int64_t i = 0; i < tile; i += 4) {
      for (std::int64_t k = 0; k < tile; k += 4) {
        transpose_square(copy + k * tile + i, to + i * to_stride + k, to_stride);
      }
    }
  } else {
    for (std::int64_t i = 0; i < tile; ++i) {
      for (std::int64_t k = 0; k < tile; ++k) {
        to[i * to_stride + k] = copy[k * tile + i];
      }
    }
  }
}

/// to[i * rows.to + k] = from[i + k * columns.from] for `height` rows i from 0 on.
template <class T>
void transpose_strip(const T* from, T* to, std::int64_t height, const Axis& rows,
                     const Axis& columns) noexcept {
  std::int64_t k = 0;
  for (; height == tile && k + tile <= columns.extent; k += tile) {
    transpose_tile(from + k * columns.from, columns.from, to + k, rows.to);
  }
  for (; k + 4 <= columns.extent; k += 4) {
    for (std::int64_t i = 0; i < height; ++i) {
      for (std::int64_t m = k; m < k + 4; ++m) {
        to[i * rows.to + m] = from[i + m * columns.from];
      }
    }
  }
  for (; k < columns.extent; ++k) {
    for (std::int64_t i = 0; i < height; ++i) {
      to[i * rows.to + k] = from[i + k * columns.from];
    }
  }
}

/// Copies planes whose rows are dense on one side, and whose columns are on the other.
template <class T>
void transpose_planes(Axes axes, const T* from, T* to) noexcept {
  const Axis columns = axes.removed(axes.rank - 1);
  const Axis rows = axes.removed(axes.dense());
  const std::int64_t strips = (rows.extent + tile - 1) / tile;
  const std::int64_t work = tile * columns.extent;
  for_each_range(count_of(axes) * strips, std::max<std::int64_t>(movement_grain / work, 1),
                 [&](std::int64_t begin, std::int64_t end) {
                   Position at(axes, begin / strips);
                   for (std::int64_t i = begin; i < end; ++i) {
                     const std::int64_t first = i % strips * tile;
                     transpose_strip(from + at.from + first, to + at.to + first * rows.to,
                                     std::min(tile, rows.extent - first), rows, columns);
                     if (first + tile >= rows.extent) {
                       at.advance();
                     }
                   }
                 });
}

template <class T>
void copy_words(const Axes& axes, const T* from, T* to) noexcept {
  if (axes.rank == 1 && axes.last().from == 1 && axes.last().to == 1) {
    for_each_range(axes.last().extent, movement_grain, [=](std::int64_t begin, std::int64_t end) {
      std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin) * sizeof(T));
    });
  } else if (axes.last().to == 1 && axes.last().from > 1 && axes.dense() < axes.rank) {
    transpose_planes(axes, from, to);
  } else {
    copy_runs(axes, from, to);
  }
}

}  // namespace

void copy_box(const Box& box, const void* from, void* to, std::size_t element_bytes) noexcept {
  if (box.shape.count() == 0) {
    return;
  }
  const Axes axes(box);
  visit_word(element_bytes, [&](auto word) {
    using T = decltype(word);
    copy_words(axes, static_cast<const T*>(from), static_cast<T*>(to));
  });
}

}  // namespace ddx::backend::cpu
