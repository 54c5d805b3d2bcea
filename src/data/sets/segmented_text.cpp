#include "ddx/data/sets/segmented_text.h"

#include "ddx/data/detail/lines.h"
#include "ddx/data/text/utf8.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {

std::vector<SegmentedText> read_segmented_text(const std::filesystem::path& file) {
  detail::Lines lines(file, "read_segmented_text");
  std::vector<SegmentedText> texts;
  while (lines.next()) {
    if (!is_utf8(lines.text())) {
      lines.fail("is not UTF-8");
    }
    SegmentedText text;
    for (const auto word : detail::split_words(lines.text())) {
      text.text += word;
      text.words.emplace_back(word);
    }
    if (!text.words.empty()) {
      texts.push_back(std::move(text));
    }
  }
  return texts;
}

SegmentedTexts read_segmented_texts(const std::filesystem::path& folder) {
  return {.training = read_segmented_text(folder / "tr.txt"),
          .validation = read_segmented_text(folder / "va.txt"),
          .test = read_segmented_text(folder / "te.txt")};
}

}  // namespace ddx::data
