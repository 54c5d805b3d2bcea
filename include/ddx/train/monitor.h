/// \file
/// The value that decides about a training while it runs.

#pragma once

#include "ddx/train/loop.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace ddx::train {

/// The mean loss of the epoch's validation, or of its training where there is none.
[[nodiscard]] double monitored_loss(const Loop& loop);

/// The value that decides when an epoch has ended, and which values are better.
///
/// Example: Monitor{.value = [&](const Loop&) { return recorder.history().back().value("accuracy");
/// },
///                .better = Monitor::Better::Higher}
struct Monitor {
  enum class Better : std::uint8_t { Lower, Higher };

  std::function<double(const Loop&)> value = monitored_loss;
  Better better = Better::Lower;
  double min_delta = 0;  ///< By how much a better value must be better.
};

/// The best value seen.
class Best {
 public:
  /// Throws: UsageError where min_delta is negative or no number.
  explicit Best(Monitor monitor, std::optional<double> value = std::nullopt);

  /// Reads the value, and returns whether it is better than all before. The first is; a NaN never
  /// is.
  bool look(const Loop& loop) { return take(monitor_.value(loop)); }
  /// As above, for a value already known.
  bool take(double value);

  [[nodiscard]] std::optional<double> value() const noexcept { return value_; }

 private:
  Monitor monitor_;
  std::optional<double> value_;
};

}  // namespace ddx::train
