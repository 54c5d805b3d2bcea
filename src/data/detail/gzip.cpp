#include "ddx/data/detail/gzip.h"

#include "ddx/core/error.h"
#include "ddx/core/file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
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

std::string at(const std::filesystem::path& file, std::size_t offset) {
  return file.string() + ", byte " + std::to_string(offset);
}

/// Decompresses the member that starts at `offset`, appends it to `into`, returns where it ends.
std::size_t inflate_member(std::span<const std::uint8_t> bytes, std::size_t offset,
                           const std::filesystem::path& file, const std::string& operation,
                           std::uint64_t limit, std::vector<std::uint8_t>& into) {
  Inflater inflater;
  auto& stream = inflater.stream();
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0 && offset < bytes.size()) {
      const auto piece =
          std::min<std::size_t>(bytes.size() - offset, std::numeric_limits<uInt>::max());
      // zlib reads through this pointer only; its type lacks the const.
      stream.next_in = const_cast<Bytef*>(bytes.data() + offset);
      stream.avail_in = static_cast<uInt>(piece);
      offset += piece;
    }
    std::uint8_t chunk[1 << 16];
    stream.next_out = chunk;
    stream.avail_out = sizeof chunk;
    status = inflate(&stream, Z_NO_FLUSH);
    into.insert(into.end(), chunk, chunk + (sizeof chunk - stream.avail_out));
    const auto position = offset - stream.avail_in;
    if (status == Z_BUF_ERROR || (status == Z_OK && position == bytes.size() && stream.avail_out)) {
      throw EnvironmentError(operation, at(file, position) + ": the compressed file is truncated");
    }
    if (status != Z_OK && status != Z_STREAM_END) {
      throw EnvironmentError(operation, at(file, position) + ": the compressed data is damaged (" +
                                            (stream.msg ? stream.msg : "unknown reason") + ")");
    }
    if (into.size() > limit) {
      throw EnvironmentError(
          operation, file.string() + " holds more than " + std::to_string(limit) + " bytes");
    }
  }
  return offset - stream.avail_in;
}

}  // namespace

std::vector<std::uint8_t> read_maybe_compressed(const std::filesystem::path& file,
                                                const std::string& operation, std::uint64_t limit) {
  auto bytes = read_file(file, operation, limit);
  if (bytes.size() < 2 || bytes[0] != 0x1f || bytes[1] != 0x8b) {
    return bytes;
  }
  std::vector<std::uint8_t> content;
  const auto end = inflate_member(bytes, 0, file, operation, limit, content);
  if (end != bytes.size()) {
    throw EnvironmentError(operation, at(file, end) + ": " + std::to_string(bytes.size() - end) +
                                          " bytes follow the end of the compressed data");
  }
  return content;
}

}  // namespace ddx::data::detail
