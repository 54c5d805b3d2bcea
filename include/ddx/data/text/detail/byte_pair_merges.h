/// \file
/// The merges of byte-pair encoding as numbers.

#pragma once

#include "ddx/data/text/vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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

  /// A pair of tokens and its merge, or an empty place.
  struct Entry {
    std::uint64_t key;
    Merge merge;
  };

  [[nodiscard]] std::size_t place_of(std::uint64_t key) const noexcept;
  void grow();

  /// A hash table with a power of two of places, at most half of them taken, which a search goes
  /// through in order: it reads one cache line where std::unordered_map reads three.
  std::vector<Entry> entries_;
  std::uint32_t count_ = 0;
};

}  // namespace ddx::data::detail
