/// \file
/// Finds the prefixes of a text in a set of texts.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ddx::data::detail {

/// Texts with a number each, by their bytes.
class PrefixTree {
 public:
  PrefixTree();

  /// Adds a text; an existing one gets the new number.
  void add(std::string_view text, std::int32_t number);

  /// Calls `visit(length, number)` for each text of the tree that is a prefix of `text`, from the
  /// shortest.
  ///
  /// Cost:    linear in the longest of them.
  template <class Visit>
  void for_each_prefix(std::string_view text, const Visit& visit) const {
    std::size_t node = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto found = children_.find(key(node, text[i]));
      if (found == children_.end()) {
        return;
      }
      node = found->second;
      if (numbers_[node]) {
        visit(i + 1, *numbers_[node]);
      }
    }
  }

 private:
  static std::uint64_t key(std::size_t node, char byte) noexcept {
    return std::uint64_t{node} << 8 | static_cast<std::uint8_t>(byte);
  }

  std::unordered_map<std::uint64_t, std::size_t> children_;
  std::vector<std::optional<std::int32_t>> numbers_;  ///< By node.
};

}  // namespace ddx::data::detail
