/// \file
/// LLVM, loaded at its first use. It is not linked: a program runs without it.

#pragma once

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

namespace ddx::backend::cpu_jit {

/// The functions of LLVM 19 that loops are compiled by, each under its own name.
struct LlvmLibrary {
#define DDX_LLVM(name) decltype(&::LLVM##name) name = nullptr;
#include "backend/cpu_jit/llvm_functions.def"
};

/// LLVM, made ready to compile for this processor; null where the system has none of this version,
/// or one that lacks a function.
/// Cost:    13 ms at the first call.
[[nodiscard]] const LlvmLibrary* llvm_library() noexcept;

}  // namespace ddx::backend::cpu_jit
