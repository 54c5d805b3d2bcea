/// \file
/// Records as a table of comma-separated values.

#pragma once

#include "ddx/train/record.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ddx::train {

/// Appends records to a CSV file: columns "epoch", "step", and one for each value. A row reaches
/// the file whole or not at all, at once.
///
/// A log goes on in the file that is there: rows that a resumed training measures again (those of
/// its first record's step or later) are replaced, and a row that a crash has cut off goes away.
class CsvLog {
 public:
  /// Reads what the file holds, where there is one. Nothing is written before the first record.
  ///
  /// Throws:  EnvironmentError where the file is no such log; names it and the line.
  explicit CsvLog(std::filesystem::path file);

  /// Writes a row. Numbers are written so that reading gives them back, bit for bit.
  ///
  /// Throws:  UsageError where the names are not those of the rows before, or one holds a comma,
  ///          quote or line break. EnvironmentError where the file cannot be written; it then ends
  ///          with the row before.
  void append(const Record& record);

  /// This log as a sink; the log must outlive its use.
  [[nodiscard]] Sink sink() {
    return [this](const Record& record) { append(record); };
  }

 private:
  struct Row {
    std::int64_t step;
    std::uint64_t end;  // Where its line ends in the file.
  };

  void read();

  std::filesystem::path file_;
  std::string header_;
  std::vector<Row> rows_;
  std::uint64_t start_ = 0;  // Where the first row begins.
};

}  // namespace ddx::train
