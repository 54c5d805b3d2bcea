#include "io/detail/picture_size.h"

#include "ddx/core/error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace ddx::io::detail {

std::size_t checked_point_count(const PictureSize& size, std::size_t file_bytes,
                                const PictureLimits& limits, const std::string& operation,
                                const std::filesystem::path& file) {
  const auto fail = [&](const std::string& facts) {
    throw EnvironmentError(operation, file.string() + ": a picture of " +
                                          std::to_string(size.width) + " by " +
                                          std::to_string(size.height) + " points" + facts);
  };
  if (size.width == 0 || size.height == 0) {
    fail("");
  }
  if (size.width > limits.max_points / size.height) {
    fail(", at most " + std::to_string(limits.max_points) + " points are accepted; " +
         limits.option + " is the limit");
  }
  const auto count = static_cast<std::size_t>(size.width * size.height);
  if (count / limits.points_per_byte > file_bytes) {
    fail(" does not fit a file of " + std::to_string(file_bytes) + " bytes");
  }
  return count;
}

}  // namespace ddx::io::detail
