// Stands in for src/io/gif.cpp where giflib was not there to build with.

#include "ddx/io/gif.h"

#include "ddx/core/error.h"
#include "ddx/io/image.h"

#include <filesystem>
#include <span>

namespace ddx::io {

bool has_gif() noexcept {
  return false;
}

void write_gif(const std::filesystem::path& file, std::span<const Image>, const GifWriteOptions&) {
  throw EnvironmentError("write_gif", file.string() + ": this ddx was built without giflib");
}

}  // namespace ddx::io
