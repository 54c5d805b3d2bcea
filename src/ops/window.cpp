#include "ddx/ops/window.h"

#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/site.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ddx::ops {
namespace {

using PerAxis = WindowAttributes::PerAxis;

std::string list(const PerAxis& values, std::size_t axes) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < axes; ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(values[axis]);
  }
  return text + "]";
}

/// "[1, 2] and [0, 0]", one pair per axis.
std::string padding(const WindowAttributes& w) {
  std::string text;
  for (std::size_t axis = 0; axis < w.axes; ++axis) {
    text += axis == 0 ? "" : axis + 1 < w.axes ? ", " : " and ";
    text += "[" + std::to_string(w.low[axis]) + ", " + std::to_string(w.high[axis]) + "]";
  }
  return text;
}

// Kernels of convolutions copy images with their padding. Far above any memory, and so far below
// 2^63 that sizes of such copies, in bytes and for all threads, do not overflow.
constexpr std::int64_t most_padded = std::int64_t{1} << 48;

bool is_positive(const PerAxis& values, std::size_t axes) {
  return std::all_of(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(axes),
                     [](std::int64_t value) { return value > 0; });
}

void check_window(const Site& site, const WindowAttributes& w, const std::string& shapes) {
  if (!is_positive(w.size, w.axes)) {
    site.fail("window " + list(w.size, w.axes) + " is not positive; " + shapes);
  }
  if (!is_positive(w.strides, w.axes)) {
    site.fail("strides " + list(w.strides, w.axes) + " are not positive; " + shapes);
  }
  if (!is_positive(w.dilations, w.axes)) {
    site.fail("dilations " + list(w.dilations, w.axes) + " are not positive; " + shapes);
  }
  if (std::ranges::min(w.low) < 0 || std::ranges::min(w.high) < 0) {
    site.fail("padding " + padding(w) + " is negative; " + shapes);
  }
  (void)site.shape(std::span<const std::int64_t>(w.size.data(), w.axes));
}

/// The shape of the input with its padding.
Shape padded_shape(const Site& site, const Shape& input, const WindowAttributes& w) {
  std::vector<std::int64_t> extents(input.extents().begin(), input.extents().end());
  for (std::size_t axis = 0; axis < w.axes; ++axis) {
    extents[axis + 1] = site.sum(site.sum(w.low[axis], input[axis + 1]), w.high[axis]);
  }
  return site.shape(extents);
}

void check_rank(const Site& site, const Shape& input, const WindowAttributes& w,
                const std::string& shapes) {
  if (input.rank() != w.axes + 2) {
    site.fail("rank " + std::to_string(input.rank()) + " is not " + std::to_string(w.axes + 2) +
              "; " + shapes);
  }
}

/// The number of places of a window along one axis.
std::int64_t places(const Site& site, std::int64_t extent, const WindowAttributes& w,
                    std::size_t axis, const std::string& shapes) {
  const std::int64_t amount = w.low[axis] + w.high[axis];
  const std::int64_t reach = site.sum(site.product(w.size[axis] - 1, w.dilations[axis]), 1);
  if (extent + amount < reach) {
    site.fail("extent " + std::to_string(extent) + " with padding " + std::to_string(amount) +
              " is smaller than the window, " + std::to_string(reach) + "; " + shapes);
  }
  return (extent + amount - reach) / w.strides[axis] + 1;
}

Shape windowed(const Site& site, const Shape& input, std::int64_t channels,
               const WindowAttributes& w, const std::string& shapes) {
  check_window(site, w, shapes);
  (void)padded_shape(site, input, w);
  std::vector<std::int64_t> extents{input[0]};
  for (std::size_t axis = 0; axis < w.axes; ++axis) {
    extents.push_back(places(site, input[axis + 1], w, axis, shapes));
  }
  extents.push_back(channels);
  return site.shape(extents);
}

/// Checks that the groups divide the channels as the filter says.
void check_groups(const Site& site, std::int64_t channels, std::int64_t of_filter,
                  std::int64_t filters, std::int64_t groups, const std::string& shapes) {
  if (groups <= 0) {
    site.fail("groups " + std::to_string(groups) + " are not positive; " + shapes);
  }
  if (groups == 1 && channels != of_filter) {
    site.fail("channels " + std::to_string(channels) + " and " + std::to_string(of_filter) +
              " differ; " + shapes);
  }
  if (channels != site.product(groups, of_filter)) {
    site.fail("channels " + std::to_string(channels) + " are not " + std::to_string(groups) +
              " groups of " + std::to_string(of_filter) + "; " + shapes);
  }
  if (filters % groups != 0) {
    site.fail("filters " + std::to_string(filters) + " are no multiple of the groups, " +
              std::to_string(groups) + "; " + shapes);
  }
}

}  // namespace

Shape convolution_shape(const Site& site, const Shape& input, const Shape& filter,
                        const WindowAttributes& window) {
  const std::string shapes = "shapes " + to_string(input) + " and " + to_string(filter);
  const std::size_t rank = window.axes + 2;
  if (input.rank() != rank || filter.rank() != rank) {
    site.fail("ranks " + std::to_string(input.rank()) + " and " + std::to_string(filter.rank()) +
              " are not both " + std::to_string(rank) + "; " + shapes);
  }
  check_groups(site, input[rank - 1], filter[rank - 2], filter[rank - 1], window.groups, shapes);
  const Shape result = windowed(site, input, filter[rank - 1], window, shapes);
  if (const Shape padded = padded_shape(site, input, window); padded.count() > most_padded) {
    site.fail("the padded input, " + to_string(padded) + ", has more than " +
              std::to_string(most_padded) + " elements; " + shapes);
  }
  return result;
}

Shape pool_shape(const Site& site, const Shape& input, const WindowAttributes& window) {
  const std::string shapes = "shape " + to_string(input);
  check_rank(site, input, window, shapes);
  for (std::size_t axis = 0; axis < window.axes; ++axis) {
    if (std::max(window.low[axis], window.high[axis]) >= window.size[axis]) {
      check_window(site, window, shapes);
      site.fail("padding " + padding(window) + " reaches the size of the window, " +
                list(window.size, window.axes) + "; " + shapes);
    }
  }
  const Shape result = windowed(site, input, input[input.rank() - 1], window, shapes);
  if (input.is_empty() && !result.is_empty()) {
    site.fail("there is no element to choose from; " + shapes);
  }
  return result;
}

Shape morphology_shape(const Site& site, const Shape& input, const Shape& filter,
                       const WindowAttributes& window) {
  const std::string shapes = "shapes " + to_string(input) + " and " + to_string(filter);
  if (input.rank() != window.axes + 2 || filter.rank() != window.axes + 1) {
    site.fail("ranks " + std::to_string(input.rank()) + " and " + std::to_string(filter.rank()) +
              " are not " + std::to_string(window.axes + 2) + " and " +
              std::to_string(window.axes + 1) + "; " + shapes);
  }
  const std::int64_t channels = input[input.rank() - 1];
  if (channels != filter[filter.rank() - 1]) {
    site.fail("channels " + std::to_string(channels) + " and " +
              std::to_string(filter[filter.rank() - 1]) + " differ; " + shapes);
  }
  return windowed(site, input, channels, window, shapes);
}

}  // namespace ddx::ops
