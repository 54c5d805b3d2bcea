#include "ddx/core/dtype.h"
#include "ddx/io/gguf_view.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ddx::testing::fuzz_file(data, size, [](const auto& file) {
    const ddx::io::GgufView view(file);
    for (const auto& [name, array] : view.arrays()) {
      if (array.obstacle.empty()) {
        const auto count = static_cast<std::size_t>(array.shape.count());
        ddx::testing::require(view.read(name).bytes.size() == count * ddx::info(array.dtype).bytes,
                              "the bytes of an array do not fit its shape");
      }
      view.drop(name);
    }
  });
}
