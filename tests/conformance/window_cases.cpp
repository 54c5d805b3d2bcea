#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

using ops::Op;

/// A window over arrays of [n, x_i..., c] with f filters.
struct Setting {
  Shape image;
  std::int64_t filters;
  ops::WindowAttributes window;

  [[nodiscard]] std::size_t axes() const { return window.axes; }
  [[nodiscard]] std::int64_t channels() const { return image[axes() + 1]; }
};

const Setting settings[] = {
    {{1, 1, 1, 1}, 1, {}},
    {{2, 5, 6, 3}, 4, {.size = {3, 2, 1}}},
    {{2, 5, 6, 3}, 4, {.size = {3, 3, 1}, .low = {1, 1, 0}, .high = {1, 1, 0}}},
    {{1, 8, 7, 8},
     9,
     {.size = {3, 3, 1}, .strides = {2, 2, 1}, .low = {0, 1, 0}, .high = {1, 1, 0}}},
    {{3, 6, 6, 1}, 17, {.strides = {2, 3, 1}}},
    {{1, 9, 9, 2},
     7,
     {.size = {4, 5, 1}, .strides = {3, 2, 1}, .low = {2, 3, 0}, .high = {1, 4, 0}}},
    {{2, 12, 12, 6}, 16, {.size = {5, 5, 1}}},
    {{0, 4, 4, 2}, 3, {.size = {2, 2, 1}}},
    // Results shorter than a vector: several images lie within one of the end of the memory.
    {{19, 2, 2, 1}, 1, {.size = {2, 2, 1}}},
    {{2, 7, 5, 65}, 66, {.size = {2, 2, 1}, .strides = {2, 2, 1}}},
    // Signals.
    {{1, 1, 1}, 1, {.axes = 1}},
    {{3, 11, 5}, 7, {.axes = 1, .size = {4, 1, 1}, .strides = {3, 1, 1}, .low = {2, 0, 0}}},
    {{2, 9, 4},
     6,
     {.axes = 1, .size = {2, 1, 1}, .dilations = {3, 1, 1}, .high = {1, 0, 0}, .groups = 2}},
    {{0, 9, 4}, 6, {.axes = 1, .size = {2, 1, 1}, .groups = 2}},
    // Steps between the elements of the window, and channels in groups.
    {{2, 9, 8, 4},
     4,
     {.size = {2, 3, 1}, .strides = {2, 1, 1}, .dilations = {3, 2, 1}, .low = {0, 2, 0}}},
    {{2, 6, 7, 6}, 9, {.size = {3, 2, 1}, .high = {1, 1, 0}, .groups = 3}},
    {{2, 6, 7, 17}, 34, {.size = {3, 3, 1}, .low = {1, 1, 0}, .high = {1, 1, 0}, .groups = 17}},
    // Volumes.
    {{1, 1, 1, 1, 1}, 1, {.axes = 3}},
    {{2, 4, 5, 3, 3}, 4, {.axes = 3, .size = {2, 3, 2}}},
    {{2, 4, 3, 5, 4},
     6,
     {.axes = 3,
      .size = {3, 2, 2},
      .strides = {2, 1, 2},
      .dilations = {1, 2, 2},
      .low = {1, 0, 1},
      .high = {1, 1, 0},
      .groups = 2}},
    {{0, 2, 2, 2, 2}, 3, {.axes = 3, .size = {2, 1, 2}}},
};

std::string name_of(const Setting& s) {
  const auto list = [&](const ops::WindowAttributes::PerAxis& values) {
    std::string text;
    for (std::size_t axis = 0; axis < s.axes(); ++axis) {
      text += (axis == 0 ? "[" : ", ") + std::to_string(values[axis]);
    }
    return text + "]";
  };
  return to_string(s.image) + ", window " + list(s.window.size) + " steps " +
         list(s.window.strides) + " dilations " + list(s.window.dilations) + " groups " +
         std::to_string(s.window.groups);
}

Shape shape_of(const Index& extents) {
  return Shape(std::span<const std::int64_t>(extents));
}

/// The sizes of the window, or the numbers of its places, counted one by one.
Index sizes(const Setting& s) {
  return {s.window.size.begin(), s.window.size.begin() + static_cast<std::ptrdiff_t>(s.axes())};
}
Index places(const Setting& s) {
  Index counts;
  for (std::size_t axis = 0; axis < s.axes(); ++axis) {
    const auto& w = s.window;
    const std::int64_t last = (w.size[axis] - 1) * w.dilations[axis];
    std::int64_t count = 0;
    while (count * w.strides[axis] + last < s.image[axis + 1] + w.low[axis] + w.high[axis]) {
      ++count;
    }
    counts.push_back(count);
  }
  return counts;
}

/// `before`, the positions, `after`.
Index joined(std::int64_t before, const Index& positions, std::int64_t after) {
  Index index{before};
  index.insert(index.end(), positions.begin(), positions.end());
  index.push_back(after);
  return index;
}
Index joined(const Index& positions, std::int64_t last) {
  Index index = positions;
  index.push_back(last);
  return index;
}
Index joined(const Index& positions, std::int64_t next, std::int64_t last) {
  return joined(joined(positions, next), last);
}

Shape output_shape(const Setting& s, std::int64_t channels) {
  return shape_of(joined(s.image[0], places(s), channels));
}

/// Calls visit(element of the window, place in the image) for what is inside of the image.
template <class Visit>
void for_each_inside(const Setting& s, const Index& place, Visit visit) {
  for (const Index& element : positions(shape_of(sizes(s)))) {
    Index at;
    bool inside = true;
    for (std::size_t axis = 0; axis < s.axes(); ++axis) {
      at.push_back(place[axis] * s.window.strides[axis] + element[axis] * s.window.dilations[axis] -
                   s.window.low[axis]);
      inside = inside && at.back() >= 0 && at.back() < s.image[axis + 1];
    }
    if (inside) {
      visit(element, at);
    }
  }
}

/// The place of the window that an element of the result is of.
Index place_of(const Index& to) {
  return {to.begin() + 1, to.end() - 1};
}

HostArray zeros(const Shape& shape, DType dtype) {
  return tabulate(shape, dtype, [](const Index&) { return 0; });
}

}  // namespace

std::vector<Case> convolution_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  for (const Setting& s : settings) {
    const std::int64_t inputs = s.channels() / s.window.groups;
    const std::int64_t outputs = s.filters / s.window.groups;
    const Shape filter_shape = shape_of(joined(sizes(s), inputs, s.filters));
    const Shape result_shape = output_shape(s, s.filters);
    const HostArray image = draw(op.domain, s.image, dtype, 1);
    const HostArray filter = draw(op.domain, filter_shape, dtype, 2);
    const HostArray dy = draw(op.domain, result_shape, dtype, 3);
    HostArray y = zeros(result_shape, dtype);
    HostArray dimage = zeros(s.image, dtype);
    HostArray dfilter = zeros(filter_shape, dtype);
    for (const Index& to : positions(result_shape)) {
      const std::int64_t f = to.back();
      for_each_inside(s, place_of(to), [&](const Index& element, const Index& at) {
        for (std::int64_t c = 0; c < inputs; ++c) {
          const Index from = joined(to.front(), at, f / outputs * inputs + c);
          const Index tap = joined(element, c, f);
          y.at(to) += image.at(from) * filter.at(tap);
          dimage.at(from) += filter.at(tap) * dy.at(to);
          dfilter.at(tap) += image.at(from) * dy.at(to);
        }
      });
    }
    if (op.op == Op::convolution) {
      cases.push_back({name_of(s), {image, filter}, {y}, keep(s.window)});
    } else if (op.op == Op::convolution_input_gradient) {
      cases.push_back({name_of(s), {dy, filter}, {dimage}, keep(s.window)});
    } else {
      cases.push_back({name_of(s), {image, dy}, {dfilter}, keep(s.window)});
    }
  }
  return cases;
}

/// Pictures of little but minus infinity: whatever stands in the padding, it is not chosen.
HostArray mostly_minus_infinity(const Shape& shape, DType dtype) {
  HostArray x = zeros(shape, dtype);
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    x.values[i] = i % 7 == 6 ? -32768 : -std::numeric_limits<double>::infinity();
  }
  return x;
}

/// The gradient of the maximum for a setting: each cotangent goes to the first largest element.
Case max_pool_gradient_case(const Setting& s, const std::string& name, const HostArray& x,
                            const HostArray& dy) {
  HostArray dx = zeros(s.image, x.dtype);
  for (const Index& to : positions(dy.shape)) {
    std::vector<Index> inside;
    for_each_inside(s, place_of(to), [&](const Index&, const Index& at) {
      inside.push_back(joined(to.front(), at, to.back()));
    });
    dx.at(*std::ranges::max_element(
        inside, [&](const Index& a, const Index& b) { return x.at(a) < x.at(b); })) += dy.at(to);
  }
  return {name, {x, dy}, {dx}, keep(s.window)};
}

std::vector<Case> pooling_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  for (const Setting& s : settings) {
    const Shape result_shape = output_shape(s, s.channels());
    // Few different values for the maximum, so that there are ties.
    const bool maximum = op.op == Op::max_pool || op.op == Op::max_pool_gradient;
    const HostArray x = draw(maximum ? ops::Domain::SmallIntegers : op.domain, s.image, dtype, 1);
    const HostArray dy = draw(op.domain, result_shape, dtype, 2);
    HostArray average = zeros(result_shape, dtype);
    HostArray largest = zeros(result_shape, dtype);
    HostArray average_dx = zeros(s.image, dtype);
    for (const Index& to : positions(result_shape)) {
      std::vector<Index> inside;
      for_each_inside(s, place_of(to), [&](const Index&, const Index& at) {
        inside.push_back(joined(to.front(), at, to.back()));
      });
      const auto count = static_cast<double>(inside.size());
      const Index best = *std::ranges::max_element(
          inside, [&](const Index& a, const Index& b) { return x.at(a) < x.at(b); });
      for (const Index& from : inside) {
        average.at(to) += x.at(from) / count;
        average_dx.at(from) += dy.at(to) / count;
      }
      largest.at(to) = x.at(best);
    }
    if (op.op == Op::avg_pool) {
      cases.push_back({name_of(s), {x}, {average}, keep(s.window)});
    } else if (op.op == Op::avg_pool_gradient) {
      cases.push_back({name_of(s), {dy}, {average_dx}, keep(s.window)});
    } else if (op.op == Op::max_pool) {
      cases.push_back({name_of(s), {x}, {largest}, keep(s.window)});
    } else {
      cases.push_back(max_pool_gradient_case(s, name_of(s), x, dy));
      cases.push_back(max_pool_gradient_case(s, name_of(s) + ", mostly minus infinity",
                                             mostly_minus_infinity(s.image, dtype), dy));
    }
  }
  return cases;
}

std::vector<Case> morphology_cases(const ops::OpInfo& op, DType dtype) {
  std::vector<Case> cases;
  for (const Setting& s : settings) {
    const Shape result_shape = output_shape(s, s.channels());
    const Shape filter_shape = shape_of(joined(sizes(s), s.channels()));
    // Few different values, so that there are ties.
    const HostArray x = draw(ops::Domain::SmallIntegers, s.image, dtype, 1);
    const HostArray filter = draw(ops::Domain::SmallIntegers, filter_shape, dtype, 2);
    const HostArray dy = draw(op.domain, result_shape, dtype, 3);
    HostArray y = zeros(result_shape, dtype);
    HostArray dx = zeros(s.image, dtype);
    HostArray dfilter = zeros(filter_shape, dtype);
    struct Pair {
      Index from;
      Index tap;
    };
    for (const Index& to : positions(result_shape)) {
      std::vector<Pair> inside;
      for_each_inside(s, place_of(to), [&](const Index& element, const Index& at) {
        inside.push_back({joined(to.front(), at, to.back()), joined(element, to.back())});
      });
      const auto sum = [&](const Pair& pair) { return x.at(pair.from) + filter.at(pair.tap); };
      const Pair best = *std::ranges::max_element(
          inside, [&](const Pair& a, const Pair& b) { return sum(a) < sum(b); });
      y.at(to) = sum(best);
      dx.at(best.from) += dy.at(to);
      dfilter.at(best.tap) += dy.at(to);
    }
    if (op.op == Op::grey_dilation) {
      cases.push_back({name_of(s), {x, filter}, {y}, keep(s.window)});
    } else {
      cases.push_back({name_of(s),
                       {x, filter, dy},
                       {op.op == Op::grey_dilation_input_gradient ? dx : dfilter},
                       keep(s.window)});
    }
  }
  return cases;
}

std::vector<Case> resampling_cases(const ops::OpInfo& op, DType dtype) {
  struct Sums {
    Shape x;
    std::size_t axis;
    std::vector<std::int64_t> first;
    std::int64_t taps;
  };
  std::vector<Case> cases;
  for (const Sums& s :
       {Sums{{1}, 0, {0}, 1}, Sums{{7}, 0, {0, 0, 3, 4}, 3},
        Sums{{2, 5, 3}, 1, {0, 1, 1, 1, 2, 3, 3}, 2}, Sums{{3, 6, 4, 20}, 1, {0, 4}, 2},
        Sums{{3, 2, 9}, 2, {1, 2, 3}, 5}, Sums{{0, 4, 2}, 1, {0, 0, 2}, 1},
        Sums{{2, 40, 30, 17}, 2, {0, 9, 9, 18}, 11}}) {
    Index extents(s.x.extents().begin(), s.x.extents().end());
    extents[s.axis] = static_cast<std::int64_t>(s.first.size());
    const Shape result_shape = shape_of(extents);
    const HostArray x = draw(op.domain, s.x, dtype, 1);
    const HostArray dy = draw(op.domain, result_shape, dtype, 2);
    const HostArray weights = draw(op.domain, {extents[s.axis], s.taps}, dtype, 3);
    const HostArray first = tabulate({extents[s.axis]}, DType::i32, [&](const Index& i) {
      return static_cast<double>(s.first[static_cast<std::size_t>(i[0])]);
    });
    HostArray y = zeros(result_shape, dtype);
    HostArray dx = zeros(s.x, dtype);
    for (const Index& to : positions(result_shape)) {
      for (std::int64_t tap = 0; tap < s.taps; ++tap) {
        Index from = to;
        from[s.axis] = s.first[static_cast<std::size_t>(to[s.axis])] + tap;
        y.at(to) += weights.at({to[s.axis], tap}) * x.at(from);
        dx.at(from) += weights.at({to[s.axis], tap}) * dy.at(to);
      }
    }
    const bool forward = op.op == Op::resample;
    cases.push_back({to_string(s.x) + " along axis " + std::to_string(s.axis),
                     {forward ? x : dy, first, weights},
                     {forward ? y : dx},
                     keep(ops::AxisAttributes{s.axis})});
  }
  return cases;
}

}  // namespace ddx::testing
