#include "ddx/data/text/byte_pair_encoder.h"
#include "ddx/data/text/byte_pair_model.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

// Merges over a recorded vocabulary: what can be read, encodes and decodes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto vocabulary =
      std::filesystem::path(DDX_GOLDENS) / "text" / "byte_pairs" / "vocab.json";
  return ddx::testing::fuzz_file(data, size, [](const auto& file) {
    const ddx::data::BytePairEncoder encoder(ddx::data::read_byte_pair_model(vocabulary, file));
    const std::string text = "the gradient of the tokenizer's values";
    ddx::testing::require(encoder.decode(encoder.encode(text)) == text, "the text comes back");
  });
}
