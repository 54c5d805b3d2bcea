#include "ddx/distributed/join_group.h"

#include "ddx/core/error.h"

#include <chrono>
#include <gtest/gtest.h>
#include <string>

namespace ddx::distributed {
namespace join_group_test {

using Launcher = JoinOptions::Launcher;

template <class Failure>
std::string error_of(const JoinOptions& options) {
  try {
    (void)join_group(options);
  } catch (const Failure& error) {
    return error.what();
  }
  return "(none)";
}

// With a launcher: tests/integration/replica_training_test.py.
TEST(JoinGroup, IsAloneWithoutALauncher) {
  EXPECT_EQ(join_group(), ProcessGroup());
  EXPECT_EQ(join_group({.launcher = Launcher::None}).size(), 1);
}

TEST(JoinGroup, SaysThatThereIsNoOpenMpi) {
  EXPECT_EQ(error_of<EnvironmentError>({.launcher = Launcher::Mpi, .library = "libnompi.so.1"}),
            "join_group: cannot load Open MPI (Debian's openmpi-bin): libnompi.so.1: cannot open "
            "shared object file: No such file or directory");
}

TEST(JoinGroup, RefusesAnotherLibrary) {
  EXPECT_EQ(error_of<EnvironmentError>({.launcher = Launcher::Mpi, .library = "libm.so.6"}),
            "join_group: libm.so.6 has no ompi_mpi_comm_world; Open MPI 4 or later has");
}

TEST(JoinGroup, NeedsTimeToWait) {
  EXPECT_EQ(error_of<UsageError>({.timeout = std::chrono::milliseconds(0)}),
            "join_group: the timeout is 0 s, must be positive");
}

}  // namespace join_group_test
}  // namespace ddx::distributed
