#include "ddx/io/gif.h"

#include "ddx/core/error.h"
#include "ddx/io/image.h"

#include "tests/support/temporary_folder.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ddx::io {
namespace gif_test {

using ddx::testing::bytes_of;
using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;
using Bytes = std::vector<std::uint8_t>;

/// A reader of GIF files as write_gif makes them: no interlacing, a map for each picture.
class GifReader {
 public:
  explicit GifReader(Bytes bytes) : bytes_(std::move(bytes)) {
    const std::string signature(bytes_.begin(), bytes_.begin() + 6);
    if (signature != "GIF89a") {
      throw std::runtime_error("the signature is " + signature);
    }
    place_ = 6;
    width_ = word();
    height_ = word();
    place_ += 3;
    for (auto kind = byte(); kind != 0x3B; kind = byte()) {
      if (kind == 0x21) {
        extension();
      } else if (kind == 0x2C) {
        picture();
      } else {
        throw std::runtime_error("a block of kind " + std::to_string(kind));
      }
    }
  }

  std::vector<Image> pictures;
  std::vector<int> delays;
  int repetitions = -1;

 private:
  int byte() { return bytes_.at(place_++); }
  int word() {
    const int low = byte();
    return low | byte() << 8;
  }
  Bytes blocks() {
    Bytes content;
    for (int size = byte(); size != 0; size = byte()) {
      for (int i = 0; i < size; ++i) {
        content.push_back(static_cast<std::uint8_t>(byte()));
      }
    }
    return content;
  }

  void extension() {
    const int kind = byte();
    const auto content = blocks();
    if (kind == 0xF9) {
      delays.push_back(content.at(1) | content.at(2) << 8);
    } else if (kind == 0xFF &&
               std::string(content.begin(), content.begin() + 11) == "NETSCAPE2.0") {
      repetitions = content.at(12) | content.at(13) << 8;
    }
  }

  void picture() {
    place_ += 4;
    const int width = word();
    const int height = word();
    const int flags = byte();
    std::vector<Colour> map;
    for (int i = 0; i < 2 << (flags & 7); ++i) {
      const auto red = static_cast<std::uint8_t>(byte());
      const auto green = static_cast<std::uint8_t>(byte());
      map.push_back({red, green, static_cast<std::uint8_t>(byte())});
    }
    const int bits = byte();
    std::vector<Colour> points;
    for (const auto number : unpacked(blocks(), bits)) {
      points.push_back(map.at(number));
    }
    if (width != width_ || height != height_ ||
        points.size() != static_cast<std::size_t>(width * height)) {
      throw std::runtime_error("a picture of another size");
    }
    pictures.emplace_back(std::move(points), static_cast<std::size_t>(width),
                          static_cast<std::size_t>(height));
  }

  /// Lempel, Ziv and Welch's codes, lowest bits first.
  static Bytes unpacked(const Bytes& packed, int bits) {
    const int clear = 1 << bits;
    std::vector<Bytes> table;
    int width = 0;
    const auto reset = [&] {
      table.clear();
      for (int i = 0; i < clear + 2; ++i) {
        table.push_back({static_cast<std::uint8_t>(i)});
      }
      width = bits + 1;
    };
    reset();
    Bytes result;
    Bytes before;
    std::size_t bit = 0;
    while (true) {
      int code = 0;
      for (int i = 0; i < width; ++i, ++bit) {
        code |= (packed.at(bit / 8) >> (bit % 8) & 1) << i;
      }
      if (code == clear) {
        reset();
        before.clear();
        continue;
      }
      if (code == clear + 1) {
        return result;
      }
      Bytes piece =
          code < static_cast<int>(table.size()) ? table[static_cast<std::size_t>(code)] : before;
      if (code >= static_cast<int>(table.size())) {
        piece.push_back(before.at(0));
      }
      if (!before.empty() && table.size() < 4096) {
        before.push_back(piece[0]);
        table.push_back(before);
      }
      if (static_cast<int>(table.size()) == 1 << width && width < 12) {
        ++width;
      }
      result.insert(result.end(), piece.begin(), piece.end());
      before = piece;
    }
  }

  Bytes bytes_;
  std::size_t place_ = 0;
  int width_ = 0;
  int height_ = 0;
};

/// Skipped where the library was built without giflib.
class Gif : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_gif()) {
      EXPECT_EQ(message_of<EnvironmentError>([] { write_gif("a", {}); }),
                "write_gif: a: this ddx was built without giflib");
      GTEST_SKIP();
    }
  }
  TemporaryFolder folder_;
};

TEST_F(Gif, PicturesOfFewColoursKeepThem) {
  Image first(20, 30, {10, 20, 30});
  Image second(20, 30, {255, 0, 0});
  for (std::size_t i = 0; i < 200; ++i) {
    first.set(i % 20, i / 20,
              {static_cast<std::uint8_t>(i), 1, static_cast<std::uint8_t>(255 - i)});
  }
  second.set(19, 29, {0, 255, 0});
  write_gif(folder_.path() / "a.gif", std::vector{first, second, first},
            {.delay = std::chrono::milliseconds(70), .repetitions = 300});
  const GifReader read(bytes_of(folder_.path() / "a.gif"));
  EXPECT_EQ(read.pictures, (std::vector{first, second, first}));
  EXPECT_EQ(read.delays, (std::vector{7, 7, 7}));
  EXPECT_EQ(read.repetitions, 300);
}

TEST_F(Gif, PicturesOfManyColoursTakeTheNearest) {
  Image picture(64, 64, {});
  for (std::size_t i = 0; i < 64 * 64; ++i) {
    picture.set(i % 64, i / 64,
                {static_cast<std::uint8_t>(i / 16), static_cast<std::uint8_t>(i * 7),
                 static_cast<std::uint8_t>(i % 64 * 4)});
  }
  write_gif(folder_.path() / "a.gif", std::vector{picture});
  const GifReader read(bytes_of(folder_.path() / "a.gif"));
  ASSERT_EQ(read.pictures.size(), 1U);
  EXPECT_EQ(read.repetitions, 0);
  for (std::size_t i = 0; i < 64 * 64; ++i) {
    const auto expected = picture.points()[i];
    const auto found = read.pictures[0].points()[i];
    // Levels lie 51, 42.5 and 51 apart.
    EXPECT_LE(std::abs(found.red - expected.red), 26) << i;
    EXPECT_LE(std::abs(found.green - expected.green), 22) << i;
    EXPECT_LE(std::abs(found.blue - expected.blue), 26) << i;
  }
}

TEST_F(Gif, MistakesAreNamed) {
  const auto error = [&](const std::vector<Image>& pictures, const GifWriteOptions& options = {}) {
    return message_of<UsageError>([&] { write_gif(folder_.path() / "a.gif", pictures, options); });
  };
  EXPECT_EQ(error({}), "write_gif: there is no picture");
  EXPECT_EQ(
      error({Image(2, 3, {}), Image(3, 2, {})}),
      "write_gif: a picture of 3 by 2 points; all have the size of the first, 2 by 3, and each "
      "side lies in [1, 65535]");
  EXPECT_EQ(
      error({Image(0, 3, {})}),
      "write_gif: a picture of 0 by 3 points; all have the size of the first, 0 by 3, and each "
      "side lies in [1, 65535]");
  EXPECT_EQ(error({Image(1, 1, {})}, {.delay = std::chrono::milliseconds(-10)}),
            "write_gif: a delay of -10 ms and 0 repetitions; at most 655350 ms and 65535 fit");
  EXPECT_EQ(folder_.entry_count(), 0);
}

}  // namespace gif_test
}  // namespace ddx::io
