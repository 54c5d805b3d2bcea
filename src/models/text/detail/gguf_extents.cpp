#include "models/text/detail/gguf_extents.h"

#include "ddx/core/shape.h"

#include "models/pretrained/detail/gguf_settings.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ddx::models::detail {

std::int64_t gguf_extent(GgufSettings& settings, std::string_view key, std::int64_t most) {
  const std::int64_t extent = settings.integer(key);
  if (extent < 1 || extent > most) {
    settings.refuse(key, "1 to " + std::to_string(most));
  }
  return extent;
}

std::int64_t gguf_vocabulary(GgufSettings& settings) {
  constexpr const char* name = "token_embd.weight";
  const auto found = settings.file().arrays().find(name);
  if (found == settings.file().arrays().end() || found->second.shape.rank() != 2 ||
      found->second.shape.is_empty()) {
    settings.fail(std::string("has no matrix ") + name + ", of a row for each token");
  }
  const std::int64_t tokens = found->second.shape[0];
  if (settings.integer("vocab_size", tokens) != tokens) {
    settings.refuse("vocab_size", std::to_string(tokens) + ", the rows of " + name);
  }
  return tokens;
}

}  // namespace ddx::models::detail
