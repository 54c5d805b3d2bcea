/// \file
/// Pictures as JPEG files.

#pragma once

#include "ddx/io/image.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace ddx::io {

/// Returns whether this library was built with libjpeg-turbo. Without it, the functions below
/// throw.
[[nodiscard]] bool has_jpeg() noexcept;

/// How a JPEG file is read.
struct JpegReadOptions {
  /// Takes a damaged or truncated picture as far as it can be decoded, grey behind that.
  bool tolerates_damage = false;
  /// The most points that a picture may have. A point takes 3 bytes, in a progressive file 9.
  std::uint64_t max_points = std::uint64_t{1} << 27;
};

/// Reads a picture from a JPEG file of greys or colours.
///
/// Throws:  EnvironmentError where the file cannot be read, is damaged or truncated, is in other
///          colours (CMYK), or claims more points than its bytes can hold or than the limit, and
///          where the library was built without libjpeg-turbo. Names the file.
/// Source:  ITU-T recommendation T.81 (1992).
[[nodiscard]] Image read_jpeg(const std::filesystem::path& file,
                              const JpegReadOptions& options = {});

/// A rectangle of a picture's points, and at what size it is read.
struct JpegPart {
  std::size_t top = 0;
  std::size_t left = 0;
  std::size_t height = 0;
  std::size_t width = 0;
  /// 1, 2, 4 or 8: a point of the result is about the mean of so many by so many points.
  std::size_t reduction = 1;
};

/// A JPEG file in memory, to read a part of its picture faster than the whole. Several threads may
/// read parts of one file.
///
/// Example:
///   const JpegFile file("photo.jpg");
///   const Image corner = file.part({.height = 100, .width = file.width()});
class JpegFile {
 public:
  /// Reads the file, and decodes its header.
  ///
  /// Throws:  EnvironmentError as read_jpeg; damage behind the header is found by `part`.
  explicit JpegFile(const std::filesystem::path& file, const JpegReadOptions& options = {});

  [[nodiscard]] std::size_t width() const noexcept { return width_; }
  [[nodiscard]] std::size_t height() const noexcept { return height_; }

  /// The points of a rectangle, as read_jpeg reads them. With a reduction r, the picture consists
  /// of squares of r by r points, smaller at the right and at the bottom: the result has a point
  /// for each square that the rectangle touches.
  ///
  /// Throws:  UsageError where the rectangle is empty or not inside, or the reduction is another.
  ///          EnvironmentError where the picture is damaged up to the end of the rectangle.
  /// Cost:    rows below the rectangle are not decoded, of those above only the codes; a reduction
  ///          saves most of the remaining arithmetic.
  [[nodiscard]] Image part(const JpegPart& part) const;

 private:
  std::filesystem::path file_;
  std::vector<std::uint8_t> bytes_;
  bool tolerates_damage_;
  std::size_t width_ = 0;
  std::size_t height_ = 0;
};

/// How a JPEG file is written.
struct JpegWriteOptions {
  int quality = 90;  ///< 1 to 100: the larger, the nearer to the picture and the longer the file.
};

/// Writes a picture as a baseline JPEG file, atomically.
///
/// Throws:  UsageError where the picture has no point or more than 65500 in a row or column, or the
///          quality does not lie in [1, 100]. EnvironmentError where the file cannot be written,
///          and where the library was built without libjpeg-turbo.
void write_jpeg(const std::filesystem::path& file, const Image& image,
                const JpegWriteOptions& options = {});

}  // namespace ddx::io
