/// \file
/// Child processes.

#pragma once

#include <string>
#include <vector>

namespace ddx::bench {

/// The exit status and the output of a program.
struct Finished {
  int status = -1;  ///< Its exit status; -1 if it could not run or was killed.
  std::string output;
};

/// Runs a program on the last `processors` of the available processors (0: on all), and reads its
/// standard output; its errors are hidden if `quiet`.
///
/// Throws:  EnvironmentError if the system cannot create a process.
[[nodiscard]] Finished run(const std::vector<std::string>& command, int processors, bool quiet);

/// The number of available processors.
[[nodiscard]] int processor_count();

}  // namespace ddx::bench
