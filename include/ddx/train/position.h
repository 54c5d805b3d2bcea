/// \file
/// How far a training has come.

#pragma once

#include <cstdint>

namespace ddx::train {

/// The next step to take, and what the running epoch has summed up so far.
struct Position {
  std::int64_t epoch = 0;    ///< Epochs completed.
  std::int64_t step = 0;     ///< Steps completed in the running epoch.
  std::int64_t samples = 0;  ///< Samples seen in the running epoch.
  double loss_sum = 0;       ///< Of the losses of these samples.

  friend bool operator==(const Position&, const Position&) = default;
};

}  // namespace ddx::train
