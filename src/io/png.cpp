#include "ddx/io/png.h"

#include "ddx/core/error.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/image.h"

#include <cstdint>
#include <filesystem>
#include <png.h>
#include <string>
#include <vector>

namespace ddx::io {

std::vector<std::uint8_t> encode_png(const Image& image) {
  static_assert(sizeof(Colour) == 3, "libpng reads the points as packed red, green, blue");
  if (image.points().empty()) {
    throw UsageError("encode_png", "a picture of " + std::to_string(image.width()) + " by " +
                                       std::to_string(image.height()) + " points has no point");
  }
  png_image description{};
  description.version = PNG_IMAGE_VERSION;
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
}

void write_png(const std::filesystem::path& file, const Image& image) {
  const auto bytes = encode_png(image);
  write_file_atomically(file, bytes, "write_png");
}

}  // namespace ddx::io
