/// \file
/// Whether a launcher has started this process.

#pragma once

namespace ddx::distributed {

/// Whether mpirun, or another launcher of Open MPI's processes, has started this one. The one place
/// where the library reads the environment: a launcher speaks to its processes through nothing
/// else.
[[nodiscard]] bool is_launched_by_mpi() noexcept;

}  // namespace ddx::distributed
