#include "ddx/data/text/sentence_piece_model.h"

#include "ddx/core/error.h"
#include "ddx/data/text/sentence_piece_tokenizer.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>
#include <string>

// What can be read is a tokenizer or refused as one; a tokenizer encodes and decodes any text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ddx::testing::fuzz_file(data, size, [&](const auto& file) {
    const auto model = ddx::data::read_sentence_piece_model(file);
    try {
      const ddx::data::SentencePieceTokenizer tokenizer(model);
      // The model's own bytes are a text that holds its pieces.
      const std::string text(reinterpret_cast<const char*>(data), size);
      (void)tokenizer.decode(tokenizer.encode(text));
    } catch (const ddx::UsageError&) {
    }
  });
}
