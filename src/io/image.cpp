#include "ddx/io/image.h"

#include "ddx/core/error.h"
#include "ddx/core/host_vector.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ddx::io {
namespace {

std::int64_t point_count(std::size_t width, std::size_t height) {
  std::int64_t count = 0;
  if (__builtin_mul_overflow(width, height, &count)) {
    throw EnvironmentError("image", "the system has no memory for " + std::to_string(width) +
                                        " by " + std::to_string(height) + " points");
  }
  return count;
}

}  // namespace

Image::Image(std::size_t width, std::size_t height, Colour background)
    : width_(width),
      height_(height),
      points_(host_vector<Colour>("image", point_count(width, height), background)) {}

}  // namespace ddx::io
