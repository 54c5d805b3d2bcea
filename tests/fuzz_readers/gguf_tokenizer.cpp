#include "ddx/data/text/tokenizer.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ddx::testing::fuzz_named_file("a.gguf", data, size, [](const auto& file) {
    const auto tokenizer = ddx::data::read_tokenizer(file);
    const auto encoded = tokenizer.encode("Some text 12 <s>\n\t b.");
    (void)tokenizer.decode(encoded.ids);
  });
}
