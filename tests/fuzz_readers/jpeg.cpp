#include "ddx/io/jpeg.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const bool tolerates_damage : {false, true}) {
    ddx::testing::fuzz_file(data, size, [&](const auto& file) {
      (void)ddx::io::read_jpeg(file, {.tolerates_damage = tolerates_damage});
    });
    // The middle of the picture, at each reduction.
    ddx::testing::fuzz_file(data, size, [&](const auto& file) {
      const ddx::io::JpegFile jpeg(file, {.tolerates_damage = tolerates_damage});
      for (const std::size_t reduction : {1U, 2U, 4U, 8U}) {
        (void)jpeg.part({.top = jpeg.height() / 4,
                         .left = jpeg.width() / 4,
                         .height = (jpeg.height() + 1) / 2,
                         .width = (jpeg.width() + 1) / 2,
                         .reduction = reduction});
      }
    });
  }
  return 0;
}
