/// \file
/// Loops whose number of iterations is known where they begin.

#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace ddx::compiler::memory {

/// The number of an iteration, from zero, and how often the loop's header runs: both of 64 bits.
struct LoopCount {
  llvm::PHINode* index = nullptr;
  llvm::Value* trips = nullptr;  ///< Computed in the preheader.
};

/// What each iteration adds to an integer or, in bytes, to a pointer.
struct LoopStep {
  llvm::ConstantInt* by = nullptr;
  bool stays_signed = false;  ///< Whether no sum leaves the range of signed integers.
};

struct LoopCounts {
  llvm::DenseMap<const llvm::BasicBlock*, LoopCount> loops;  ///< By their headers.
  llvm::DenseMap<const llvm::PHINode*, LoopStep> steps;      ///< Of their variables.
};

/// Adds the counts to the loops of a function that have one exit, and a number of iterations that
/// is computed from what is known in front of them; finds the steps of their variables.
LoopCounts count_loops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace ddx::compiler::memory
