#include "data/text/detail/bert_text.h"

#include "ddx/data/text/utf8.h"

#include "data/text/detail/unicode.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace ddx::data::detail {
namespace {

/// White space as BERT sees it; the other controls of the property White_Space vanish.
bool is_blank(char32_t point) noexcept {
  return point == '\t' || point == '\n' || point == '\r' ||
         (is_white_space(point) && !is_control(point));
}

bool is_dropped(char32_t point) noexcept {
  return point == replacement_character || (is_control(point) && !is_blank(point));
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

std::u32string bert_normalized(std::u32string_view text, const BertNormalization& steps) {
  std::u32string points;
  for (const auto point : text) {
    if (steps.cleans && is_blank(point)) {
      points.push_back(' ');
    } else if (steps.splits_chinese && is_chinese(point)) {
      points += {U' ', point, U' '};
    } else if (!steps.cleans || !is_dropped(point)) {
      points.push_back(point);
    }
  }
  if (steps.strips_accents) {
    points = canonical_decomposition(points);
    std::erase_if(points,
                  [](char32_t point) { return general_category(point) == GeneralCategory::Mn; });
  }
  return steps.lowers_case ? lower_case(points) : points;
}

bool is_bert_punctuation(char32_t point) noexcept {
  const bool is_ascii_symbol = (point >= 33 && point <= 47) || (point >= 58 && point <= 64) ||
                               (point >= 91 && point <= 96) || (point >= 123 && point <= 126);
  return is_ascii_symbol || is_punctuation(point);
}

}  // namespace ddx::data::detail
