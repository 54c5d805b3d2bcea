#include "generated_files.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/data/images/resize.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/image.h"
#include "ddx/io/jpeg.h"
#include "ddx/tensor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <span>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace ddx::bench {
namespace {

constexpr std::int64_t classes = 10;

/// Noise of all frequencies, periodic in neither direction: [side, side, 3], deviation near 1.
class Texture {
 public:
  static constexpr std::int64_t side = 1024;

  explicit Texture(RandomKey key) {
    constexpr int octaves = 10;
    auto sum = zeros<float>({side, side, 3});
    for (int octave = 1; octave <= octaves; ++octave) {
      const std::int64_t cells = std::int64_t{1} << octave;
      const auto noise =
          random_normal<float>(key.fold_in(static_cast<std::uint64_t>(octave)), {cells, cells, 3});
      const auto amplitude = static_cast<float>(std::pow(0.82, octave));
      sum = sum + data::resized(noise, {.height = side, .width = side}) * amplitude;
    }
    values_ = sum.values();
  }

  /// Red, green and blue as brightness and two weaker differences of colour.
  [[nodiscard]] const float* at(std::int64_t x, std::int64_t y) const {
    return &values_[static_cast<std::size_t>(3 * ((y % side) * side + x % side))];
  }

 private:
  std::vector<float> values_;
};

std::uint8_t byte_near(float value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F));
}

/// Two places of the texture with an edge between them where a third one changes its sign.
io::Image picture(const Texture& texture, std::int64_t width, std::int64_t height, RandomKey key) {
  const auto words = key.words(0);
  const auto more = key.words(1);
  io::Image image(static_cast<std::size_t>(width), static_cast<std::size_t>(height), {});
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const bool is_front = texture.at(x + more[0] % 1024, y + more[1] % 1024)[1] > 0;
      const auto* t = is_front ? texture.at(x + words[0] % 1024, y + words[1] % 1024)
                               : texture.at(x + words[2] % 1024, y + words[3] % 1024);
      const float bright = (is_front ? 145.0F : 95.0F) + 50 * t[0];
      image.set(static_cast<std::size_t>(x), static_cast<std::size_t>(y),
                {byte_near(bright + 20 * t[1]), byte_near(bright),
                 byte_near(bright - 15 * t[1] + 20 * t[2])});
    }
  }
  return image;
}

}  // namespace

TemporaryFolder::TemporaryFolder()
    : path_(std::filesystem::temp_directory_path() / fmt::format("bench_training-{}", getpid())) {
  std::filesystem::create_directories(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void write_pictures(const std::filesystem::path& folder, std::int64_t count) {
  const Texture texture(RandomKey(1));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto of_class = folder / fmt::format("n{:08}", i % classes);
    std::error_code error;
    std::filesystem::create_directories(of_class, error);
    if (error) {
      throw EnvironmentError("write_pictures", of_class.string() + ": " + error.message());
    }
    io::write_jpeg(of_class / fmt::format("{:06}.jpg", i),
                   picture(texture, 500, 375, RandomKey(2).fold_in(static_cast<std::uint64_t>(i))),
                   {.quality = 92});
  }
}

void write_records(const std::filesystem::path& file, std::int64_t count) {
  constexpr std::size_t plane = 32 * 32;
  constexpr std::array<float, 3> middle = {96, 128, 160};
  const Texture texture(RandomKey(3));
  std::vector<std::uint8_t> bytes;
  bytes.reserve(static_cast<std::size_t>(count) * (1 + 3 * plane));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto image =
        picture(texture, 32, 32, RandomKey(4).fold_in(static_cast<std::uint64_t>(i)));
    const auto label = i % classes;
    bytes.push_back(static_cast<std::uint8_t>(label));
    for (std::size_t channel = 0; channel < 3; ++channel) {
      // Each class darkens or brightens the three channels in its own way.
      const auto shift =
          static_cast<float>((label * static_cast<std::int64_t>(3 + channel)) % 10) * 12 - 54;
      for (const auto& point : image.points()) {
        const std::array<std::uint8_t, 3> colours = {point.red, point.green, point.blue};
        const float value = 0.6F * static_cast<float>(colours[channel]) + 0.4F * middle[channel];
        bytes.push_back(byte_near(value + shift));
      }
    }
  }
  io::write_file_atomically(file, bytes, "write_records");
}

}  // namespace ddx::bench
