/// \file
/// How large a picture in a file may claim to be.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace ddx::io::detail {

/// The longest file of a picture that is read.
inline constexpr std::uint64_t largest_picture_file = std::uint64_t{1} << 30;

/// What the header of a picture says.
struct PictureSize {
  std::uint64_t width;
  std::uint64_t height;
};

/// What bounds the number of points.
struct PictureLimits {
  std::uint64_t max_points;     ///< What the caller accepts,
  std::string option;           ///< and by which option.
  std::size_t points_per_byte;  ///< As many as a byte of the file can hold at most.
};

/// The number of points, to be asked before memory is taken for them.
///
/// Throws:  EnvironmentError where there are none, more than the caller accepts, or more than the
///          bytes of the file can hold. Names the file and the limit.
[[nodiscard]] std::size_t checked_point_count(const PictureSize& size, std::size_t file_bytes,
                                              const PictureLimits& limits,
                                              const std::string& operation,
                                              const std::filesystem::path& file);

}  // namespace ddx::io::detail
