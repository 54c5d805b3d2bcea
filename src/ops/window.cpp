#include "ddx/ops/window.h"

#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/site.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace ddx::ops {
namespace {

std::string pair(std::int64_t a, std::int64_t b) {
  return "[" + std::to_string(a) + ", " + std::to_string(b) + "]";
}

void check_window(const Site& site, const WindowAttributes& w, const std::string& shapes) {
  if (w.height <= 0 || w.width <= 0) {
    site.fail("window " + pair(w.height, w.width) + " is not positive; " + shapes);
  }
  if (w.stride_height <= 0 || w.stride_width <= 0) {
    site.fail("strides " + pair(w.stride_height, w.stride_width) + " are not positive; " + shapes);
  }
  if (std::min({w.top, w.bottom, w.left, w.right}) < 0) {
    site.fail("padding " + pair(w.top, w.bottom) + " and " + pair(w.left, w.right) +
              " is negative; " + shapes);
  }
}

/// The number of places of a window along one axis.
std::int64_t places(const Site& site, std::int64_t extent, std::int64_t padding,
                    std::int64_t window, std::int64_t stride, const std::string& shapes) {
  if (extent + padding < window) {
    site.fail("extent " + std::to_string(extent) + " with padding " + std::to_string(padding) +
              " is smaller than the window, " + std::to_string(window) + "; " + shapes);
  }
  return (extent + padding - window) / stride + 1;
}

Shape windowed(const Site& site, const Shape& input, std::int64_t channels,
               const WindowAttributes& w, const std::string& shapes) {
  check_window(site, w, shapes);
  return {input[0], places(site, input[1], w.top + w.bottom, w.height, w.stride_height, shapes),
          places(site, input[2], w.left + w.right, w.width, w.stride_width, shapes), channels};
}

}  // namespace

Shape conv2d_shape(const Site& site, const Shape& input, const Shape& filter,
                   const WindowAttributes& window) {
  const std::string shapes = "shapes " + to_string(input) + " and " + to_string(filter);
  if (input.rank() != 4 || filter.rank() != 4) {
    site.fail("ranks " + std::to_string(input.rank()) + " and " + std::to_string(filter.rank()) +
              " are not both 4; " + shapes);
  }
  if (input[3] != filter[2]) {
    site.fail("channels " + std::to_string(input[3]) + " and " + std::to_string(filter[2]) +
              " differ; " + shapes);
  }
  return windowed(site, input, filter[3], window, shapes);
}

Shape pool2d_shape(const Site& site, const Shape& input, const WindowAttributes& window) {
  const std::string shapes = "shape " + to_string(input);
  if (input.rank() != 4) {
    site.fail("rank " + std::to_string(input.rank()) + " is not 4; " + shapes);
  }
  if (std::max(window.top, window.bottom) >= window.height ||
      std::max(window.left, window.right) >= window.width) {
    check_window(site, window, shapes);
    site.fail("padding " + pair(window.top, window.bottom) + " and " +
              pair(window.left, window.right) + " reaches the size of the window, " +
              pair(window.height, window.width) + "; " + shapes);
  }
  return windowed(site, input, input[3], window, shapes);
}

}  // namespace ddx::ops
