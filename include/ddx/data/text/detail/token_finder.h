/// \file
/// Finds texts of a set in another text.

#pragma once

#include "ddx/data/text/detail/prefix_tree.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ddx::data::detail {

/// Finds texts, each with a number, in another text: the leftmost, of these the longest.
class TokenFinder {
 public:
  /// Where a text was found.
  struct Match {
    std::size_t begin;
    std::size_t end;
    std::int32_t number;
  };

  /// Adds a text that is not empty. One that is there already keeps its number.
  void add(std::string_view text, std::int32_t number);

  /// The first match that begins at `from` or behind it.
  ///
  /// Cost:    linear in the text, times the longest text of the set in the worst case.
  [[nodiscard]] std::optional<Match> next(std::string_view text, std::size_t from) const;

 private:
  PrefixTree tree_;
  std::array<bool, 256> is_first_byte_{};
};

}  // namespace ddx::data::detail
