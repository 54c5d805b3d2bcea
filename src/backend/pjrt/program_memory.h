/// \file
/// The memory that a program takes.

#pragma once

#include "ddx/backend/pjrt.h"

#include "backend/pjrt/api.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ddx::backend::pjrt {

/// The memory of a device that a run of a program takes, as its compiler has planned it, in bytes.
struct ProgramMemory {
  std::int64_t code = 0;
  std::int64_t arguments = 0;
  std::int64_t results = 0;
  std::int64_t aliased = 0;    // Of arguments and results alike.
  std::int64_t temporary = 0;  // At once.
  std::int64_t peak = 0;       // Of everything at once; 0: it is not known.

  /// What there must be at once. XLA's plugin for CPUs leaves what is temporary out of the peak.
  [[nodiscard]] std::int64_t needed() const noexcept {
    return std::max(peak, code + arguments + results - aliased + temporary);
  }
};

/// What a plugin says of a program; none where it does not.
[[nodiscard]] std::optional<ProgramMemory> memory_of(const Api& api, RawExecutable* executable);

/// The same for callers of the library.
[[nodiscard]] PjrtProgramMemory reported(const ProgramMemory& memory) noexcept;

}  // namespace ddx::backend::pjrt
