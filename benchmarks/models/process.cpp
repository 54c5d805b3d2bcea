#include "process.h"

#include "ddx/core/error.h"

#include <cstddef>
#include <fcntl.h>
#include <sched.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ddx::bench {
namespace {

cpu_set_t allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return set;
}

/// The last `count` processors of a set.
cpu_set_t last_of(const cpu_set_t& set, int count) {
  cpu_set_t last;
  CPU_ZERO(&last);
  for (std::size_t i = CPU_SETSIZE; i-- > 0 && CPU_COUNT(&last) < count;) {
    if (CPU_ISSET(i, &set)) {
      CPU_SET(i, &last);
    }
  }
  return last;
}

/// Replaces a forked process by the program.
[[noreturn]] void become(const std::vector<std::string>& command, int processors, bool quiet,
                         int output) {
  if (processors > 0) {
    const cpu_set_t set = last_of(allowed(), processors);
    sched_setaffinity(0, sizeof set, &set);
  }
  dup2(output, STDOUT_FILENO);
  if (quiet) {
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDERR_FILENO);
  }
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

Finished run(const std::vector<std::string>& command, int processors, bool quiet) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw EnvironmentError("run " + command[0], "the system has no pipe left");
  }
  const pid_t child = fork();
  if (child == 0) {
    become(command, processors, quiet, ends[1]);
  }
  close(ends[1]);
  Finished result;
  char part[4096];
  for (ssize_t got = 0; child > 0 && (got = read(ends[0], part, sizeof part)) > 0;) {
    result.output.append(part, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  if (child < 0) {
    throw EnvironmentError("run " + command[0], "the system has no process left");
  }
  int status = 0;
  if (waitpid(child, &status, 0) == child && WIFEXITED(status)) {
    result.status = WEXITSTATUS(status);
  }
  return result;
}

int processor_count() {
  const cpu_set_t set = allowed();
  return CPU_COUNT(&set);
}

}  // namespace ddx::bench
