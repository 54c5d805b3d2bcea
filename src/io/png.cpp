#include "ddx/io/png.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/image.h"

#include "io/detail/picture_size.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <png.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::io {
namespace {

/// libpng's state for one picture.
struct Description : png_image {
  Description() : png_image{} { this->version = PNG_IMAGE_VERSION; }
  ~Description() { png_image_free(this); }
  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;
};

/// Walks from chunk to chunk to the last one: libpng does not miss what follows the points. Returns
/// whether it is there.
bool has_end(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t signature = 8;
  constexpr std::size_t around_data = 12;  // Length, name and checksum.
  for (std::size_t place = signature; bytes.size() - place >= around_data;) {
    const auto chunk = bytes.subspan(place);
    const std::uint64_t length = std::uint64_t{chunk[0]} << 24 | std::uint64_t{chunk[1]} << 16 |
                                 std::uint64_t{chunk[2]} << 8 | chunk[3];
    if (length > chunk.size() - around_data) {
      return false;
    }
    constexpr std::string_view last = "IEND";
    if (std::equal(last.begin(), last.end(), chunk.begin() + 4)) {
      return true;
    }
    place += around_data + static_cast<std::size_t>(length);
  }
  return false;
}

}  // namespace

Image read_png(const std::filesystem::path& file, const PngReadOptions& options) try {
  const auto bytes = read_file(file, "read_png", detail::largest_picture_file);
  const auto fail = [&](const std::string& facts) {
    throw EnvironmentError("read_png", file.string() + ": " + facts);
  };
  Description description;
  if (bytes.empty() ||
      png_image_begin_read_from_memory(&description, bytes.data(), bytes.size()) == 0) {
    fail(bytes.empty() ? "the file is empty" : description.message);
  }
  if (!has_end(bytes)) {
    fail("the file is truncated: it ends at byte " + std::to_string(bytes.size()) +
         ", inside a chunk or before the last one");
  }
  // zlib packs at most 1032 bytes into one (https://zlib.net/zlib_tech.html); a point is a bit or
  // more.
  constexpr std::size_t most_points_per_byte = 1032 * 8;
  const auto count = detail::checked_point_count(
      {.width = description.width, .height = description.height}, bytes.size(),
      {.max_points = options.max_points,
       .option = "PngReadOptions::max_points",
       .points_per_byte = most_points_per_byte},
      "read_png", file);
  // Without a gamma 16 bits would count as linear, 8 bits as sRGB.
  description.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  // With its transparency: without, libpng would mix the points with a background.
  description.format = PNG_FORMAT_RGBA;
  constexpr std::size_t channels = 4;
  // Room for four bytes of each point, which then move together.
  std::vector<Colour> points((count * channels + sizeof(Colour) - 1) / sizeof(Colour));
  const auto* const values = reinterpret_cast<const std::uint8_t*>(points.data());
  if (png_image_finish_read(&description, nullptr, points.data(), 0, nullptr) == 0) {
    fail(description.message);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto* value = values + i * channels;
    points[i] = {value[0], value[1], value[2]};
  }
  points.resize(count);
  return {std::move(points), description.width, description.height};
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_png");
}

std::vector<std::uint8_t> encode_png(const Image& image) try {
  static_assert(sizeof(Colour) == 3, "libpng reads the points as packed red, green, blue");
  if (image.points().empty()) {
    throw UsageError("encode_png", "a picture of " + std::to_string(image.width()) + " by " +
                                       std::to_string(image.height()) + " points has no point");
  }
  Description description;
  description.width = static_cast<png_uint_32>(image.width());
  description.height = static_cast<png_uint_32>(image.height());
  description.format = PNG_FORMAT_RGB;

  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(description);
  std::vector<std::uint8_t> bytes(size);
  if (png_image_write_to_memory(&description, bytes.data(), &size, 0, image.points().data(), 0,
                                nullptr) == 0) {
    throw EnvironmentError("encode_png", description.message);
  }
  bytes.resize(size);
  return bytes;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("encode_png");
}

void write_png(const std::filesystem::path& file, const Image& image) try {
  const auto bytes = encode_png(image);
  write_file_atomically(file, bytes, "write_png");
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("write_png");
}

}  // namespace ddx::io
