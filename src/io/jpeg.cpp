#include "ddx/io/jpeg.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/image.h"

#include "io/detail/picture_size.h"

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

  [[nodiscard]] detail::PictureSize size() const noexcept {
    return {.width = state_.image_width, .height = state_.image_height};
  }
  [[nodiscard]] std::string message() const { return handler_.text; }

 private:
  std::span<const std::uint8_t> bytes_;
  ErrorHandler handler_;
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct state_{};
};

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
  const auto bytes = read_file(file, "read_jpeg", detail::largest_picture_file);
  const auto fail = [&](const std::string& facts) {
    throw EnvironmentError("read_jpeg", file.string() + ": " + facts);
  };
  if (bytes.empty()) {
    fail("the file is empty");
  }
  Decoder decoder(bytes, options.tolerates_damage);
  if (!decoder.read_header()) {
    fail(decoder.message());
  }
  // Each block of 64 points takes a bit of the first scan or more.
  constexpr std::size_t most_points_per_byte = 64 * 8;
  const auto size = decoder.size();
  const auto count = detail::checked_point_count(size, bytes.size(),
                                                 {.max_points = options.max_points,
                                                  .option = "JpegReadOptions::max_points",
                                                  .points_per_byte = most_points_per_byte},
                                                 "read_jpeg", file);
  std::vector<Colour> points(count);
  if (!decoder.read_points(points.data())) {
    fail(decoder.message());
  }
  return {std::move(points), static_cast<std::size_t>(size.width),
          static_cast<std::size_t>(size.height)};
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_jpeg");
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
