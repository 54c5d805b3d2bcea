#include "ddx/data/text/detail/token_finder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ddx::data::detail {

void TokenFinder::add(std::string_view text, std::int32_t number) {
  const auto known = next(text, 0);
  if (!known || known->begin != 0 || known->end != text.size()) {
    tree_.add(text, number);
    is_first_byte_[static_cast<std::uint8_t>(text[0])] = true;
  }
}

std::optional<TokenFinder::Match> TokenFinder::next(std::string_view text, std::size_t from) const {
  for (std::size_t begin = from; begin < text.size(); ++begin) {
    if (!is_first_byte_[static_cast<std::uint8_t>(text[begin])]) {
      continue;
    }
    std::optional<Match> longest;
    tree_.for_each_prefix(text.substr(begin), [&](std::size_t length, std::int32_t number) {
      longest = Match{begin, begin + length, number};
    });
    if (longest) {
      return longest;
    }
  }
  return std::nullopt;
}

}  // namespace ddx::data::detail
