#include "ddx/io/npz.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/npy.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/content_limit.h"
#include "io/detail/npy_bytes.h"
#include "io/detail/stored_shape.h"
#include "io/detail/zip_archive.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <zip.h>

namespace ddx::io {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view suffix = ".npy";

struct Close {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Archive = std::unique_ptr<zip_t, Close>;
using Source = std::unique_ptr<zip_source_t, Close>;

/// An error of libzip with its text.
class ZipError {
 public:
  ZipError() { zip_error_init(&error_); }
  ~ZipError() { zip_error_fini(&error_); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;

  [[nodiscard]] zip_error_t* get() noexcept { return &error_; }
  [[nodiscard]] std::string text() { return zip_error_strerror(&error_); }

 private:
  zip_error_t error_{};
};

class ArchiveReader {
 public:
  ArchiveReader(const std::filesystem::path& file, const NpzReadOptions& options)
      : file_(file.string()),
        bytes_(read_file(file, "read_npz")),
        limit_(detail::content_limit(options.max_bytes, bytes_.size())),
        archive_(bytes_, [this](const std::string& facts) { fail(facts); }) {}

  StoredTensors read() {
    StoredTensors arrays;
    std::uint64_t left = limit_;
    for (std::size_t i = 0; i < archive_.members().size(); ++i) {
      auto [name, array] = member(i, left);
      if (!arrays.emplace(name, std::move(array)).second) {
        fail("array \"" + detail::printable(name) + "\" stands twice");
      }
    }
    return arrays;
  }

 private:
  [[noreturn]] void fail(const std::string& facts) const {
    throw EnvironmentError("read_npz", file_ + ": " + facts);
  }

  /// The array of a member of the archive and its name; takes its bytes from those `left`.
  std::pair<std::string, StoredTensor> member(std::size_t number, std::uint64_t& left) const {
    auto [name, size, is_stored] = archive_.members()[number];
    const auto refuse = [&](const std::string& facts) {
      fail("array \"" + detail::printable(name) + "\": " + facts);
    };
    if (name.ends_with(suffix)) {
      name.resize(name.size() - suffix.size());
    }
    if (size > left) {
      refuse("claims " + std::to_string(size) + " bytes, with those before it " +
             detail::beyond_limit(limit_, bytes_.size(), "NpzReadOptions::max_bytes"));
    }
    left -= size;
    auto array = detail::decode_npy(archive_.read(number, refuse), refuse);
    if (!array.obstacle.empty()) {
      array.obstacle =
          "array \"" + detail::printable(name) + "\" of " + file_ + ": " + array.obstacle;
    }
    return {std::move(name), std::move(array)};
  }

  std::string file_;
  Bytes bytes_;
  std::uint64_t limit_;
  detail::ZipArchive archive_;
};

class ArchiveWriter {
 public:
  explicit ArchiveWriter(const std::filesystem::path& file) : file_(file.string()) {
    source_.reset(zip_source_buffer_create(nullptr, 0, 0, error_.get()));
    archive_.reset(source_ ? zip_open_from_source(source_.get(), ZIP_TRUNCATE, error_.get())
                           : nullptr);
    if (!archive_) {
      fail(error_.text());
    }
    // The archive drops its share when it is closed; ours keeps the bytes.
    zip_source_keep(source_.get());
  }

  /// The content must stay where it is until `bytes`.
  void add(const std::string& name, const Bytes& content, bool compressed) {
    Source source(zip_source_buffer(archive_.get(), content.data(), content.size(), 0));
    const auto place =
        source ? zip_file_add(archive_.get(), name.c_str(), source.get(), ZIP_FL_ENC_UTF_8) : -1;
    if (place < 0) {
      fail(zip_error_strerror(zip_get_error(archive_.get())));
    }
    (void)source.release();  // The archive owns it now.
    const auto number = static_cast<zip_uint64_t>(place);
    // 1980-01-01, as numpy.savez does, so that equal contents are equal bytes.
    constexpr zip_uint16_t first_day = 1 << 5 | 1;
    if (zip_set_file_compression(archive_.get(), number, compressed ? ZIP_CM_DEFLATE : ZIP_CM_STORE,
                                 0) != 0 ||
        zip_file_set_dostime(archive_.get(), number, 0, first_day, 0) != 0) {
      fail(zip_error_strerror(zip_get_error(archive_.get())));
    }
  }

  /// The bytes of the archive, which is closed then.
  Bytes bytes() {
    if (zip_close(archive_.get()) != 0) {
      fail(zip_error_strerror(zip_get_error(archive_.get())));
    }
    (void)archive_.release();
    zip_stat_t stat;
    if (zip_source_stat(source_.get(), &stat) != 0 || zip_source_open(source_.get()) != 0) {
      fail(zip_error_strerror(zip_source_error(source_.get())));
    }
    Bytes result(stat.size);
    const auto got = zip_source_read(source_.get(), result.data(), result.size());
    zip_source_close(source_.get());
    if (got != static_cast<zip_int64_t>(result.size())) {
      fail(zip_error_strerror(zip_source_error(source_.get())));
    }
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& facts) const {
    throw EnvironmentError("write_npz", file_ + ": " + facts);
  }

  std::string file_;
  ZipError error_;
  Source source_;
  Archive archive_;
};

/// The bytes of an archive without members, which libzip would not write: the record that ends its
/// directory alone.
Bytes empty_archive() {
  Bytes bytes(22);
  bytes[0] = 'P';
  bytes[1] = 'K';
  bytes[2] = 5;
  bytes[3] = 6;
  return bytes;
}

}  // namespace

bool has_npz() noexcept {
  return true;
}

StoredTensors read_npz(const std::filesystem::path& file, const NpzReadOptions& options) try {
  return ArchiveReader(file, options).read();
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_npz");
}

void write_npz(const std::filesystem::path& file, const StoredTensors& arrays,
               const NpzWriteOptions& options) try {
  std::vector<std::pair<std::string, Bytes>> members;
  for (const auto& [name, array] : arrays) {
    if (name.empty() || name.find('\0') != std::string::npos) {
      throw UsageError("write_npz", "the name of an array is empty or has a zero byte");
    }
    members.emplace_back(name + std::string(suffix),
                         detail::encode_npy(array, {}, "write_npz", "array \"" + name + "\""));
  }
  if (members.empty()) {
    write_file_atomically(file, empty_archive(), "write_npz");
    return;
  }
  ArchiveWriter writer(file);
  for (const auto& [name, content] : members) {
    writer.add(name, content, options.compressed);
  }
  write_file_atomically(file, writer.bytes(), "write_npz");
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("write_npz");
}

}  // namespace ddx::io
