/// \file
/// What was measured at one point of a training.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ddx::train {

/// Numbers with names, and where in the training they were measured.
struct Record {
  std::int64_t epoch = 0;  ///< The running epoch; the first is 1.
  std::int64_t step = 0;   ///< Steps taken so far, in all epochs.
  std::vector<std::pair<std::string, double>> values = {};

  /// The value of this name.
  ///
  /// Throws:  UsageError where there is none; lists the names there are.
  [[nodiscard]] double value(const std::string& name) const;

  friend bool operator==(const Record&, const Record&) = default;
};

/// Takes records: a log, a plot, a bar.
using Sink = std::function<void(const Record&)>;

}  // namespace ddx::train
