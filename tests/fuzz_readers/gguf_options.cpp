// The options of models from the metadata of GGUF files, and the names of their arrays.

#include "ddx/io/gguf_view.h"
#include "ddx/models/text/decoder_options.h"
#include "ddx/models/text/gpt2_options.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>

namespace {

using namespace ddx::models;  // NOLINT(google-build-using-namespace)

/// Reads the options, which are accepted or an EnvironmentError.
template <class Options>
void read_options(const ddx::io::GgufView& file) {
  try {
    const auto options = options_from<Options>(file);
    ddx::testing::require(options.blocks >= 1 && options.blocks <= 10'000, "blocks");
    ddx::testing::require(options.features >= 1 && options.heads >= 1, "extents");
    ddx::testing::require(!gguf_name_rules(options).rules.empty(), "rules");
  } catch (const ddx::EnvironmentError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ddx::testing::fuzz_file(data, size, [](const auto& path) {
    const ddx::io::GgufView file(path);
    read_options<DecoderOptions>(file);
    read_options<GPT2Options>(file);
  });
}
