/// \file
/// Callbacks for one replica of many.

#pragma once

#include "ddx/distributed/process_group.h"
#include "ddx/train/events.h"

#include <functional>

namespace ddx::train {

/// The events that `make` gives on the first replica, none on the others, where it is not called:
/// for what writes files or prints. Such events must not cancel, and call no collective operation:
/// the other replicas would not know.
///
/// Example:
///   on_first(group, [&] { return keep_checkpoints(training, "run"); })
[[nodiscard]] inline Events on_first(const distributed::ProcessGroup& group,
                                     const std::function<Events()>& make) {
  return group.is_first() ? make() : Events{};
}

}  // namespace ddx::train
