/// \file
/// The replacements of a SentencePiece model.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

/// A table of texts and their replacements, as SentencePiece stores it: a double-array trie of
/// Darts-clone, and the replacements.
///
/// Source:  S. Yata, "Darts-clone" (https://github.com/s-yata/darts-clone).
class ReplacementTable {
 public:
  /// The replacement of a prefix of a text, and the length of that prefix.
  struct Match {
    std::size_t bytes = 0;
    std::string_view replacement;
  };

  ReplacementTable() = default;  ///< Replaces nothing.

  /// Validates everything that a lookup may access.
  ///
  /// Throws:  UsageError if the bytes are no such table; `operation` opens the message.
  ReplacementTable(std::span<const std::uint8_t> bytes, const std::string& operation);

  /// The longest text of the table that is a prefix of `text`.
  [[nodiscard]] std::optional<Match> longest_match(std::string_view text) const noexcept;

  /// The shortest one.
  [[nodiscard]] std::optional<Match> shortest_match(std::string_view text) const noexcept;

 private:
  [[nodiscard]] std::optional<Match> match(std::string_view text, bool is_shortest) const noexcept;
  /// The child of the node of `base`; none if there is none.
  [[nodiscard]] std::optional<std::size_t> child(std::size_t base,
                                                 std::uint8_t byte) const noexcept;
  void check_nodes(const std::string& operation) const;

  std::vector<std::uint32_t> units_;
  std::string replacements_;  ///< Each terminated by a zero byte.
};

}  // namespace ddx::data::detail
