/// \file
/// The functions of elements/ as LLVM bitcode, a part of the library.

#pragma once

#include "backend/cpu/isa.h"

#include <cstddef>
#include <span>

namespace ddx::backend::cpu_jit {

/// The functions for an instruction set.
[[nodiscard]] std::span<const std::byte> element_bitcode(cpu::Isa isa) noexcept;

/// How many elements a call of one of them computes.
[[nodiscard]] int width_of(cpu::Isa isa) noexcept;

}  // namespace ddx::backend::cpu_jit
