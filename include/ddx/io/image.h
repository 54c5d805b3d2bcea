/// \file
/// Pictures of bytes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ddx::io {

/// One colour, 0 to 255 per channel.
struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  friend bool operator==(const Colour&, const Colour&) = default;
};

/// A picture of coloured points, row by row from the top.
class Image {
 public:
  /// A picture of one colour.
  ///
  /// Throws:  EnvironmentError where the system has no memory for its points.
  Image(std::size_t width, std::size_t height, Colour background);

  /// A picture of these points, row by row; as many as `width` times `height`, unchecked.
  Image(std::vector<Colour> points, std::size_t width, std::size_t height)
      : width_(width), height_(height), points_(std::move(points)) {}

  [[nodiscard]] std::size_t width() const noexcept { return width_; }
  [[nodiscard]] std::size_t height() const noexcept { return height_; }
  /// The point in column `x` and row `y`, unchecked.
  [[nodiscard]] Colour at(std::size_t x, std::size_t y) const noexcept {
    return points_[y * width_ + x];
  }
  /// Colours a point, unchecked.
  void set(std::size_t x, std::size_t y, Colour colour) noexcept {
    points_[y * width_ + x] = colour;
  }
  /// The points, row by row.
  [[nodiscard]] const std::vector<Colour>& points() const noexcept { return points_; }

  friend bool operator==(const Image&, const Image&) = default;

 private:
  std::size_t width_;
  std::size_t height_;
  std::vector<Colour> points_;
};

}  // namespace ddx::io
