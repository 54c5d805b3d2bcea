/// \file
/// Messages between the threads of one process.

#pragma once

#include "distributed/transport.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ddx::distributed {

/// One end for each of `count` replicas, each for a thread of its own.
[[nodiscard]] std::vector<std::unique_ptr<Transport>> thread_transports(std::int64_t count);

}  // namespace ddx::distributed
