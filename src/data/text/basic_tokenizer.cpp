#include "ddx/data/text/basic_tokenizer.h"

#include "ddx/data/text/utf8.h"

#include "data/text/detail/bert_text.h"
#include "data/text/detail/unicode.h"

#include <string>
#include <string_view>
#include <vector>

namespace ddx::data {

std::vector<std::string> BasicTokenizer::words(std::string_view text) const {
  const auto normalized = detail::bert_normalized(
      code_points(text), {.splits_chinese = options_.split_chinese,
                          .strips_accents = options_.strip_accents.value_or(options_.lower_case),
                          .lowers_case = options_.lower_case});
  std::vector<std::string> words;
  bool is_inside = false;  // The last word can grow.
  for (const auto point : normalized) {
    if (detail::is_white_space(point)) {
      is_inside = false;
      continue;
    }
    const bool is_alone = detail::is_bert_punctuation(point);
    if (!is_inside || is_alone) {
      words.emplace_back();
    }
    append_utf8(words.back(), point);
    is_inside = !is_alone;
  }
  return words;
}

}  // namespace ddx::data
