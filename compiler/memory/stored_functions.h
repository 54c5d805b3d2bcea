/// \file
/// Which function a variable holds.

#pragma once

#include "llvm/IR/PassManager.h"

namespace ddx::compiler::memory {

/// Replaces what is read from a local variable by the function that was stored there, where nothing
/// that knows the variable's address may have run in between. An entry for functions behind
/// pointers takes the pointer by reference: so a comparison there has a known result.
struct ReplaceStoredFunctions : llvm::PassInfoMixin<ReplaceStoredFunctions> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace ddx::compiler::memory
