/// \file
/// Folds the checks of `-fsanitize=alignment` that cannot fail.

#pragma once

#include "llvm/IR/PassManager.h"

namespace ddx::compiler::memory {

/// Folds checks of the address of a variable of the function whose alignment is known: they would
/// make it an address that escapes as an integer, and the variable would stay in memory.
struct FoldAlignmentChecks : llvm::PassInfoMixin<FoldAlignmentChecks> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace ddx::compiler::memory
