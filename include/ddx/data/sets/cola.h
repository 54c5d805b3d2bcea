/// \file
/// The corpus of linguistic acceptability.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ddx::data {

/// A sentence and whether it is acceptable.
struct JudgedSentence {
  std::string text;
  bool acceptable = false;
  std::string source;  ///< The publication, as abbreviated in the file.

  friend bool operator==(const JudgedSentence&, const JudgedSentence&) = default;
};

/// Reads a file of CoLA, such as `train.tsv`. Each line has the source, 0 or 1, the author's mark
/// and the sentence, separated by tabs.
///
/// Throws:  EnvironmentError if the file cannot be read, or a line has another form; names file and
///          line.
/// Source:  A. Warstadt, A. Singh, S. Bowman, "Neural network acceptability judgments", TACL 7
///          (2019), https://nyu-mll.github.io/CoLA.
[[nodiscard]] std::vector<JudgedSentence> read_cola(const std::filesystem::path& file);

}  // namespace ddx::data
