#include "ddx/train/prediction_sheet.h"

#include "ddx/core/error.h"
#include "ddx/data/labelled_images.h"
#include "ddx/io/image.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ddx::train {
namespace {

constexpr io::Colour background{255, 255, 255};
constexpr io::Colour right_colour{0, 140, 60};
constexpr io::Colour wrong_colour{210, 30, 30};

constexpr std::size_t glyph_width = 5;
constexpr std::size_t glyph_height = 7;
constexpr std::size_t margin = 2;

/// The digits 0 to 9, five by seven points each, row by row.
constexpr std::array<std::string_view, 10> glyphs = {
    " ### #   ##  ### # ###  ##   # ### ",  //
    "  #   ##    #    #    #    #   ### ",  //
    " ### #   #    #   #   #   #   #####",  //
    " ### #   #    #  ##     ##   # ### ",  //
    "   #   ##  # # #  # #####   #    # ",  //
    "######    ####     #    ##   # ### ",  //
    " ### #    #    #### #   ##   # ### ",  //
    "#####    #   #   #   #    #    #   ",  //
    " ### #   ##   # ### #   ##   # ### ",  //
    " ### #   ##   # ####    #    # ### ",  //
};

/// A picture that is drawn at some zoom.
class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height, std::size_t zoom)
      : image_(width * zoom, height * zoom, background), zoom_(zoom) {}

  void set(std::size_t x, std::size_t y, io::Colour colour) {
    for (std::size_t i = 0; i < zoom_ * zoom_; ++i) {
      image_.set(x * zoom_ + i % zoom_, y * zoom_ + i / zoom_, colour);
    }
  }

  void write(std::size_t x, std::size_t y, const std::string& number, io::Colour colour) {
    for (const char digit : number) {
      // A class number has digits only: negative ones are refused before.
      const auto glyph = glyphs[static_cast<std::size_t>(digit - '0')];
      for (std::size_t i = 0; i < glyph.size(); ++i) {
        if (glyph[i] == '#') {
          set(x + i % glyph_width, y + i / glyph_width, colour);
        }
      }
      x += glyph_width + 1;
    }
  }

  [[nodiscard]] const io::Image& image() const noexcept { return image_; }

 private:
  io::Image image_;
  std::size_t zoom_;
};

void check(const data::LabelledImages& images, std::span<const std::int32_t> predicted,
           const SheetOptions& options) {
  if (predicted.empty() || predicted.size() > images.labels.size()) {
    throw UsageError("prediction_sheet", std::to_string(predicted.size()) + " predictions for " +
                                             std::to_string(images.labels.size()) + " images");
  }
  if (options.columns == 0 || options.zoom == 0) {
    throw UsageError("prediction_sheet", "columns " + std::to_string(options.columns) +
                                             " and zoom " + std::to_string(options.zoom) +
                                             ", at least 1 is required");
  }
  const auto [least, greatest] = std::minmax_element(predicted.begin(), predicted.end());
  if (*least < 0 || *greatest > 255) {
    throw UsageError(
        "prediction_sheet",
        "class " + std::to_string(*least < 0 ? *least : *greatest) + " is not in [0, 255]");
  }
}

}  // namespace

io::Image prediction_sheet(const data::LabelledImages& images,
                           std::span<const std::int32_t> predicted, const SheetOptions& options) {
  check(images, predicted, options);
  const auto width = static_cast<std::size_t>(images.width);
  const auto height = static_cast<std::size_t>(images.height);
  const auto channels = static_cast<std::size_t>(images.channels);
  // Three digits fit below the narrowest image.
  const std::size_t cell_width = std::max(width, 3 * (glyph_width + 1)) + 2 * margin;
  const std::size_t cell_height = height + glyph_height + 3 * margin;
  const std::size_t rows = (predicted.size() + options.columns - 1) / options.columns;
  Canvas canvas(options.columns * cell_width, rows * cell_height, options.zoom);
  for (std::size_t number = 0; number < predicted.size(); ++number) {
    const std::size_t left = number % options.columns * cell_width + margin;
    const std::size_t top = number / options.columns * cell_height + margin;
    for (std::size_t pixel = 0; pixel < width * height; ++pixel) {
      const auto* bytes = &images.pixels[(number * width * height + pixel) * channels];
      // One channel is grey; of more, the first three are red, green and blue.
      const auto channel = [&](std::size_t wanted) { return bytes[channels < 3 ? 0 : wanted]; };
      canvas.set(left + pixel % width, top + pixel / width, {channel(0), channel(1), channel(2)});
    }
    const bool is_right = predicted[number] == images.labels[number];
    canvas.write(left, top + height + margin, std::to_string(predicted[number]),
                 is_right ? right_colour : wrong_colour);
  }
  return canvas.image();
}

}  // namespace ddx::train
