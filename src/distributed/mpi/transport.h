/// \file
/// Messages between processes through Open MPI.

#pragma once

#include "distributed/transport.h"

#include <chrono>
#include <filesystem>
#include <memory>

namespace ddx::distributed::mpi {

/// The end of this process in the group of all that were started together. Initialises MPI, and
/// finalizes it unless the program initialised it.
///
/// Throws:  EnvironmentError if the library cannot be loaded or MPI cannot be initialised.
[[nodiscard]] std::unique_ptr<Transport> join(const std::filesystem::path& library,
                                              std::chrono::milliseconds timeout);

}  // namespace ddx::distributed::mpi
