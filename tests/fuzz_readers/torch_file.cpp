// An input is a byte and, where it is 0, a whole file, else the pickle of a file with the storages
// 0, 1 and 2 of 4, 16 and 96 bytes.

#include "ddx/io/torch_file.h"

#include "ddx/core/dtype.h"
#include "ddx/io/stored_view.h"

#include "io/detail/torch/torch_archive.h"
#include "tests/fuzz_readers/harness.h"
#include "tests/support/stored_zip.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace {

void read_tensors(const std::filesystem::path& file) {
  const ddx::io::detail::TorchArchive archive(file, {});
  for (const auto& [name, array] : ddx::io::read_torch(file)) {
    ddx::testing::require(
        archive.with(name, [](const auto& view) { return ddx::io::copy_of(view); }) == array,
        "an array that is read alone differs");
    const auto count = static_cast<std::size_t>(array.shape.count());
    ddx::testing::require(
        !array.obstacle.empty() || array.bytes.size() == count * ddx::info(array.dtype).bytes,
        "the bytes of an array do not fit its shape");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  if (data[0] == 0) {
    return ddx::testing::fuzz_file(data + 1, size - 1, read_tensors);
  }
  const auto file =
      ddx::testing::stored_zip({{"a/data.pkl", std::vector<std::uint8_t>(data + 1, data + size)},
                                {"a/data/0", std::vector<std::uint8_t>(4)},
                                {"a/data/1", std::vector<std::uint8_t>(16)},
                                {"a/data/2", std::vector<std::uint8_t>(96)}});
  return ddx::testing::fuzz_file(file.data(), file.size(), read_tensors);
}
