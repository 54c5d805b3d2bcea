/// \file
/// Tokens and their ids, in any order.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ddx::data::detail {

/// Tokens with ids that need not be dense.
class TokenTable {
 public:
  /// Adds a token that is new. Returns the token that has this id already, or null.
  [[nodiscard]] const std::string* add(const std::string& token, std::int32_t id);

  /// The id of a token.
  [[nodiscard]] std::optional<std::int32_t> id(std::string_view token) const;

  /// The token of an id; null where there is none.
  [[nodiscard]] const std::string* token(std::int32_t id) const;

  /// The number of ids.
  [[nodiscard]] std::size_t size() const noexcept { return tokens_.size(); }
  /// The length of the longest token in bytes.
  [[nodiscard]] std::size_t longest() const noexcept { return longest_; }

 private:
  /// Lets a lookup take a view.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> ids_;
  std::unordered_map<std::int32_t, std::string> tokens_;
  std::size_t longest_ = 0;
};

}  // namespace ddx::data::detail
