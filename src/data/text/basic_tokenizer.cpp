#include "ddx/data/text/basic_tokenizer.h"

#include "ddx/data/text/utf8.h"

#include "data/text/detail/unicode.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data {
namespace {

/// White space as BERT sees it; the other controls of the property White_Space vanish.
bool is_blank(char32_t point) noexcept {
  return point == '\t' || point == '\n' || point == '\r' ||
         (detail::is_white_space(point) && !detail::is_control(point));
}

bool is_dropped(char32_t point) noexcept {
  return point == replacement_character || (detail::is_control(point) && !is_blank(point));
}

bool is_word_by_itself(char32_t point) noexcept {
  const bool is_ascii_symbol = (point >= 33 && point <= 47) || (point >= 58 && point <= 64) ||
                               (point >= 91 && point <= 96) || (point >= 123 && point <= 126);
  return is_ascii_symbol || detail::is_punctuation(point);
}

/// The blocks of CJK ideographs. Kana and Hangul are written with spaces or cut by the vocabulary.
bool is_chinese(char32_t point) noexcept {
  struct Block {
    char32_t first;
    char32_t last;
  };
  constexpr Block blocks[] = {{0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xF900, 0xFAFF},
                              {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F}, {0x2B740, 0x2B81F},
                              {0x2B820, 0x2CEAF}, {0x2F800, 0x2FA1F}};
  return std::any_of(std::begin(blocks), std::end(blocks), [&](const Block& block) {
    return point >= block.first && point <= block.last;
  });
}

}  // namespace

std::u32string BasicTokenizer::normalized(std::string_view text) const {
  std::u32string points;
  for (const auto point : code_points(text)) {
    if (is_blank(point)) {
      points.push_back(' ');
    } else if (options_.split_chinese && is_chinese(point)) {
      points += {U' ', point, U' '};
    } else if (!is_dropped(point)) {
      points.push_back(point);
    }
  }
  if (options_.strip_accents.value_or(options_.lower_case)) {
    points = detail::canonical_decomposition(points);
    std::erase_if(points, [](char32_t point) {
      return detail::general_category(point) == detail::GeneralCategory::Mn;
    });
  }
  return options_.lower_case ? detail::lower_case(points) : points;
}

std::vector<std::string> BasicTokenizer::words(std::string_view text) const {
  std::vector<std::string> words;
  bool is_inside = false;  // The last word can grow.
  for (const auto point : normalized(text)) {
    if (detail::is_white_space(point)) {
      is_inside = false;
      continue;
    }
    const bool is_alone = is_word_by_itself(point);
    if (!is_inside || is_alone) {
      words.emplace_back();
    }
    append_utf8(words.back(), point);
    is_inside = !is_alone;
  }
  return words;
}

}  // namespace ddx::data
