/// \file
/// Messages between processes through Open MPI.

#pragma once

#include "distributed/transport.h"

#include <chrono>
#include <filesystem>
#include <memory>

namespace ddx::distributed::mpi {

/// The end of this process in the group of all that were started together. Begins MPI, and ends it
/// unless the program has begun it.
///
/// Throws:  EnvironmentError where the library cannot be loaded or MPI does not begin.
[[nodiscard]] std::unique_ptr<Transport> join(const std::filesystem::path& library,
                                              std::chrono::milliseconds timeout);

}  // namespace ddx::distributed::mpi
