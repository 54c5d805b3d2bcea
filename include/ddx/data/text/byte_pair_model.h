/// \file
/// The learned state of byte-level byte-pair encoding: tokens and merges.

#pragma once

#include "ddx/data/text/vocabulary.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {

/// The tokens and merges of byte-level byte-pair encoding.
///
/// Tokens and merges are written in GPT-2's alphabet, in which each of the 256 bytes is one visible
/// character: most printable bytes are themselves, a space is U+0120, a line feed U+010A.
struct BytePairModel {
  Vocabulary vocabulary;
  /// Pairs of tokens to merge, the first with the highest priority.
  std::vector<std::pair<std::string, std::string>> merges;

  friend bool operator==(const BytePairModel&, const BytePairModel&) = default;
};

/// Reads a model from two files like GPT-2's vocab.json and merges.txt: a JSON object of tokens and
/// ids, and one merge a line, its two tokens separated by one space. A first line that begins with
/// "#version" is skipped.
///
/// Throws:  EnvironmentError if a file cannot be read; for the vocabulary as
///          `read_vocabulary_json`; if a merge is not two tokens, stands there twice, or one of its
///          tokens or their union is not in the vocabulary. Names the file and the line.
[[nodiscard]] BytePairModel read_byte_pair_model(const std::filesystem::path& vocabulary,
                                                 const std::filesystem::path& merges);

/// Writes a model to two such files, each atomically.
///
/// Throws:  UsageError if a token is not UTF-8. EnvironmentError if a file cannot be written.
void write_byte_pair_model(const std::filesystem::path& vocabulary,
                           const std::filesystem::path& merges, const BytePairModel& model);

}  // namespace ddx::data
