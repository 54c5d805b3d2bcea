#include "ddx/data/text/alphabet.h"

#include "ddx/core/error.h"
#include "ddx/data/text/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data {
namespace {

std::u32string checked_code_points(std::string_view text) {
  if (!is_utf8(text)) {
    throw UsageError("Alphabet", "a text is not UTF-8");
  }
  return code_points(text);
}

}  // namespace

Alphabet::Alphabet(const std::vector<std::string>& texts) {
  std::set<char32_t> found;
  for (const auto& text : texts) {
    const auto characters = checked_code_points(text);
    found.insert(characters.begin(), characters.end());
  }
  characters_.assign(found.begin(), found.end());
}

std::optional<std::int32_t> Alphabet::id(char32_t character) const {
  const auto found = std::lower_bound(characters_.begin(), characters_.end(), character);
  if (found == characters_.end() || *found != character) {
    return std::nullopt;
  }
  return static_cast<std::int32_t>(found - characters_.begin());
}

std::vector<std::int32_t> Alphabet::encode(std::string_view text) const {
  std::vector<std::int32_t> ids;
  for (const auto character : checked_code_points(text)) {
    const auto number = id(character);
    if (!number) {
      throw UsageError("Alphabet", "the character \"" + to_utf8(std::u32string(1, character)) +
                                       "\" is not in the alphabet");
    }
    ids.push_back(*number);
  }
  ids.push_back(end_of_text());
  return ids;
}

std::string Alphabet::decode(const std::vector<std::int32_t>& ids) const {
  std::string text;
  for (const auto number : ids) {
    if (number < 0 || number >= size()) {
      throw UsageError("Alphabet", "id " + std::to_string(number) + " does not lie in [0, " +
                                       std::to_string(size()) + ")");
    }
    if (number < end_of_text()) {
      append_utf8(text, characters_[static_cast<std::size_t>(number)]);
    }
  }
  return text;
}

}  // namespace ddx::data
