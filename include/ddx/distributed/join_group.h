/// \file
/// The group of the processes that a launcher has started.

#pragma once

#include "ddx/distributed/process_group.h"

#include <chrono>
#include <cstdint>
#include <filesystem>

namespace ddx::distributed {

/// How a process finds its group.
struct JoinOptions {
  /// Who has started the processes: Detect asks the environment; None stays alone; Mpi is sure of
  /// it.
  enum class Launcher : std::uint8_t { Detect, None, Mpi };

  Launcher launcher = Launcher::Detect;
  /// How long a replica waits for another one in a collective operation. Longer than what one
  /// replica ever does alone, such as writing a checkpoint.
  std::chrono::milliseconds timeout = std::chrono::minutes(10);
  /// The library that is loaded.
  std::filesystem::path library = "libmpi.so.40";
};

/// The group of all processes of this program that `mpirun -n N` has started, or this process alone
/// where no launcher has. Open MPI is loaded then; nothing of it is needed before, nor without a
/// launcher. Once per process, before threads of the program call MPI themselves. The processes run
/// one and the same build on machines of one byte order.
///
/// A process that ends while others wait for it is noticed at once by those on the same machine,
/// and after the timeout by others; mpirun ends all processes when one dies, unless it was told
/// `--enable-recovery` (docs/guide/distributed.md).
///
/// Throws:  EnvironmentError where Open MPI cannot be loaded or does not begin; UsageError where
/// the
///          timeout is not positive, or the process has left a group of MPI before.
/// Example:
///   const auto group = ddx::distributed::join_group();
[[nodiscard]] ProcessGroup join_group(const JoinOptions& options = {});

}  // namespace ddx::distributed
