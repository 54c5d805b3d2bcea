#include "distributed/mpi/library.h"

#include "ddx/core/error.h"

#include "distributed/mpi/abi.h"

#include <dlfcn.h>
#include <filesystem>
#include <string>

namespace ddx::distributed::mpi {
namespace {

/// Looks names up in a library.
class Names {
 public:
  Names(void* library, std::string file) : library_(library), file_(std::move(file)) {}

  template <class Pointer>
  void find(Pointer& into, const char* name) const {
    void* const found = dlsym(library_, name);
    if (found == nullptr) {
      throw EnvironmentError("join_group", file_ + " has no " + name + "; Open MPI 4 or later has");
    }
    into = reinterpret_cast<Pointer>(found);
  }

 private:
  void* library_;
  std::string file_;
};

}  // namespace

Functions load(const std::filesystem::path& library) {
  // Global: the parts that Open MPI loads itself look up its symbols among those of the process.
  void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (loaded == nullptr) {
    throw EnvironmentError(
        "join_group", "cannot load Open MPI (Debian's openmpi-bin): " + std::string(dlerror()));
  }
  const Names names(loaded, library.string());
  Functions mpi{};
  // Names that only Open MPI has come first: the handles of other libraries are not pointers.
  names.find(mpi.world, "ompi_mpi_comm_world");
  names.find(mpi.byte, "ompi_mpi_byte");
  names.find(mpi.errors_return, "ompi_mpi_errors_return");
  names.find(mpi.Initialized, "MPI_Initialized");
  names.find(mpi.Finalized, "MPI_Finalized");
  names.find(mpi.Init_thread, "MPI_Init_thread");
  names.find(mpi.Query_thread, "MPI_Query_thread");
  names.find(mpi.Finalize, "MPI_Finalize");
  names.find(mpi.Comm_dup, "MPI_Comm_dup");
  names.find(mpi.Comm_rank, "MPI_Comm_rank");
  names.find(mpi.Comm_size, "MPI_Comm_size");
  names.find(mpi.Comm_set_errhandler, "MPI_Comm_set_errhandler");
  names.find(mpi.Isend, "MPI_Isend");
  names.find(mpi.Irecv, "MPI_Irecv");
  names.find(mpi.Test, "MPI_Test");
  names.find(mpi.Iprobe, "MPI_Iprobe");
  names.find(mpi.Recv, "MPI_Recv");
  names.find(mpi.Error_string, "MPI_Error_string");
  return mpi;
}

}  // namespace ddx::distributed::mpi
