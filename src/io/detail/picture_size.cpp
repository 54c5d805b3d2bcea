#include "io/detail/picture_size.h"

#include "ddx/core/error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace ddx::io::detail {

std::size_t checked_point_count(const PictureSize& size, std::size_t file_bytes,
                                std::size_t points_per_byte, const std::string& operation,
                                const std::filesystem::path& file) {
  constexpr std::uint64_t most_points = std::uint64_t{1} << 28;
  const auto fail = [&](const std::string& facts) {
    throw EnvironmentError(operation, file.string() + ": a picture of " +
                                          std::to_string(size.width) + " by " +
                                          std::to_string(size.height) + " points" + facts);
  };
  if (size.width == 0 || size.height == 0) {
    fail("");
  }
  if (size.width > most_points / size.height) {
    fail(", at most " + std::to_string(most_points) + " points are accepted");
  }
  const auto count = static_cast<std::size_t>(size.width * size.height);
  if (count / points_per_byte > file_bytes) {
    fail(" does not fit a file of " + std::to_string(file_bytes) + " bytes");
  }
  return count;
}

}  // namespace ddx::io::detail
