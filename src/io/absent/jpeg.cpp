// Stands in for src/io/jpeg.cpp where libjpeg-turbo was not there to build with.

#include "ddx/io/jpeg.h"

#include "ddx/core/error.h"
#include "ddx/io/image.h"

#include <filesystem>
#include <string>

namespace ddx::io {
namespace {

[[noreturn]] void fail_without_jpeg(const std::string& operation,
                                    const std::filesystem::path& file) {
  throw EnvironmentError(operation, file.string() + ": this ddx was built without libjpeg-turbo");
}

}  // namespace

bool has_jpeg() noexcept {
  return false;
}

Image read_jpeg(const std::filesystem::path& file, const JpegReadOptions&) {
  fail_without_jpeg("read_jpeg", file);
}

JpegFile::JpegFile(const std::filesystem::path& file, const JpegReadOptions& options)
    : file_(file), tolerates_damage_(options.tolerates_damage) {
  fail_without_jpeg("JpegFile", file_);
}

Image JpegFile::part(const JpegPart&) const {
  fail_without_jpeg("JpegFile", file_);
}

void write_jpeg(const std::filesystem::path& file, const Image&, const JpegWriteOptions&) {
  fail_without_jpeg("write_jpeg", file);
}

}  // namespace ddx::io
