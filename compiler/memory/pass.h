/// \file
/// The memory path of the compiler: derivatives of LLVM IR, in which every object is accessed by
/// its address.

#pragma once

#include "compiler/memory/memory_rules.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace ddx::compiler::memory {

/// Adds the pass that defines the functions `ddx.memory.forward.N`, `ddx.memory.reverse.N` and
/// `ddx.memory.tangent.N` that a unit declares, for its function `ddx.memory.primal.N`, in front of
/// all other passes. What cannot be differentiated is reported at its place. The arguments must
/// live until code is generated.
void register_pass(llvm::PassBuilder& builder, const MemoryRules& rules,
                   clang::DiagnosticsEngine& diagnostics, clang::SourceManager& sources);

}  // namespace ddx::compiler::memory
