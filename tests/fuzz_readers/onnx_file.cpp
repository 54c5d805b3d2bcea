#include "ddx/io/onnx_file.h"

#include "ddx/core/dtype.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ddx::testing::fuzz_file(data, size, [](const auto& file) {
    for (const auto& [name, array] : ddx::io::read_onnx(file)) {
      const auto count = static_cast<std::size_t>(array.shape.count());
      ddx::testing::require(
          !array.obstacle.empty() || array.bytes.size() == count * ddx::info(array.dtype).bytes,
          "the bytes of an array do not fit its shape");
    }
  });
}
