/// \file
/// The characters of texts as numbers.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data {

/// The characters of some texts, each with an id, and three ids that are not characters.
class Alphabet {
 public:
  /// The characters of these texts; ids count from 0 by code point. The end of a text, the end of a
  /// word and padding follow them.
  ///
  /// Throws:  UsageError if a text is not UTF-8.
  explicit Alphabet(const std::vector<std::string>& texts);

  /// The number of ids.
  [[nodiscard]] std::int32_t size() const noexcept { return padding() + 1; }
  [[nodiscard]] std::int32_t end_of_text() const noexcept {
    return static_cast<std::int32_t>(characters_.size());
  }
  [[nodiscard]] std::int32_t end_of_word() const noexcept { return end_of_text() + 1; }
  [[nodiscard]] std::int32_t padding() const noexcept { return end_of_text() + 2; }

  /// The id of a character; none if it is not in the alphabet.
  [[nodiscard]] std::optional<std::int32_t> id(char32_t character) const;

  /// The ids of the characters of a text, and the end of the text.
  ///
  /// Throws:  UsageError if the text is not UTF-8 or has a character that is not in the alphabet;
  ///          names it.
  [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text) const;

  /// The characters of these ids. Ends and padding have none.
  ///
  /// Throws:  UsageError if an id does not lie in [0, size()).
  [[nodiscard]] std::string decode(const std::vector<std::int32_t>& ids) const;

 private:
  std::u32string characters_;  // Sorted.
};

}  // namespace ddx::data
