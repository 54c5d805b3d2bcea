/// \file
/// The merges of byte-pair encoding as numbers.

#pragma once

#include "ddx/data/text/vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ddx::data::detail {

/// Which pairs of tokens are merged, and in which order.
class BytePairMerges {
 public:
  /// A pair's rank, and the merged token.
  struct Merge {
    std::uint32_t rank;
    std::int32_t token;
  };

  /// Appends a merge. Returns what is wrong with it, or nothing.
  [[nodiscard]] std::string add(const Vocabulary& vocabulary, const std::string& left,
                                const std::string& right);

  /// Appends a merge of two tokens. Returns the merge that these two have already, or nothing.
  [[nodiscard]] std::optional<Merge> add(std::int32_t left, std::int32_t right,
                                         std::int32_t merged);

  /// The merge of two tokens.
  [[nodiscard]] std::optional<Merge> of(std::int32_t left, std::int32_t right) const;

  /// Merges neighbours until none can be merged: always those of lowest rank, of these the
  /// leftmost.
  ///
  /// Cost:    O(n log n) for n tokens; short words take O(n^2), which is faster for them.
  void apply(std::vector<std::int32_t>& tokens) const;

 private:
  void apply_to_short(std::vector<std::int32_t>& tokens) const;

  std::unordered_map<std::uint64_t, Merge> merges_;
};

}  // namespace ddx::data::detail
