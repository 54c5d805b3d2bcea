#include "ddx/data/sets/segmented_text.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/data/detail/lines.h"
#include "ddx/data/text/utf8.h"

#include <filesystem>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {

std::vector<SegmentedText> read_segmented_text(const std::filesystem::path& file) try {
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
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_segmented_text");
}

SegmentedTexts read_segmented_texts(const std::filesystem::path& folder) try {
  return {.training = read_segmented_text(folder / "tr.txt"),
          .validation = read_segmented_text(folder / "va.txt"),
          .test = read_segmented_text(folder / "te.txt")};
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_segmented_texts");
}

}  // namespace ddx::data
