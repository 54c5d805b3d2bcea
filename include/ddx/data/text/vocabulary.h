/// \file
/// The tokens of a tokenizer.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ddx::data {

/// A list of different tokens. The id of a token is its index in the list.
class Vocabulary {
 public:
  Vocabulary() = default;  ///< No token.

  /// Throws:  UsageError if a token stands in the list twice.
  explicit Vocabulary(std::vector<std::string> tokens);

  /// The number of tokens.
  [[nodiscard]] std::int64_t size() const noexcept {
    return static_cast<std::int64_t>(tokens_.size());
  }

  /// The tokens, in the order of their ids.
  [[nodiscard]] const std::vector<std::string>& tokens() const noexcept { return tokens_; }

  /// The id of a token; none if it is unknown.
  [[nodiscard]] std::optional<std::int32_t> id(std::string_view token) const;

  /// The id of a token named by an option.
  ///
  /// Throws:  UsageError if it is not known; `operation` opens the message, `role` says what the
  ///          token is for.
  [[nodiscard]] std::int32_t required_id(std::string_view token, const std::string& operation,
                                         const std::string& role) const;

  /// The token of an id.
  ///
  /// Throws:  UsageError if the id does not lie in [0, size()); `operation` opens the message.
  [[nodiscard]] const std::string& token(std::int32_t id,
                                         const std::string& operation = "Vocabulary") const;

  /// Appends a token, which gets the next id.
  ///
  /// Throws:  UsageError if it is there already.
  void add(std::string token);

  friend bool operator==(const Vocabulary& a, const Vocabulary& b) noexcept {
    return a.tokens_ == b.tokens_;
  }

 private:
  /// Lets a lookup take a view.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::vector<std::string> tokens_;
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> ids_;
};

}  // namespace ddx::data
