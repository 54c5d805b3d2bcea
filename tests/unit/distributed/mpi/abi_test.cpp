#include "distributed/mpi/abi.h"

#include <gtest/gtest.h>

// Where Open MPI's own header is there, it must agree with what was transcribed.
#ifdef DDX_HAS_MPI_HEADER
#include <cstddef>
#include <mpi.h>
#include <type_traits>
#endif

namespace ddx::distributed::mpi {
namespace abi_test {

TEST(MpiAbi, IsThatOfTheHeader) {
#ifdef DDX_HAS_MPI_HEADER
  static_assert(sizeof(Status) == sizeof(MPI_Status));
  static_assert(offsetof(Status, source) == offsetof(MPI_Status, MPI_SOURCE));
  static_assert(offsetof(Status, tag) == offsetof(MPI_Status, MPI_TAG));
  static_assert(offsetof(Status, error) == offsetof(MPI_Status, MPI_ERROR));
  static_assert(offsetof(Status, count) == offsetof(MPI_Status, _ucount));
  static_assert(sizeof(Request) == sizeof(MPI_Request) && std::is_pointer_v<MPI_Request>);
  static_assert(sizeof(Communicator) == sizeof(MPI_Comm) && std::is_pointer_v<MPI_Comm>);
  static_assert(std::is_pointer_v<MPI_Datatype> && std::is_pointer_v<MPI_Errhandler>);
  EXPECT_EQ(success, MPI_SUCCESS);
  EXPECT_EQ(serialized, MPI_THREAD_SERIALIZED);
  EXPECT_EQ(any_source, MPI_ANY_SOURCE);
  EXPECT_GE(max_error_string, MPI_MAX_ERROR_STRING);
  // A null request and an ignored status are null.
  EXPECT_EQ(MPI_STATUS_IGNORE, nullptr);
#else
  GTEST_SKIP() << "no mpi.h of Open MPI (Debian: libopenmpi-dev)";
#endif
}

}  // namespace abi_test
}  // namespace ddx::distributed::mpi
