/// \file
/// Windows over arrays [n, x_i..., c] with one to three axes between, all seen with three: missing
/// axes come first and have extent 1.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"

#include "ops/detail/window_range.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ddx::ops::detail {

/// One number per axis.
using Triple = std::array<std::int64_t, 3>;

/// Calls body(place) for each place within the extents, in row-major order.
template <class Body>
void for_each_place(const Triple& extents, Body body) {
  for (std::int64_t i = 0; i < extents[0]; ++i) {
    for (std::int64_t j = 0; j < extents[1]; ++j) {
      for (std::int64_t k = 0; k < extents[2]; ++k) {
        body(Triple{i, j, k});
      }
    }
  }
}

/// The extents of an array, and where its elements are.
struct Volume {
  explicit Volume(const Shape& shape) noexcept
      : samples(shape[0]), channels(shape[shape.rank() - 1]) {
    const std::size_t missing = 5 - shape.rank();
    for (std::size_t axis = 1; axis + 1 < shape.rank(); ++axis) {
      extents[axis - 1 + missing] = shape[axis];
    }
  }

  /// The index of the first channel of a place.
  [[nodiscard]] std::int64_t at(std::int64_t n, const Triple& place) const noexcept {
    return (((n * extents[0] + place[0]) * extents[1] + place[1]) * extents[2] + place[2]) *
           channels;
  }

  std::int64_t samples;
  Triple extents{1, 1, 1};
  std::int64_t channels;
};

/// How a window moves, and what it covers.
struct Window {
  explicit Window(const WindowAttributes& w) noexcept {
    const std::size_t missing = WindowAttributes::max_axes - w.axes;
    for (std::size_t axis = 0; axis < w.axes; ++axis) {
      size[axis + missing] = w.size[axis];
      strides[axis + missing] = w.strides[axis];
      dilations[axis + missing] = w.dilations[axis];
      low[axis + missing] = w.low[axis];
    }
  }

  /// The elements of the window at `place` that lie in an input of these extents: of each axis, the
  /// first one and the one past the last.
  [[nodiscard]] std::array<Range, 3> inside(const Triple& extents,
                                            const Triple& place) const noexcept {
    std::array<Range, 3> ranges{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t first = place[axis] * strides[axis] - low[axis];
      const std::int64_t room = extents[axis] - first;  // From the first place to the input's end.
      const std::int64_t step = dilations[axis];
      ranges[axis].begin = first < 0 ? (-first - 1) / step + 1 : 0;
      ranges[axis].end = std::min(size[axis], room > 0 ? (room - 1) / step + 1 : 0);
    }
    return ranges;
  }

  /// The number of an element of the window, in row-major order.
  [[nodiscard]] std::int64_t number(const Triple& element) const noexcept {
    return (element[0] * size[1] + element[1]) * size[2] + element[2];
  }

  /// Where the input is that an element of the window at `place` covers.
  [[nodiscard]] Triple input_of(const Triple& place, const Triple& element) const noexcept {
    Triple at{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      at[axis] = place[axis] * strides[axis] - low[axis] + element[axis] * dilations[axis];
    }
    return at;
  }

  /// Calls body(input place) where element `element` of the window at `place` lies in the input.
  template <class Body>
  void with_input(const Triple& extents, const Triple& place, const Triple& element,
                  Body body) const {
    const Triple at = input_of(place, element);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (at[axis] < 0 || at[axis] >= extents[axis]) {
        return;
      }
    }
    body(at);
  }

  /// Calls body(place) where there is a place of the window whose element `element` is at `input`.
  template <class Body>
  void with_place(const Triple& places, const Triple& input, const Triple& element,
                  Body body) const {
    Triple place{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t steps = input[axis] + low[axis] - element[axis] * dilations[axis];
      if (steps < 0 || steps % strides[axis] != 0 || steps / strides[axis] >= places[axis]) {
        return;
      }
      place[axis] = steps / strides[axis];
    }
    body(place);
  }

  Triple size{1, 1, 1};
  Triple strides{1, 1, 1};
  Triple dilations{1, 1, 1};
  Triple low{};
};

/// Calls body(element) for each element in the ranges, in row-major order.
template <class Body>
void for_each_element(const std::array<Range, 3>& ranges, Body body) {
  for (std::int64_t i = ranges[0].begin; i < ranges[0].end; ++i) {
    for (std::int64_t j = ranges[1].begin; j < ranges[1].end; ++j) {
      for (std::int64_t k = ranges[2].begin; k < ranges[2].end; ++k) {
        body(Triple{i, j, k});
      }
    }
  }
}

/// Calls body(y_index, for_each) for each window and channel; for_each(f) calls f(x_index, element)
/// for the input elements inside the window, row by row, with their numbers in the window. Cost: in
/// the elements inside, however large the window is.
template <class Body>
void for_each_window(const Shape& x_shape, const Shape& y_shape, const WindowAttributes& attributes,
                     Body body) {
  const Volume x(x_shape);
  const Volume y(y_shape);
  const Window window(attributes);
  std::int64_t next = 0;
  for (std::int64_t n = 0; n < y.samples; ++n) {
    for_each_place(y.extents, [&](const Triple& place) {
      const std::array<Range, 3> inside = window.inside(x.extents, place);
      for (std::int64_t c = 0; c < y.channels; ++c) {
        body(next++, [&](auto f) {
          for_each_element(inside, [&](const Triple& element) {
            f(x.at(n, window.input_of(place, element)) + c, window.number(element));
          });
        });
      }
    });
  }
}

}  // namespace ddx::ops::detail
