#include "data/text/detail/pipeline/model_tokens.h"

#include "ddx/core/error.h"

#include "data/text/detail/byte_tokens.h"
#include "data/text/detail/pipeline/settings.h"
#include "data/text/detail/pipeline/token_table.h"
#include "data/text/detail/quoted.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace ddx::data::detail {

TokenTable read_token_ids(const Settings& settings) {
  const auto* const vocabulary = settings.at("vocab").object();
  if (vocabulary == nullptr) {
    settings.fail("vocab", "an object of tokens and ids is expected");
  }
  TokenTable tokens;
  for (const auto& [token, value] : *vocabulary) {
    const auto id = value.integer();
    if (!id || *id < 0 || *id > std::numeric_limits<std::int32_t>::max()) {
      constexpr std::size_t longest_shown = 100;
      settings.fail("vocab",
                    "token " + in_quotes(token) + " has the id " + value.shown(longest_shown));
    }
    if (const auto* const other = tokens.add(token, static_cast<std::int32_t>(*id))) {
      settings.fail("vocab", "tokens " + in_quotes(*other) + " and " + in_quotes(token) +
                                 " have the id " + std::to_string(*id));
    }
  }
  return tokens;
}

std::string read_affix(const Settings& settings, std::string_view key,
                       const std::string& otherwise) {
  constexpr std::size_t longest_affix = 256;
  auto affix = settings.text(key, otherwise);
  if (affix.size() > longest_affix) {
    settings.fail_unsupported(key);
  }
  return affix;
}

UnknownToken::UnknownToken(const Settings& settings, const TokenTable& tokens) {
  if (settings.find("unk_token") != nullptr) {
    token_ = settings.text("unk_token");
    id_ = tokens.id(*token_);
  }
}

std::int32_t UnknownToken::id_for(std::string_view word) const {
  if (!id_) {
    throw EnvironmentError("Tokenizer", in_quotes(word) +
                                            " is no token, and the model lacks its unknown token " +
                                            (token_ ? in_quotes(*token_) : "null"));
  }
  return *id_;
}

std::array<std::optional<std::int32_t>, 256> byte_token_ids(const TokenTable& tokens) {
  std::array<std::optional<std::int32_t>, 256> ids;
  for (std::size_t byte = 0; byte < ids.size(); ++byte) {
    ids[byte] = tokens.id(byte_token(static_cast<std::uint8_t>(byte)));
  }
  return ids;
}

}  // namespace ddx::data::detail
