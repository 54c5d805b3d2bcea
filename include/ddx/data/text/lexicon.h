/// \file
/// Substrings that may be words.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ddx::data {

/// Which substrings a lexicon contains.
struct LexiconOptions {
  std::int64_t shortest = 2;          ///< The fewest characters of a piece.
  std::int64_t longest = 10;          ///< The most.
  std::int64_t least_frequency = 10;  ///< How often it must occur in the sequences.
};

/// The substrings that occur often in sequences of characters, numbered in lexicographic order.
///
/// Source:  K. Kawakami, C. Dyer, P. Blunsom, "Learning to discover, ground and use words with
///          segmental neural language models", ACL 2019.
class Lexicon {
 public:
  /// Counts the substrings of all sequences; overlapping ones count each.
  ///
  /// Throws:  UsageError if a length or the frequency is below 1, or the longest below the
  ///          shortest.
  /// Cost:    the number of characters times the number of lengths.
  explicit Lexicon(const std::vector<std::vector<std::int32_t>>& sequences,
                   const LexiconOptions& options = {});

  /// The number of pieces.
  [[nodiscard]] std::int64_t size() const noexcept {
    return static_cast<std::int64_t>(ids_.size());
  }
  /// The number of a piece; none if it is not in the lexicon.
  [[nodiscard]] std::optional<std::int32_t> id(const std::vector<std::int32_t>& piece) const;
  /// The pieces with their numbers.
  [[nodiscard]] const std::map<std::vector<std::int32_t>, std::int32_t>& pieces() const noexcept {
    return ids_;
  }

 private:
  std::map<std::vector<std::int32_t>, std::int32_t> ids_;
};

}  // namespace ddx::data
