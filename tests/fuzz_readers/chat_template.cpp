#include "ddx/data/text/chat_template.h"

#include "ddx/core/error.h"
#include "ddx/data/text/utf8.h"

#include "tests/fuzz_readers/harness.h"

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string_view>
#include <vector>

// What is a template also writes a conversation, or says why not.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using ddx::data::ChatMessage;
  static const std::vector<ChatMessage> messages{
      {.role = "system", .content = " Be brief. "},
      {.role = "user", .content = "t\u00E9xt \u4F60 <b>"},
      {.role = "assistant",
       .content = "",
       .members = R"({"tool_calls": [{"name": "f", "arguments": {"a": [1, 2.5, null, true]}}]})"}};
  try {
    const ddx::data::ChatTemplate chat({reinterpret_cast<const char*>(data), size},
                                       {{"bos_token", "<s>"}, {"eos_token", "</s>"}});
    for (const auto& some : {messages, std::vector<ChatMessage>()}) {
      try {
        const auto text = chat.apply(some, {.variables = R"({"tools": [{"name": "f"}]})",
                                            .now = std::tm{},
                                            .max_steps = 100000,
                                            .max_bytes = 1 << 24});
        ddx::testing::require(ddx::data::is_utf8(text), "a text is UTF-8");
      } catch (const ddx::UsageError&) {
      }
    }
  } catch (const ddx::EnvironmentError&) {
  }
  return 0;
}
