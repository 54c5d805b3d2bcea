/// \file
/// Loops whose number of iterations is known where they begin.

#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace ddx::compiler::memory {

/// The number of an iteration, from zero, and how often the loop's header runs: both of 64 bits.
struct LoopCount {
  llvm::PHINode* index = nullptr;
  llvm::Value* trips = nullptr;  ///< Computed in the preheader.
};

/// By their headers.
using LoopCounts = llvm::DenseMap<const llvm::BasicBlock*, LoopCount>;

/// Adds the counts to the loops of a function that have one exit, and a number of iterations that
/// is computed from what is known in front of them.
LoopCounts count_loops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace ddx::compiler::memory
