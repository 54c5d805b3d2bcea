/// \file
/// Loads Open MPI.

#pragma once

#include "distributed/mpi/abi.h"

#include <filesystem>

namespace ddx::distributed::mpi {

/// The functions of this library, which stays loaded until the process ends.
///
/// Throws:  EnvironmentError if it cannot be loaded, or is not Open MPI.
[[nodiscard]] Functions load(const std::filesystem::path& library);

}  // namespace ddx::distributed::mpi
