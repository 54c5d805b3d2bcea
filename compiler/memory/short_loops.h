/// \file
/// Loops of few iterations in a loop.

#pragma once

#include "llvm/IR/PassManager.h"

namespace ddx::compiler::memory {

/// Writes out the iterations of small inner loops that run a small constant number of times, so
/// that the loops around them become inner ones.
void unroll_short_loops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace ddx::compiler::memory
