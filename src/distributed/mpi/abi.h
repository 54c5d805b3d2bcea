/// \file
/// The part of Open MPI's binary interface that is used, transcribed: neither its headers nor its
/// library are needed to build.

#pragma once

#include <cstddef>
#include <type_traits>

namespace ddx::distributed::mpi {

// Open MPI's handles are pointers to objects of its library, predefined ones by name.
struct OpaqueCommunicator;
struct OpaqueDatatype;
struct OpaqueErrorHandler;
struct OpaqueRequest;
using Communicator = OpaqueCommunicator*;
using Datatype = OpaqueDatatype*;
using ErrorHandler = OpaqueErrorHandler*;
using Request = OpaqueRequest*;

/// `struct ompi_status_public_t`.
struct Status {
  int source;
  int tag;
  int error;
  int cancelled;
  std::size_t count;
};

constexpr int success = 0;
constexpr int serialized = 2;   ///< MPI_THREAD_SERIALIZED
constexpr int any_source = -1;  ///< MPI_ANY_SOURCE
constexpr int max_error_string = 256;

/// The functions, by the names that follow MPI_.
struct Functions {
  int (*Initialized)(int*);
  int (*Finalized)(int*);
  int (*Init_thread)(int*, char***, int, int*);
  int (*Query_thread)(int*);
  int (*Finalize)();
  int (*Comm_dup)(Communicator, Communicator*);
  int (*Comm_rank)(Communicator, int*);
  int (*Comm_size)(Communicator, int*);
  int (*Comm_set_errhandler)(Communicator, ErrorHandler);
  int (*Isend)(const void*, int, Datatype, int, int, Communicator, Request*);
  int (*Irecv)(void*, int, Datatype, int, int, Communicator, Request*);
  int (*Test)(Request*, int*, Status*);
  int (*Iprobe)(int, int, Communicator, int*, Status*);
  int (*Recv)(void*, int, Datatype, int, int, Communicator, Status*);
  int (*Error_string)(int, char*, int*);

  Communicator world;          ///< ompi_mpi_comm_world
  Datatype byte;               ///< ompi_mpi_byte
  ErrorHandler errors_return;  ///< ompi_mpi_errors_return
};

}  // namespace ddx::distributed::mpi
