/// \file
/// Programs run beside this one.

#pragma once

#include <string>
#include <vector>

namespace ddx::bench {

/// How a program ended and what it printed.
struct Finished {
  int status = -1;  ///< Its exit status; -1 where it could not run or was killed.
  std::string output;
};

/// Runs a program on the last `processors` processors of those this one may use (0: on all), and
/// reads its standard output; its errors are hidden where `quiet`.
///
/// Throws:  EnvironmentError where the system has no process to give.
[[nodiscard]] Finished run(const std::vector<std::string>& command, int processors, bool quiet);

/// The number of processors this program may use.
[[nodiscard]] int processor_count();

}  // namespace ddx::bench
