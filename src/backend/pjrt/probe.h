/// \file
/// Tries a plugin where a crash does no harm.

#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

namespace ddx::backend::pjrt {

/// Runs `work` in a child process, and returns when it is done.
///
/// Throws:  EnvironmentError where the child dies of it (it names the signal and what was printed
///          last), where it has not come back after `time_limit` (it is killed then), or where
///          there can be no child. `operation` and `what` open the message.
/// Cost:    that of fork, some 0.1 ms and 1 ms for each GB of the process.
void try_in_child(const std::string& operation, const std::string& what,
                  std::chrono::milliseconds time_limit, const std::function<void()>& work);

}  // namespace ddx::backend::pjrt
