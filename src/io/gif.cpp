#include "ddx/io/gif.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/image.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <gif_lib.h>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::io {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t most_colours = 256;
constexpr std::int64_t most_of_16_bits = 65535;

/// A picture as numbers of colours of a map.
struct Indexed {
  std::vector<Colour> colours;
  Bytes numbers;
};

/// The picture in its own colours; nothing in `numbers` where they are too many.
Indexed exact(const Image& picture) {
  Indexed result;
  std::map<std::tuple<int, int, int>, std::uint8_t> known;
  for (const auto point : picture.points()) {
    const auto number = static_cast<std::uint8_t>(result.colours.size());
    const auto [place, is_new] = known.try_emplace({point.red, point.green, point.blue}, number);
    if (is_new && result.colours.size() == most_colours) {
      return {};
    }
    if (is_new) {
      result.colours.push_back(point);
    }
    result.numbers.push_back(place->second);
  }
  return result;
}

/// The picture in the nearest of colours that lie evenly.
Indexed even(const Image& picture) {
  constexpr int reds = 6;
  constexpr int greens = 7;
  constexpr int blues = 6;
  const auto byte_of = [](int level, int levels) {
    return static_cast<std::uint8_t>(level * 255 / (levels - 1));
  };
  const auto level_of = [](std::uint8_t byte, int levels) {
    return (byte * (levels - 1) + 127) / 255;
  };
  Indexed result;
  for (int i = 0; i < reds * greens * blues; ++i) {
    result.colours.push_back({byte_of(i / (greens * blues), reds),
                              byte_of(i / blues % greens, greens), byte_of(i % blues, blues)});
  }
  for (const auto point : picture.points()) {
    result.numbers.push_back(static_cast<std::uint8_t>(
        (level_of(point.red, reds) * greens + level_of(point.green, greens)) * blues +
        level_of(point.blue, blues)));
  }
  return result;
}

struct FreeMap {
  void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
};

/// A GIF in memory that grows.
class Writer {
 public:
  explicit Writer(const std::filesystem::path& file) : file_(file.string()) {
    int error = 0;
    gif_ = EGifOpen(&bytes_, append, &error);
    if (gif_ == nullptr) {
      fail(error);
    }
  }
  ~Writer() {
    if (gif_ != nullptr) {
      EGifCloseFile(gif_, nullptr);
    }
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void begin(int width, int height, int repetitions) {
    EGifSetGifVersion(gif_, true);
    check(EGifPutScreenDesc(gif_, width, height, 8, 0, nullptr));
    // An extension that browsers made the custom: how often to begin again.
    const std::array<std::uint8_t, 3> loop = {1, static_cast<std::uint8_t>(repetitions & 255),
                                              static_cast<std::uint8_t>(repetitions >> 8)};
    check(EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE));
    check(EGifPutExtensionBlock(gif_, 11, "NETSCAPE2.0"));
    check(EGifPutExtensionBlock(gif_, static_cast<int>(loop.size()), loop.data()));
    check(EGifPutExtensionTrailer(gif_));
  }

  void add(const Image& picture, int hundredths) {
    auto indexed = exact(picture);
    if (indexed.numbers.empty()) {
      indexed = even(picture);
    }
    const GraphicsControlBlock control{.DisposalMode = DISPOSE_DO_NOT,
                                       .UserInputFlag = false,
                                       .DelayTime = hundredths,
                                       .TransparentColor = NO_TRANSPARENT_COLOR};
    std::array<GifByteType, 4> extension{};
    EGifGCBToExtension(&control, extension.data());
    check(EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(extension.size()),
                           extension.data()));
    const auto map = color_map(indexed.colours);
    const auto width = static_cast<int>(picture.width());
    check(
        EGifPutImageDesc(gif_, 0, 0, width, static_cast<int>(picture.height()), false, map.get()));
    for (std::size_t row = 0; row < picture.height(); ++row) {
      check(EGifPutLine(gif_, indexed.numbers.data() + row * picture.width(), width));
    }
  }

  [[nodiscard]] const Bytes& end() {
    int error = 0;
    if (EGifCloseFile(std::exchange(gif_, nullptr), &error) == GIF_ERROR) {
      fail(error);
    }
    return bytes_;
  }

 private:
  static int append(GifFileType* gif, const GifByteType* data, int size) {
    auto& bytes = *static_cast<Bytes*>(gif->UserData);
    bytes.insert(bytes.end(), data, data + size);
    return size;
  }

  [[noreturn]] void fail(int error) const {
    const char* const text = GifErrorString(error);
    throw EnvironmentError("write_gif", file_ + ": " + (text == nullptr ? "giflib failed" : text));
  }
  void check(int result) const {
    if (result == GIF_ERROR) {
      fail(gif_->Error);
    }
  }

  /// A map of a power of two of colours, as the format asks for, from 2 on.
  std::unique_ptr<ColorMapObject, FreeMap> color_map(const std::vector<Colour>& colours) const {
    int size = 2;
    while (size < static_cast<int>(colours.size())) {
      size *= 2;
    }
    std::unique_ptr<ColorMapObject, FreeMap> map(GifMakeMapObject(size, nullptr));
    if (map == nullptr) {
      fail(E_GIF_ERR_NOT_ENOUGH_MEM);
    }
    for (std::size_t i = 0; i < colours.size(); ++i) {
      map->Colors[i] = {colours[i].red, colours[i].green, colours[i].blue};
    }
    return map;
  }

  std::string file_;
  Bytes bytes_;
  GifFileType* gif_ = nullptr;
};

void check_pictures(std::span<const Image> pictures) {
  if (pictures.empty()) {
    throw UsageError("write_gif", "there is no picture");
  }
  const auto& first = pictures[0];
  for (const auto& picture : pictures) {
    if (picture.points().empty() || picture.width() > most_of_16_bits ||
        picture.height() > most_of_16_bits || picture.width() != first.width() ||
        picture.height() != first.height()) {
      throw UsageError("write_gif", "a picture of " + std::to_string(picture.width()) + " by " +
                                        std::to_string(picture.height()) +
                                        " points; all have the size of the first, " +
                                        std::to_string(first.width()) + " by " +
                                        std::to_string(first.height()) +
                                        ", and each side lies in [1, 65535]");
    }
  }
}

}  // namespace

bool has_gif() noexcept {
  return true;
}

void write_gif(const std::filesystem::path& file, std::span<const Image> pictures,
               const GifWriteOptions& options) try {
  check_pictures(pictures);
  const std::int64_t hundredths = options.delay.count() / 10;
  if (hundredths < 0 || hundredths > most_of_16_bits || options.repetitions < 0 ||
      options.repetitions > most_of_16_bits) {
    throw UsageError("write_gif", "a delay of " + std::to_string(options.delay.count()) +
                                      " ms and " + std::to_string(options.repetitions) +
                                      " repetitions; at most 655350 ms and 65535 fit");
  }
  Writer writer(file);
  writer.begin(static_cast<int>(pictures[0].width()), static_cast<int>(pictures[0].height()),
               options.repetitions);
  for (const auto& picture : pictures) {
    writer.add(picture, static_cast<int>(hundredths));
  }
  write_file_atomically(file, writer.end(), "write_gif");
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("write_gif");
}

}  // namespace ddx::io
