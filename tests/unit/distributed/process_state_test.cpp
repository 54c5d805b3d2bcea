#include "distributed/process_state.h"

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <string>
#include <sys/types.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace ddx::distributed {
namespace process_state_test {

/// The state of a process, once it is this one or a second has passed.
ProcessState state_in_time(const ProcessIdentity& process, ProcessState wanted) {
  for (int turn = 0; turn < 100 && state_of(process) != wanted; ++turn) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return state_of(process);
}

TEST(ProcessState, TellsRunningStoppedAndEndedProcesses) {
  const ProcessIdentity own = this_process();
  EXPECT_EQ(state_of(own), ProcessState::Runs);

  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  ProcessIdentity other = own;
  other.process = child;
  // The start time is in hundredths of a second: the child's is looked for.
  for (; state_of(other) == ProcessState::Ended && other.start_time < own.start_time + 100000;
       ++other.start_time) {
  }
  EXPECT_EQ(state_of(other), ProcessState::Runs);
  kill(child, SIGSTOP);
  EXPECT_EQ(state_in_time(other, ProcessState::Stopped), ProcessState::Stopped);
  kill(child, SIGKILL);
  // As a zombie without a wait, and when it is gone.
  EXPECT_EQ(state_in_time(other, ProcessState::Ended), ProcessState::Ended);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(state_of(other), ProcessState::Ended);
}

TEST(ProcessState, TellsAnotherProcessOfTheSameNumber) {
  ProcessIdentity other = this_process();
  other.start_time += 1;
  EXPECT_EQ(state_of(other), ProcessState::Ended);
}

TEST(ProcessState, NamesProcessAndHost) {
  ProcessIdentity process;
  process.process = 12;
  process.host = {'n', 'o', 'd', 'e'};
  EXPECT_EQ(to_string(process), "process 12 on node");
}

}  // namespace process_state_test
}  // namespace ddx::distributed
