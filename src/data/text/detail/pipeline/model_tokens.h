/// \file
/// The tokens of a model of a tokenizer.json.

#pragma once

#include "data/text/detail/pipeline/settings.h"
#include "data/text/detail/pipeline/token_table.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ddx::data::detail {

/// The object "vocab" of tokens and ids. Refuses an id that two tokens have.
[[nodiscard]] TokenTable read_token_ids(const Settings& settings);

/// What opens or closes a token by its place in a word. Refuses more than 256 bytes.
[[nodiscard]] std::string read_affix(const Settings& settings, std::string_view key,
                                     const std::string& otherwise);

/// The token for what a model does not know. Files may name one that the model lacks and never
/// needs, so it is looked for where it is needed.
class UnknownToken {
 public:
  /// The token of the key "unk_token", which may be absent.
  UnknownToken(const Settings& settings, const TokenTable& tokens);

  /// Whether the file names one.
  [[nodiscard]] bool is_named() const noexcept { return token_.has_value(); }
  /// Its id.
  ///
  /// Throws:  EnvironmentError where the model has no such token; names the word.
  [[nodiscard]] std::int32_t id_for(std::string_view word) const;

 private:
  std::optional<std::string> token_;
  std::optional<std::int32_t> id_;
};

/// The tokens <0x00> to <0xFF> of a model, by byte; none where the model lacks one.
[[nodiscard]] std::array<std::optional<std::int32_t>, 256> byte_token_ids(const TokenTable& tokens);

}  // namespace ddx::data::detail
