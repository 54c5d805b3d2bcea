#include "ddx/io/jpeg.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/image.h"

#include "io/detail/picture_size.h"

#include <algorithm>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstdio>  // jpeglib.h needs FILE.
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <jpeglib.h>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::io {
namespace {

/// What libjpeg calls where it finds a mistake. It jumps back over frames of C into a function
/// below that has no object with a destructor between.
struct ErrorHandler : jpeg_error_mgr {
  std::jmp_buf back{};
  bool tolerates_damage = false;
  char text[JMSG_LENGTH_MAX] = {};

  ErrorHandler() : jpeg_error_mgr{} {
    jpeg_std_error(this);
    error_exit = fail;
    emit_message = warn;
    output_message = [](j_common_ptr) {};
  }

  [[noreturn]] static void fail(j_common_ptr state) {
    auto& handler = *static_cast<ErrorHandler*>(state->err);
    handler.format_message(state, handler.text);
    std::longjmp(handler.back, 1);
  }

  /// Levels below 0 are warnings of damaged data, after which libjpeg would make something up.
  static void warn(j_common_ptr state, int level) {
    if (level < 0 && !static_cast<ErrorHandler*>(state->err)->tolerates_damage) {
      fail(state);
    }
  }
};

/// Refuses a progressive picture that goes over its points again and again.
void check_scans(j_common_ptr state) {
  constexpr int most_scans = 500;
  if (reinterpret_cast<j_decompress_ptr>(state)->input_scan_number > most_scans) {
    auto& handler = *static_cast<ErrorHandler*>(state->err);
    std::strcpy(handler.text, "more than 500 scans");
    std::longjmp(handler.back, 1);
  }
}

class Decoder {
 public:
  Decoder(std::span<const std::uint8_t> bytes, bool tolerates_damage) : bytes_(bytes) {
    handler_.tolerates_damage = tolerates_damage;
    state_.err = &handler_;
    progress_.progress_monitor = check_scans;
  }
  ~Decoder() { jpeg_destroy_decompress(&state_); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  [[nodiscard]] bool read_header() {
    if (setjmp(handler_.back) != 0) {
      return false;
    }
    jpeg_create_decompress(&state_);
    state_.progress = &progress_;
    jpeg_mem_src(&state_, bytes_.data(), bytes_.size());
    jpeg_read_header(&state_, TRUE);
    state_.out_color_space = JCS_RGB;
    return true;
  }

  [[nodiscard]] bool read_points(Colour* points) {
    if (setjmp(handler_.back) != 0) {
      return false;
    }
    jpeg_start_decompress(&state_);
    while (state_.output_scanline < state_.output_height) {
      auto* row = reinterpret_cast<JSAMPLE*>(points + std::size_t{state_.output_scanline} *
                                                          state_.output_width);
      jpeg_read_scanlines(&state_, &row, 1);
    }
    jpeg_finish_decompress(&state_);
    return true;
  }

  /// Begins to read a rectangle of squares, and decodes the codes of the rows above it.
  [[nodiscard]] bool start_part(const JpegPart& squares) {
    if (setjmp(handler_.back) != 0) {
      return false;
    }
    state_.scale_num = 1;
    state_.scale_denom = static_cast<unsigned>(squares.reduction);
    jpeg_start_decompress(&state_);
    // The colours of a column are interpolated between its neighbours', which must be there too.
    const auto left = static_cast<JDIMENSION>(squares.left);
    const auto right = static_cast<JDIMENSION>(squares.left + squares.width);
    JDIMENSION first = left - std::min(left, JDIMENSION{1});
    JDIMENSION width = std::min(right + 1, state_.output_width) - first;
    jpeg_crop_scanline(&state_, &first, &width);
    first_column_ = left - first;
    jpeg_skip_scanlines(&state_, static_cast<JDIMENSION>(squares.top));
    return true;
  }

  /// The number of points of a row that is read, at least those of the rectangle.
  [[nodiscard]] std::size_t row_points() const noexcept { return state_.output_width; }

  /// Reads the rectangle's rows; `row` has memory for a whole one.
  [[nodiscard]] bool read_part(Colour* points, const JpegPart& squares, Colour* row) {
    if (setjmp(handler_.back) != 0) {
      return false;
    }
    for (std::size_t y = 0; y < squares.height; ++y) {
      auto* into = reinterpret_cast<JSAMPLE*>(row);
      jpeg_read_scanlines(&state_, &into, 1);
      std::memcpy(static_cast<void*>(points + y * squares.width), row + first_column_,
                  squares.width * sizeof(Colour));
    }
    return true;
  }

  [[nodiscard]] detail::PictureSize size() const noexcept {
    return {.width = state_.image_width, .height = state_.image_height};
  }
  [[nodiscard]] std::string message() const { return handler_.text; }

 private:
  std::span<const std::uint8_t> bytes_;
  ErrorHandler handler_;
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct state_{};
  std::size_t first_column_ = 0;
};

[[noreturn]] void fail_for_file(const char* operation, const std::filesystem::path& file,
                                const std::string& facts) {
  throw EnvironmentError(operation, file.string() + ": " + facts);
}

/// Decodes the header, and returns the number of points, for which there may be memory.
///
/// Throws:  EnvironmentError where that is damaged or claims too many points.
std::size_t decoded_header(Decoder& decoder, std::size_t file_bytes, std::uint64_t max_points,
                           const char* operation, const std::filesystem::path& file) {
  if (!decoder.read_header()) {
    fail_for_file(operation, file, decoder.message());
  }
  // Each block of 64 points takes a bit of the first scan or more.
  constexpr std::size_t most_points_per_byte = 64 * 8;
  return detail::checked_point_count(decoder.size(), file_bytes,
                                     {.max_points = max_points,
                                      .option = "JpegReadOptions::max_points",
                                      .points_per_byte = most_points_per_byte},
                                     operation, file);
}

/// The bytes of a file.
///
/// Throws:  EnvironmentError where there are none.
std::vector<std::uint8_t> jpeg_bytes(const std::filesystem::path& file, const char* operation) {
  auto bytes = read_file(file, operation, detail::largest_picture_file);
  if (bytes.empty()) {
    fail_for_file(operation, file, "the file is empty");
  }
  return bytes;
}

/// The squares of the reduced picture that a rectangle touches.
JpegPart touched_squares(const JpegPart& part) {
  const std::size_t r = part.reduction;
  const std::size_t top = part.top / r;
  const std::size_t left = part.left / r;
  return {.top = top,
          .left = left,
          .height = (part.top + part.height + r - 1) / r - top,
          .width = (part.left + part.width + r - 1) / r - left,
          .reduction = r};
}

/// Throws:  UsageError where a part is empty or not inside, or the reduction none of the four.
void check_part(const JpegPart& part, std::size_t width, std::size_t height) {
  const auto is_inside = [](std::size_t begin, std::size_t extent, std::size_t whole) {
    return extent >= 1 && extent <= whole && begin <= whole - extent;
  };
  if (!is_inside(part.top, part.height, height) || !is_inside(part.left, part.width, width)) {
    throw UsageError("JpegFile::part", std::to_string(part.width) + " by " +
                                           std::to_string(part.height) + " points from column " +
                                           std::to_string(part.left) + ", row " +
                                           std::to_string(part.top) + " of a picture of " +
                                           std::to_string(width) + " by " + std::to_string(height));
  }
  if (part.reduction != 1 && part.reduction != 2 && part.reduction != 4 && part.reduction != 8) {
    throw UsageError("JpegFile::part", "the reduction is " + std::to_string(part.reduction) +
                                           ", it must be 1, 2, 4 or 8");
  }
}

class Encoder {
 public:
  Encoder() { state_.err = &handler_; }
  ~Encoder() {
    jpeg_destroy_compress(&state_);
    std::free(bytes_);  // libjpeg takes the memory with malloc.
  }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  [[nodiscard]] bool write(const Image& image, int quality) {
    if (setjmp(handler_.back) != 0) {
      return false;
    }
    jpeg_create_compress(&state_);
    jpeg_mem_dest(&state_, &bytes_, &size_);
    state_.image_width = static_cast<JDIMENSION>(image.width());
    state_.image_height = static_cast<JDIMENSION>(image.height());
    state_.input_components = 3;
    state_.in_color_space = JCS_RGB;
    jpeg_set_defaults(&state_);
    jpeg_set_quality(&state_, quality, TRUE);
    jpeg_start_compress(&state_, TRUE);
    while (state_.next_scanline < state_.image_height) {
      const auto* first = image.points().data() + state_.next_scanline * image.width();
      // libjpeg only reads here; its type lacks the const.
      auto* row = reinterpret_cast<JSAMPLE*>(const_cast<Colour*>(first));
      jpeg_write_scanlines(&state_, &row, 1);
    }
    jpeg_finish_compress(&state_);
    return true;
  }

  [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept { return {bytes_, size_}; }
  [[nodiscard]] std::string message() const { return handler_.text; }

 private:
  ErrorHandler handler_;
  jpeg_compress_struct state_{};
  unsigned char* bytes_ = nullptr;
  unsigned long size_ = 0;
};

}  // namespace

bool has_jpeg() noexcept {
  return true;
}

Image read_jpeg(const std::filesystem::path& file, const JpegReadOptions& options) try {
  static_assert(sizeof(Colour) == 3, "libjpeg writes the points as packed red, green, blue");
  const auto bytes = jpeg_bytes(file, "read_jpeg");
  Decoder decoder(bytes, options.tolerates_damage);
  const auto count = decoded_header(decoder, bytes.size(), options.max_points, "read_jpeg", file);
  std::vector<Colour> points(count);
  if (!decoder.read_points(points.data())) {
    fail_for_file("read_jpeg", file, decoder.message());
  }
  const auto size = decoder.size();
  return {std::move(points), static_cast<std::size_t>(size.width),
          static_cast<std::size_t>(size.height)};
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_jpeg");
}

JpegFile::JpegFile(const std::filesystem::path& file, const JpegReadOptions& options) try
    : file_(file),
      bytes_(jpeg_bytes(file, "JpegFile")),
      tolerates_damage_(options.tolerates_damage) {
  Decoder decoder(bytes_, tolerates_damage_);
  (void)decoded_header(decoder, bytes_.size(), options.max_points, "JpegFile", file);
  width_ = static_cast<std::size_t>(decoder.size().width);
  height_ = static_cast<std::size_t>(decoder.size().height);
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("JpegFile");
}

Image JpegFile::part(const JpegPart& part) const try {
  check_part(part, width_, height_);
  const auto squares = touched_squares(part);
  Decoder decoder(bytes_, tolerates_damage_);
  if (!decoder.read_header() || !decoder.start_part(squares)) {
    fail_for_file("JpegFile::part", file_, decoder.message());
  }
  std::vector<Colour> row(decoder.row_points());
  std::vector<Colour> points(squares.height * squares.width);
  if (!decoder.read_part(points.data(), squares, row.data())) {
    fail_for_file("JpegFile::part", file_, decoder.message());
  }
  return {std::move(points), squares.width, squares.height};
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("JpegFile::part");
}

void write_jpeg(const std::filesystem::path& file, const Image& image,
                const JpegWriteOptions& options) try {
  if (image.points().empty() || image.width() > JPEG_MAX_DIMENSION ||
      image.height() > JPEG_MAX_DIMENSION) {
    throw UsageError("write_jpeg", "a picture of " + std::to_string(image.width()) + " by " +
                                       std::to_string(image.height()) +
                                       " points; each side must lie in [1, " +
                                       std::to_string(JPEG_MAX_DIMENSION) + "]");
  }
  if (options.quality < 1 || options.quality > 100) {
    throw UsageError("write_jpeg", "the quality is " + std::to_string(options.quality) +
                                       ", it must lie in [1, 100]");
  }
  Encoder encoder;
  if (!encoder.write(image, options.quality)) {
    throw EnvironmentError("write_jpeg", file.string() + ": " + encoder.message());
  }
  write_file_atomically(file, encoder.bytes(), "write_jpeg");
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("write_jpeg");
}

}  // namespace ddx::io
