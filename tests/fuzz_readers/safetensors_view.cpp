// A mapped file is accepted where a file that is read is, and gives the same.

#include "ddx/io/safetensors_view.h"

#include "ddx/core/error.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/stored_tensor.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace {

namespace io = ddx::io;

std::optional<io::TensorFile> read_at_once(const std::filesystem::path& file) {
  try {
    return io::read_safetensors(file);
  } catch (const ddx::EnvironmentError&) {
    return std::nullopt;
  }
}

std::optional<io::TensorFile> read_one_by_one(const std::filesystem::path& file) {
  try {
    const io::SafetensorsView view(file, {.checksum = io::ChecksumUse::IfPresent});
    io::TensorFile content{.tensors = {}, .metadata = view.metadata()};
    for (const auto& [name, array] : view.arrays()) {
      content.tensors[name] = view.read(name);
      view.drop(name);
    }
    return content;
  } catch (const ddx::EnvironmentError&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ddx::testing::fuzz_file(data, size, [](const auto& file) {
    ddx::testing::require(read_at_once(file) == read_one_by_one(file),
                          "the two readers of safetensors files differ");
  });
}
