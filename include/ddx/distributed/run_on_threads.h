/// \file
/// Replicas that are threads of one process.

#pragma once

#include "ddx/distributed/process_group.h"

#include <chrono>
#include <cstdint>
#include <functional>

namespace ddx::distributed {

/// Calls `replica(group)` on `count` threads at once, each with its membership in one group, and
/// returns when all have ended. For programs and tests without a launcher; the threads share the
/// processors.
///
/// Throws:  UsageError if `count` is below 1. The first exception of a replica; EnvironmentError if
///          the system creates no thread. The others' next collective operation then throws with
///          its text.
/// Example:
///   run_on_threads(4, [&](const ProcessGroup& group) {
///     sums[group.rank()] = cross_replica_sum(parts[group.rank()], group);
///   });
void run_on_threads(std::int64_t count, const std::function<void(const ProcessGroup&)>& replica,
                    std::chrono::milliseconds timeout = std::chrono::minutes(10));

}  // namespace ddx::distributed
