/// \file
/// Calls of the system that fail on request.
///
/// The program that links injection.cpp has its own `operator new`, `malloc`, `open` and so on, in
/// front of those of the system, for itself and for every library that it loads.

#pragma once

#include <cstdint>
#include <string_view>

namespace ddx::faults {

/// What fails.
enum class Fault : std::uint8_t {
  New,  ///< operator new, and with it all containers: std::bad_alloc, or null from nothrow forms.
  Malloc,  ///< Memory that is asked of the system otherwise: malloc, mmap.
  Open,    ///< open, openat, mkstemp, fopen: EACCES.
  Read,    ///< read, fread: EIO.
  Write,   ///< write, writev, pwrite: ENOSPC.
  Sync,    ///< fsync, fdatasync: EIO.
  Rename,  ///< rename: EXDEV.
};

inline constexpr Fault all_faults[] = {Fault::New,   Fault::Malloc, Fault::Open,  Fault::Read,
                                       Fault::Write, Fault::Sync,   Fault::Rename};

[[nodiscard]] std::string_view to_string(Fault fault) noexcept;

/// Which calls fail: from the call with this number on, counted from 1, so many.
struct Injection {
  Fault fault;
  std::uint64_t first;
  std::uint64_t count;
};

/// Counts the calls of all threads from now on, and lets them fail. Replaces what was chosen
/// before.
void begin(const Injection& injection) noexcept;

/// Lets nothing fail any more. Returns how many calls of the kind there were since `begin`.
std::uint64_t end() noexcept;

/// While there is one, no call of its thread fails or counts: what a scenario does for itself.
class Paused {
 public:
  Paused() noexcept;
  Paused(const Paused&) = delete;
  Paused& operator=(const Paused&) = delete;
  ~Paused();

 private:
  bool before_;
};

/// Whether the stack of the calling thread is written to the error stream where a call fails.
void set_traced(bool is_traced) noexcept;

/// Writes the stack of the calling thread to the error stream.
void print_stack() noexcept;

}  // namespace ddx::faults
