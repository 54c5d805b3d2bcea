// An input is the index of a folder with the files "one" (arrays a and b) and "two" (array c).

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/weight_files.h"

#include "tests/fuzz_readers/harness.h"
#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace {

namespace io = ddx::io;

class FuzzedIndex {
 public:
  FuzzedIndex() {
    const io::StoredTensor array{ddx::DType::u8, ddx::Shape{2}, {1, 2}};
    io::write_safetensors(folder_.path() / "one",
                          {.tensors = {{"a", array}, {"b", array}}, .metadata = {}});
    io::write_safetensors(folder_.path() / "two", {.tensors = {{"c", array}}, .metadata = {}});
  }

  [[nodiscard]] std::filesystem::path holding(const std::uint8_t* data, std::size_t size) {
    const auto file = index_.holding(data, size);
    const auto name = folder_.path() / "index.json";
    if (!linked_) {
      std::filesystem::create_symlink(file, name);
      linked_ = true;
    }
    return name;
  }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  ddx::testing::TemporaryFolder folder_;
  ddx::testing::FuzzedFile index_;
  bool linked_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static FuzzedIndex index;
  try {
    const io::WeightFiles weights(index.holding(data, size));
    for (const auto& [name, array] : weights.arrays()) {
      ddx::testing::require(weights.read(name).bytes.size() == 2, "an array has other bytes");
    }
    for (const auto& file : weights.files()) {
      ddx::testing::require(file == index.folder() / "one" || file == index.folder() / "two",
                            "a file outside the folder was read");
    }
    ddx::testing::require(weights.arrays().size() != 1 || weights.files().size() == 1,
                          "an array of a file is not listed");
  } catch (const ddx::EnvironmentError&) {
  }
  return 0;
}
