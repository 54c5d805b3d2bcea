/// \file
/// The WikiText sets: articles as plain text.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ddx::data {

/// The words of a language model's data, in their order.
struct WikiText {
  std::vector<std::string> training;
  std::vector<std::string> validation;
  std::vector<std::string> test;
};

/// Marks the end of each line among the words.
inline constexpr const char* end_of_line_word = "<eos>";

/// Reads the words of one file: those of each nonempty line, then `<eos>`.
///
/// Throws:  EnvironmentError if the file cannot be read, or a line has a zero byte or is no UTF-8;
///          names file and line.
[[nodiscard]] std::vector<std::string> read_wikitext_file(const std::filesystem::path& file);

/// Reads `wiki.train.tokens`, `wiki.valid.tokens` and `wiki.test.tokens` of WikiText-2 or
/// WikiText-103 from a folder, or `wiki.train.raw` and so on if they exist instead.
///
/// Throws:  EnvironmentError as read_wikitext_file.
/// Source:  S. Merity, C. Xiong, J. Bradbury, R. Socher, "Pointer sentinel mixture models", ICLR
///          2017.
[[nodiscard]] WikiText read_wikitext(const std::filesystem::path& folder);

}  // namespace ddx::data
