#include "ddx/data/detail/gzip.h"

#include "ddx/core/error.h"
#include "ddx/core/file.h"

#include "io/detail/content_limit.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include <zlib.h>

namespace ddx::data::detail {
namespace {

/// A zlib stream that decompresses one gzip member.
class Inflater {
 public:
  Inflater() {
    // 16: expect a gzip header rather than zlib's own.
    if (inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) {
      throw EnvironmentError("decompress", "zlib has no memory for its state");
    }
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream& stream() noexcept { return stream_; }

 private:
  z_stream stream_{};
};

/// A file that is decompressed.
struct Compressed {
  const std::filesystem::path& file;
  const std::string& operation;
  std::span<const std::uint8_t> bytes;
  const ContentLimits& limits;

  [[noreturn]] void fail(std::size_t offset, const std::string& facts) const {
    throw EnvironmentError(operation,
                           file.string() + ", byte " + std::to_string(offset) + ": " + facts);
  }

  [[nodiscard]] std::uint64_t limit() const {
    return limits.chosen
               ? *limits.chosen
               : std::min(limits.max_bytes, io::detail::content_limit(std::nullopt, bytes.size()));
  }

  [[noreturn]] void fail_at_limit() const {
    std::string facts = file.string() + " holds more than " + std::to_string(limit()) + " bytes";
    if (!limits.option.empty()) {
      facts += "; " + limits.option + " raises the limit";
    } else if (limit() < limits.max_bytes) {
      facts += ", the limit for a compressed file of " + std::to_string(bytes.size()) +
               " bytes; a file that is not compressed may have " + std::to_string(limits.max_bytes);
    }
    throw EnvironmentError(operation, facts);
  }
};

/// How long the content of the last member says it is, modulo 2^32: a hint.
std::size_t claimed_size(std::span<const std::uint8_t> bytes) {
  std::size_t size = 0;
  for (const auto byte : bytes.last(std::min<std::size_t>(bytes.size(), 4))) {
    size = size >> 8 | std::size_t{byte} << 24;
  }
  return size;
}

/// Decompresses the member that begins the file, appends it to `into`, returns where it ends.
std::size_t inflate_member(const Compressed& from, std::vector<std::uint8_t>& into) {
  Inflater inflater;
  auto& stream = inflater.stream();
  const auto limit = from.limit();
  std::size_t offset = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0 && offset < from.bytes.size()) {
      const auto piece =
          std::min<std::size_t>(from.bytes.size() - offset, std::numeric_limits<uInt>::max());
      // zlib reads through this pointer only; its type lacks the const.
      stream.next_in = const_cast<Bytef*>(from.bytes.data() + offset);
      stream.avail_in = static_cast<uInt>(piece);
      offset += piece;
    }
    std::uint8_t chunk[1 << 16];
    stream.next_out = chunk;
    stream.avail_out = sizeof chunk;
    status = inflate(&stream, Z_NO_FLUSH);
    const auto got = sizeof chunk - stream.avail_out;
    if (got > limit - into.size()) {
      from.fail_at_limit();
    }
    into.insert(into.end(), chunk, chunk + got);
    const auto position = offset - stream.avail_in;
    if (status == Z_BUF_ERROR ||
        (status == Z_OK && position == from.bytes.size() && stream.avail_out)) {
      from.fail(position, "the compressed file is truncated");
    }
    if (status != Z_OK && status != Z_STREAM_END) {
      from.fail(position, std::string("the compressed data is damaged (") +
                              (stream.msg ? stream.msg : "unknown reason") + ")");
    }
  }
  return offset - stream.avail_in;
}

}  // namespace

std::vector<std::uint8_t> read_maybe_compressed(const std::filesystem::path& file,
                                                const std::string& operation,
                                                const ContentLimits& limits) {
  auto bytes = read_file(file, operation, limits.chosen.value_or(limits.max_bytes));
  if (bytes.size() < 2 || bytes[0] != 0x1f || bytes[1] != 0x8b) {
    return bytes;
  }
  const Compressed compressed{file, operation, bytes, limits};
  std::vector<std::uint8_t> content;
  content.reserve(
      static_cast<std::size_t>(std::min<std::uint64_t>(claimed_size(bytes), compressed.limit())));
  const auto end = inflate_member(compressed, content);
  if (end != bytes.size()) {
    compressed.fail(
        end, std::to_string(bytes.size() - end) + " bytes follow the end of the compressed data");
  }
  return content;
}

}  // namespace ddx::data::detail
