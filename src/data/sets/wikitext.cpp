#include "ddx/data/sets/wikitext.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/file.h"
#include "ddx/data/detail/lines.h"

#include <cstddef>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data {
namespace {

constexpr auto wikitext_operation = "read_wikitext";

/// Where a text stops being UTF-8; npos where it does not. Overlong forms and surrogates are left
/// to those who interpret the text: this is to tell text from other files.
std::size_t find_foreign_byte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t more = byte < 0x80                   ? 0
                             : byte >= 0xC2 && byte < 0xE0 ? 1
                             : byte >= 0xE0 && byte < 0xF0 ? 2
                             : byte >= 0xF0 && byte < 0xF5 ? 3
                                                           : text.size();
    if (byte == 0 || more >= text.size() - i) {
      return i;
    }
    for (std::size_t k = 1; k <= more; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0U) != 0x80U) {
        return i;
      }
    }
    i += more + 1;
  }
  return std::string_view::npos;
}

std::filesystem::path find(const std::filesystem::path& folder, const std::string& part) {
  const auto raw = folder / ("wiki." + part + ".raw");
  const auto tokens = folder / ("wiki." + part + ".tokens");
  return !file_exists(tokens, wikitext_operation) && file_exists(raw, wikitext_operation) ? raw
                                                                                          : tokens;
}

}  // namespace

std::vector<std::string> read_wikitext_file(const std::filesystem::path& file) try {
  detail::Lines lines(file, wikitext_operation);
  std::vector<std::string> words;
  while (lines.next()) {
    const auto foreign = find_foreign_byte(lines.text());
    if (foreign != std::string_view::npos) {
      lines.fail("byte " + std::to_string(foreign + 1) + " of the line is no text in UTF-8");
    }
    const auto found = detail::split_words(lines.text());
    words.insert(words.end(), found.begin(), found.end());
    if (!found.empty()) {
      words.emplace_back(end_of_line_word);
    }
  }
  return words;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_wikitext_file");
}

WikiText read_wikitext(const std::filesystem::path& folder) try {
  return {.training = read_wikitext_file(find(folder, "train")),
          .validation = read_wikitext_file(find(folder, "valid")),
          .test = read_wikitext_file(find(folder, "test"))};
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_wikitext");
}

}  // namespace ddx::data
