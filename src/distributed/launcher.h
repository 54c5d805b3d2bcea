/// \file
/// Whether a launcher started this process.

#pragma once

namespace ddx::distributed {

/// Whether mpirun, or another launcher of Open MPI processes, started this one. The only place
/// where the library reads the environment, since launchers provide no other way.
[[nodiscard]] bool is_launched_by_mpi() noexcept;

}  // namespace ddx::distributed
