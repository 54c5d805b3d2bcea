#include "data/text/detail/word_splitter.h"

#include "ddx/data/text/utf8.h"

#include "data/text/detail/unicode.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ddx::data::detail {
namespace {

enum class Kind : std::uint8_t { Letter, Number, Space, Symbol };

Kind kind_of(const Utf8Character& character) noexcept {
  const auto point = character.code_point;
  if (!character.is_valid) {
    return Kind::Symbol;
  }
  return is_letter(point)        ? Kind::Letter
         : is_number(point)      ? Kind::Number
         : is_white_space(point) ? Kind::Space
                                 : Kind::Symbol;
}

/// Where the run of one kind that begins at `begin` ends, and where its last character begins.
struct Run {
  std::size_t last;
  std::size_t end;
};

Run run_of(std::string_view text, std::size_t begin, Kind kind) noexcept {
  Run run{begin, begin};
  while (run.end < text.size()) {
    const auto character = utf8_character_at(text, run.end);
    if (kind_of(character) != kind) {
      break;
    }
    run.last = run.end;
    run.end += character.bytes;
  }
  return run;
}

/// The length of the English contraction that the text begins with; 0 where it begins with none.
std::size_t contraction(std::string_view text) noexcept {
  for (const std::string_view form : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
    if (text.starts_with(form)) {
      return form.size();
    }
  }
  return 0;
}

}  // namespace

std::string_view first_word(std::string_view text) {
  if (const auto length = contraction(text)) {
    return text.substr(0, length);
  }
  const std::size_t begin = text[0] == ' ' && text.size() > 1 ? 1 : 0;
  const auto kind = kind_of(utf8_character_at(text, begin));
  if (kind != Kind::Space) {
    return text.substr(0, run_of(text, begin, kind).end);
  }
  // The last of several blanks is left to the word that follows them.
  const auto run = run_of(text, 0, Kind::Space);
  const bool is_followed = run.end < text.size() && run.last > 0;
  return text.substr(0, is_followed ? run.last : run.end);
}

}  // namespace ddx::data::detail
