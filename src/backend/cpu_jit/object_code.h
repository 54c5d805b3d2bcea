/// \file
/// Functions in LLVM's assembly language, to machine code.

#pragma once

#include "backend/cpu/isa.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::backend::cpu_jit {

/// An object file.
using ObjectCode = std::vector<std::byte>;

/// A function that is compiled: its text defines it.
struct FunctionText {
  std::string name;
  std::string text;
};

/// Compiles functions, which may call those of elements/, to one object file.
///
/// Throws:  EnvironmentError where there is no LLVM, or where it refuses a function.
/// Cost:    about 5 ms, and 1 ms for a function of ten operations.
[[nodiscard]] ObjectCode compile(std::span<const FunctionText> functions, cpu::Isa isa);

/// What else decides what machine code a text becomes, as a line for people.
[[nodiscard]] std::string compiler_options(cpu::Isa isa);

}  // namespace ddx::backend::cpu_jit
