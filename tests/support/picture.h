/// \file
/// Recorded pictures, and what every reader of pictures must stand.

#pragma once

#include "ddx/core/error.h"
#include "ddx/io/image.h"

#include "tests/support/recording.h"
#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ddx::testing {

/// The pictures of tests/goldens/pictures whose names end so, with the points that were recorded.
inline std::map<std::string, io::Image> recorded_pictures(const std::string& ending) {
  std::map<std::string, io::Image> pictures;
  const auto rows = recording("pictures/points.json");
  for (const auto& [name, row] : rows.items()) {
    if (name.ends_with(ending)) {
      const auto values = row["points"].get<std::vector<std::uint8_t>>();
      std::vector<io::Colour> points;
      for (std::size_t i = 0; i < values.size(); i += 3) {
        points.push_back({values[i], values[i + 1], values[i + 2]});
      }
      pictures.emplace(name, io::Image(std::move(points), row["width"], row["height"]));
    }
  }
  return pictures;
}

/// Reads a file cut off at every length and with every byte changed: each is read or refused by an
/// EnvironmentError, and a cut one is refused.
template <class Read>
void expect_total(const std::vector<std::uint8_t>& whole, const Read& read) {
  const TemporaryFolder folder;
  const auto error = [&](const std::vector<std::uint8_t>& bytes) {
    const auto file = folder.write("a", bytes);
    return message_of<EnvironmentError>([&] { (void)read(file); });
  };
  EXPECT_EQ(error(whole), "(no exception)");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto end = whole.begin() + static_cast<std::ptrdiff_t>(length);
    const auto message = error({whole.begin(), end});
    EXPECT_NE(message, "(no exception)") << length;
    EXPECT_NE(message, "(another exception)") << length;
  }
  for (std::size_t place = 0; place < whole.size(); ++place) {
    for (const int flip : {1, 16, 128, 255}) {
      auto bytes = whole;
      bytes[place] = static_cast<std::uint8_t>(bytes[place] ^ flip);
      EXPECT_NE(error(bytes), "(another exception)") << place << " " << flip;
    }
  }
}

/// The checksum of a PNG chunk, bit by bit.
///
/// Source:  W3C, "Portable Network Graphics (PNG) specification" (2003), annex D.
inline std::uint32_t png_checksum(std::span<const std::uint8_t> bytes) {
  std::uint32_t rest = 0xFFFFFFFF;
  for (const auto byte : bytes) {
    rest ^= byte;
    for (int bit = 0; bit < 8; ++bit) {
      rest = (rest & 1) != 0 ? rest >> 1 ^ 0xEDB88320 : rest >> 1;
    }
  }
  return ~rest;
}

}  // namespace ddx::testing
