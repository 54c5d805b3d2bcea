#include "distributed/launcher.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace ddx::distributed {

bool is_launched_by_mpi() noexcept {
  // Set by mpirun of Open MPI; by it, by Slurm's srun --mpi=pmix and by prterun.
  constexpr std::array names{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK"};
  return std::ranges::any_of(names, [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace ddx::distributed
