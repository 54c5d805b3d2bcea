#include "ddx/data/text/detail/prefix_tree.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ddx::data::detail {

PrefixTree::PrefixTree() : numbers_{std::nullopt} {}

void PrefixTree::add(std::string_view text, std::int32_t number) {
  std::size_t node = 0;
  for (const char byte : text) {
    const auto [place, is_new] = children_.emplace(key(node, byte), numbers_.size());
    if (is_new) {
      numbers_.push_back(std::nullopt);
    }
    node = place->second;
  }
  numbers_[node] = number;
}

}  // namespace ddx::data::detail
