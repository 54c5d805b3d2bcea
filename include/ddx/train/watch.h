/// \file
/// The number by which a training is judged while it runs.

#pragma once

#include "ddx/train/loop.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace ddx::train {

/// The mean loss of the epoch's validation, or of its training where there is none.
[[nodiscard]] double watched_loss(const Loop& loop);

/// What to look at when an epoch has ended, and what is better.
///
/// Example: Watch{.value = [&](const Loop&) { return recorder.history().back().value("accuracy");
/// },
///                .better = Watch::Better::Higher}
struct Watch {
  enum class Better : std::uint8_t { Lower, Higher };

  std::function<double(const Loop&)> value = watched_loss;
  Better better = Better::Lower;
  double min_delta = 0;  ///< By how much a better value must be better.
};

/// The best value seen.
class Best {
 public:
  /// Throws: UsageError where min_delta is negative or no number.
  explicit Best(Watch watch, std::optional<double> value = std::nullopt);

  /// Reads the value, and returns whether it is better than all before. The first is; a NaN never
  /// is.
  bool look(const Loop& loop) { return take(watch_.value(loop)); }
  /// As above, for a value already known.
  bool take(double value);

  [[nodiscard]] std::optional<double> value() const noexcept { return value_; }

 private:
  Watch watch_;
  std::optional<double> value_;
};

}  // namespace ddx::train
