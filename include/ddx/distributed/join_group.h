/// \file
/// The group of the processes that a launcher started.

#pragma once

#include "ddx/distributed/process_group.h"

#include <chrono>
#include <cstdint>
#include <filesystem>

namespace ddx::distributed {

/// How a process finds its group.
struct JoinOptions {
  /// Who started the processes: Detect asks the environment; None is a group of one; Mpi requires
  /// mpirun.
  enum class Launcher : std::uint8_t { Detect, None, Mpi };

  Launcher launcher = Launcher::Detect;
  /// How long a replica waits for another one in a collective operation. Must be longer than any
  /// work that one replica does alone, such as writing a checkpoint.
  std::chrono::milliseconds timeout = std::chrono::minutes(10);
  /// The library that is loaded.
  std::filesystem::path library = "libmpi.so.40";
};

/// The group of all processes of this program that `mpirun -n N` started, or a group of this
/// process alone without a launcher. Open MPI is loaded here; it is not needed before, nor without
/// a launcher. Call it once per process, before threads of the program call MPI themselves. The
/// processes must run the same build on machines of one byte order.
///
/// Processes on the same machine notice at once that a process has ended, others after the timeout.
/// mpirun ends all processes when one dies, unless it runs with `--enable-recovery`
/// (docs/guide/distributed.md).
///
/// Throws:  EnvironmentError if Open MPI cannot be loaded or initialised; UsageError if the timeout
///          is not positive, or the process has left an MPI group before.
/// Example:
///   const auto group = ddx::distributed::join_group();
[[nodiscard]] ProcessGroup join_group(const JoinOptions& options = {});

}  // namespace ddx::distributed
