/// \file
/// Pairs of sentences and their entailment.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ddx::data {

/// The relation of a premise to a hypothesis.
enum class Entailment : std::uint8_t { Entailment, Neutral, Contradiction };

/// A premise, a hypothesis, and their relation.
struct SentencePair {
  std::string premise;
  std::string hypothesis;
  Entailment relation = Entailment::Neutral;

  friend bool operator==(const SentencePair&, const SentencePair&) = default;
};

/// Reads a file of tab-separated values whose header names at least the columns "gold_label",
/// "sentence1" and "sentence2": SNLI's `snli_1.0_train.txt` and similar files. Pairs without an
/// agreed label ("-") are skipped.
///
/// Throws:  EnvironmentError if the file cannot be read, a column is missing, a line has not as
///          many cells as the header, or a label is unknown; names file and line.
/// Source:  S. Bowman, G. Angeli, C. Potts, C. Manning, "A large annotated corpus for learning
///          natural language inference", EMNLP 2015, https://nlp.stanford.edu/projects/snli.
[[nodiscard]] std::vector<SentencePair> read_snli(const std::filesystem::path& file);

}  // namespace ddx::data
