#include "ddx/data/text/tokenizer.h"
#include "ddx/data/text/utf8.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>
#include <string>

// What can be read also encodes and decodes, or says why not.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string texts[] = {
      "It's a b  t\u00E9xt\u0301, \u4F60\u597D <s>[CLS]\r\n\U0001F389 12345 "
      "\u2581aaaaaaaaaaaaaaaaaaaaaaaa",
      std::string("\xFF\xC3\x00", 3), "", std::string(300, 'a')};
  return ddx::testing::fuzz_file(data, size, [](const auto& file) {
    const auto tokenizer = ddx::data::read_tokenizer(file, {.max_bytes = 64 << 20});
    for (const auto& text : texts) {
      const auto encoded = tokenizer.encode(text);
      ddx::testing::require(encoded.ids.size() == encoded.segments.size(), "a segment for each id");
      ddx::testing::require(ddx::data::is_utf8(tokenizer.decode(encoded.ids)), "a text is UTF-8");
      (void)tokenizer.encode(text, texts[0], {.limit = {.max_length = 1 << 20}});
    }
  });
}
