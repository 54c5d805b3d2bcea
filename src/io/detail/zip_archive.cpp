#include "io/detail/zip_archive.h"

#include "io/detail/refusal.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include <zip.h>

namespace ddx::io::detail {
namespace {

struct CloseZip {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};

}  // namespace

struct ZipArchive::Handle {
  std::unique_ptr<zip_t, CloseZip> archive;
};

ZipArchive::ZipArchive(std::span<const std::uint8_t> bytes, const Refusal& refuse)
    : handle_(std::make_unique<Handle>()) {
  if (bytes.empty()) {
    refuse("is no zip archive: the file is empty");  // For libzip it has no members.
  }
  zip_error_t error;
  zip_error_init(&error);
  std::unique_ptr<zip_source_t, CloseZip> source(
      zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error));
  auto& archive = handle_->archive;
  archive.reset(source ? zip_open_from_source(source.get(), ZIP_RDONLY | ZIP_CHECKCONS, &error)
                       : nullptr);
  const std::string reason = archive ? "" : zip_error_strerror(&error);
  zip_error_fini(&error);
  if (!archive) {
    refuse("is no zip archive: " + reason);
  }
  (void)source.release();  // The archive owns it now.
  const auto count = static_cast<std::uint64_t>(zip_get_num_entries(archive.get(), 0));
  for (std::uint64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    constexpr auto needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_METHOD;
    if (zip_stat_index(archive.get(), i, 0, &stat) != 0 || (stat.valid & needed) != needed) {
      refuse("member " + std::to_string(i) + " has no name or size");
    }
    members_.push_back({stat.name, stat.size, stat.comp_method == ZIP_CM_STORE});
  }
}

ZipArchive::~ZipArchive() = default;

std::vector<std::uint8_t> ZipArchive::read(std::size_t number, const Refusal& refuse) const {
  auto* const archive = handle_->archive.get();
  std::vector<std::uint8_t> content(members_[number].size);
  const std::unique_ptr<zip_file_t, CloseZip> opened(zip_fopen_index(archive, number, 0));
  if (!opened) {
    refuse(zip_error_strerror(zip_get_error(archive)));
  }
  // One byte more than there should be: libzip compares the checksum when it meets the end.
  std::uint8_t beyond = 0;
  const auto got = zip_fread(opened.get(), content.data(), content.size());
  if (got != static_cast<zip_int64_t>(content.size()) || zip_fread(opened.get(), &beyond, 1) != 0) {
    const auto* const error = zip_file_get_error(opened.get());
    refuse(zip_error_code_zip(error) == ZIP_ER_OK ? "is not as long as the archive says"
                                                  : zip_file_strerror(opened.get()));
  }
  return content;
}

}  // namespace ddx::io::detail
