/// \file
/// The functions of elements/ as LLVM bitcode, a part of the library.

#pragma once

#include "backend/cpu/level.h"

#include <cstddef>
#include <span>

namespace ddx::backend::cpu_jit {

/// The functions by the instructions of a level.
[[nodiscard]] std::span<const std::byte> element_bitcode(cpu::Level level) noexcept;

/// How many elements a call of one of them computes.
[[nodiscard]] int width_of(cpu::Level level) noexcept;

}  // namespace ddx::backend::cpu_jit
