#include "ddx/data/detail/gzip.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ddx::testing::fuzz_file(data, size, [](const auto& file) {
    (void)ddx::data::detail::read_maybe_compressed(file, "fuzz", {.max_bytes = 1 << 24});
  });
}
