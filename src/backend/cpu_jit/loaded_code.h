/// \file
/// Machine code in the memory of the process.

#pragma once

#include "backend/cpu_jit/loop.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ddx::backend::cpu_jit {

/// Loads an object file for as long as the process lives, and finds functions in it.
///
/// Throws:  EnvironmentError where there is no LLVM, or where it is no object file, names what the
///          process does not have, or lacks a function.
[[nodiscard]] std::vector<LoopFunction> load(std::span<const std::byte> object,
                                             std::span<const std::string> names);

}  // namespace ddx::backend::cpu_jit
