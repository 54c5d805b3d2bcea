#include "ddx/io/jpeg.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const bool tolerates_damage : {false, true}) {
    ddx::testing::fuzz_file(data, size, [&](const auto& file) {
      (void)ddx::io::read_jpeg(file, {.tolerates_damage = tolerates_damage});
    });
  }
  return 0;
}
