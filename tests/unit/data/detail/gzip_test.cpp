#include "ddx/data/detail/gzip.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include <zlib.h>

namespace ddx::data::detail {
namespace gzip_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;

using Bytes = std::vector<std::uint8_t>;

const std::string text = "ddx gzip test, ddx gzip test, ddx gzip test";

// printf 'ddx gzip test, ddx gzip test, ddx gzip test' | gzip -9n | xxd -i
const Bytes compressed = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
                          0x4b, 0x49, 0xa9, 0x50, 0x48, 0xaf, 0xca, 0x2c, 0x50, 0x28,
                          0x49, 0x2d, 0x2e, 0xd1, 0x51, 0x48, 0xc1, 0xc3, 0x05, 0x00,
                          0x18, 0x7c, 0xc8, 0x6f, 0x2b, 0x00, 0x00, 0x00};

std::string read_error(const std::filesystem::path& file, std::uint64_t limit = 1000) {
  return message_of<EnvironmentError>(
      [&] { (void)read_maybe_compressed(file, "read", {.max_bytes = limit}); });
}

TEST(Gzip, DecompressesAndPassesOtherFilesThrough) {
  const TemporaryFolder folder;
  const auto content =
      read_maybe_compressed(folder.write("a.gz", compressed), "read", {.max_bytes = 1000});
  EXPECT_EQ(std::string(content.begin(), content.end()), text);
  const Bytes plain = {1, 2, 3};
  EXPECT_EQ(read_maybe_compressed(folder.write("a", plain), "read", {.max_bytes = 1000}), plain);
}

TEST(Gzip, EveryTruncationIsAnErrorThatNamesTheOffset) {
  const TemporaryFolder folder;
  // A single byte is too short to be known as gzip.
  for (std::size_t length = 2; length < compressed.size(); ++length) {
    const auto file = folder.write(
        "a.gz", Bytes(compressed.begin(), compressed.begin() + static_cast<int>(length)));
    EXPECT_EQ(read_error(file), "read: " + file.string() + ", byte " + std::to_string(length) +
                                    ": the compressed file is truncated");
  }
}

TEST(Gzip, DamageIsAnErrorThatNamesFileAndOffset) {
  const TemporaryFolder folder;
  for (const std::size_t place : {compressed.size() - 1, compressed.size() - 5, std::size_t{2}}) {
    auto bytes = compressed;
    bytes[place] ^= 0x55;
    const auto file = folder.write("a.gz", bytes);
    EXPECT_EQ(read_error(file).find("read: " + file.string() + ", byte "), 0U) << place;
    EXPECT_NE(read_error(file).find(": the compressed data is damaged ("), std::string::npos)
        << place;
  }
}

TEST(Gzip, BytesBehindTheStreamAreAnError) {
  const TemporaryFolder folder;
  auto bytes = compressed;
  bytes.push_back(0);
  const auto file = folder.write("a.gz", bytes);
  EXPECT_EQ(read_error(file), "read: " + file.string() + ", byte " +
                                  std::to_string(compressed.size()) +
                                  ": 1 bytes follow the end of the compressed data");
}

TEST(Gzip, ContentBeyondTheLimitIsAnError) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.gz", compressed);
  EXPECT_EQ(read_error(file, text.size() - 1), "read: " + file.string() + " holds more than " +
                                                   std::to_string(text.size() - 1) + " bytes");
  EXPECT_EQ(read_error(file, text.size()), "(no exception)");
}

/// 70 MB of zeros, compressed by zlib.
Bytes bomb() {
  Bytes packed(200'000);
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  const Bytes zeros(1'000'000);
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  for (int i = 0; i < 70; ++i) {
    stream.next_in = const_cast<Bytef*>(zeros.data());
    stream.avail_in = static_cast<uInt>(zeros.size());
    deflate(&stream, i == 69 ? Z_FINISH : Z_NO_FLUSH);
  }
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

TEST(Gzip, ABombIsRefusedUnlessItsSizeIsChosen) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.gz", bomb());
  const auto size = std::to_string(std::filesystem::file_size(file));
  EXPECT_EQ(read_error(file, 1 << 30),
            "read: " + file.string() +
                " holds more than 67108864 bytes, the limit for a compressed file of " + size +
                " bytes; a file that is not compressed may have 1073741824");
  const auto read = [&](std::uint64_t chosen) {
    return read_maybe_compressed(
        file, "read", {.max_bytes = 1 << 30, .chosen = chosen, .option = "Options::max_bytes"});
  };
  EXPECT_EQ(read(70'000'000).size(), 70'000'000U);
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)read(69'999'999); }),
            "read: " + file.string() +
                " holds more than 69999999 bytes; Options::max_bytes raises the limit");
}

}  // namespace gzip_test
}  // namespace ddx::data::detail
