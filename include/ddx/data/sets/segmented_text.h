/// \file
/// Texts with known words, for word segmentation models.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ddx::data {

/// A text without blanks, and its words.
struct SegmentedText {
  std::string text;
  std::vector<std::string> words;

  friend bool operator==(const SegmentedText&, const SegmentedText&) = default;
};

/// The parts of a set of such texts.
struct SegmentedTexts {
  std::vector<SegmentedText> training;
  std::vector<SegmentedText> validation;
  std::vector<SegmentedText> test;
};

/// Reads a file with a text per line, its words separated by blanks. Empty lines are skipped.
///
/// Throws:  EnvironmentError if the file cannot be read, or a line is not UTF-8; names file and
///          line.
[[nodiscard]] std::vector<SegmentedText> read_segmented_text(const std::filesystem::path& file);

/// Reads `tr.txt`, `va.txt` and `te.txt` of the folder `br-text`: child-directed speech, in the
/// format of the word segmentation sets.
///
/// Throws:  EnvironmentError as read_segmented_text.
/// Source:  M. Brent, T. Cartwright, "Distributional regularity and phonotactic constraints are
///          useful for segmentation", Cognition 61 (1996); K. Kawakami, C. Dyer, P. Blunsom,
///          ACL 2019.
[[nodiscard]] SegmentedTexts read_segmented_texts(const std::filesystem::path& folder);

}  // namespace ddx::data
