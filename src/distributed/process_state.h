/// \file
/// Which process of which machine is meant, and whether it still runs.

#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace ddx::distributed {

/// A process, so that others can look for it: sent as these bytes.
struct ProcessIdentity {
  std::int64_t process = 0;
  std::uint64_t start_time = 0;     ///< Tells it from a later process of the same number.
  std::array<char, 128> machine{};  ///< Two processes see each other's numbers where this is equal.
  std::array<char, 64> host{};      ///< Its name, for the user.
};

/// What can be told of a process of this machine.
enum class ProcessState : std::uint8_t { Runs, Stopped, Ended };

/// The identity of this process.
[[nodiscard]] ProcessIdentity this_process();

/// The state of a process on this machine; by what Linux tells in /proc. Where that tells nothing
/// at all, Runs.
[[nodiscard]] ProcessState state_of(const ProcessIdentity& process);

/// Renders as "process 123 on host".
[[nodiscard]] std::string to_string(const ProcessIdentity& process);

}  // namespace ddx::distributed
