// An input is: a byte whose lowest bit says whether checksums are compared, two with the length of
// the index, the index, the data.

#include "ddx/io/tensor_bundle.h"

#include "ddx/core/error.h"

#include "tests/fuzz_readers/harness.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace {

/// A bundle whose two files are in memory.
class FuzzedBundle {
 public:
  [[nodiscard]] std::filesystem::path holding(const std::uint8_t* index, std::size_t index_size,
                                              const std::uint8_t* data, std::size_t data_size) {
    const auto index_file = index_.holding(index, index_size);
    const auto data_file = data_.holding(data, data_size);
    const auto prefix = folder_.path() / "a";
    if (!linked_) {
      std::filesystem::create_symlink(index_file, prefix.string() + ".index");
      std::filesystem::create_symlink(data_file, prefix.string() + ".data-00000-of-00001");
      linked_ = true;
    }
    return prefix;
  }

 private:
  ddx::testing::TemporaryFolder folder_;
  ddx::testing::FuzzedFile index_;
  ddx::testing::FuzzedFile data_;
  bool linked_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t head = 3;
  if (size < head) {
    return 0;
  }
  const auto length =
      std::min<std::size_t>(static_cast<std::size_t>(data[1] | data[2] << 8), size - head);
  static FuzzedBundle files;
  try {
    const ddx::io::TensorBundle bundle(
        files.holding(data + head, length, data + head + length, size - head - length),
        {.verify_checksums = (data[0] & 1) != 0});
    (void)bundle.read_all();
  } catch (const ddx::EnvironmentError&) {
  }
  return 0;
}
