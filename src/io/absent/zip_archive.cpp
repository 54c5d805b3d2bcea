// Stands in for src/io/detail/zip_archive.cpp where libzip was not there to build with.

#include "io/detail/zip_archive.h"

#include "ddx/core/error.h"

#include "io/detail/refusal.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ddx::io::detail {

struct ZipArchive::Handle {};

ZipArchive::ZipArchive(std::span<const std::uint8_t>, const Refusal& refuse) {
  refuse("this ddx was built without libzip");
}

ZipArchive::~ZipArchive() = default;

std::vector<std::uint8_t> ZipArchive::read(std::size_t, const Refusal&) const {
  throw InternalError("ZipArchive", "an archive that could not be opened");
}

}  // namespace ddx::io::detail
