/// \file
/// Identifies a process of a machine, and whether it still runs.

#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace ddx::distributed {

/// The identity of a process, sent as these bytes.
struct ProcessIdentity {
  std::int64_t process = 0;
  std::uint64_t start_time = 0;     ///< Distinguishes it from a later process of the same number.
  std::array<char, 128> machine{};  ///< Equal for processes that see each other's numbers.
  std::array<char, 64> host{};      ///< Its name, for the user.
};

/// The possible states of a process on this machine.
enum class ProcessState : std::uint8_t { Runs, Stopped, Ended };

/// The identity of this process.
[[nodiscard]] ProcessIdentity this_process();

/// The state of a process on this machine, from /proc. Runs if /proc is not readable.
[[nodiscard]] ProcessState state_of(const ProcessIdentity& process);

/// Renders as "process 123 on host".
[[nodiscard]] std::string to_string(const ProcessIdentity& process);

}  // namespace ddx::distributed
