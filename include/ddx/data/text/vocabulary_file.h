/// \file
/// Vocabularies in files.

#pragma once

#include "ddx/data/text/vocabulary.h"

#include <filesystem>

namespace ddx::data {

/// Reads a vocabulary from a JSON object of tokens and their ids, as GPT-2's vocab.json.
///
/// Throws:  EnvironmentError if the file cannot be read, is not such an object, or names a token
///          twice, and if its ids are not 0 to count - 1, each once. Names the file and the token
///          or the byte.
[[nodiscard]] Vocabulary read_vocabulary_json(const std::filesystem::path& file);

/// Writes a vocabulary as such an object, in the order of the ids, atomically.
///
/// Throws:  UsageError if a token is not UTF-8. EnvironmentError if the file cannot be written.
void write_vocabulary_json(const std::filesystem::path& file, const Vocabulary& vocabulary);

/// Reads a vocabulary of one token a line, as BERT's vocab.txt. Lines end with LF or CR LF.
///
/// Throws:  EnvironmentError if the file cannot be read, a line is empty or not UTF-8, or a token
///          stands there twice. Names the file and the line.
[[nodiscard]] Vocabulary read_vocabulary_lines(const std::filesystem::path& file);

/// Writes a vocabulary of one token a line, atomically.
///
/// Throws:  UsageError if a token is empty, not UTF-8, or holds a line break. EnvironmentError if
///          the file cannot be written.
void write_vocabulary_lines(const std::filesystem::path& file, const Vocabulary& vocabulary);

}  // namespace ddx::data
