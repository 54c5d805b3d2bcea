/// \file
/// Cotangents that several iterations of a loop use, one behind the other.

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <cstdint>

namespace ddx::compiler::memory {

/// A place that a loop reads and writes in each iteration.
struct WindowPlace {
  llvm::Instruction* place;
  std::int64_t distance;  ///< In bytes, from an address that moves by the step.
};

/// Numbers at constant distances. Nothing else in the loop uses them.
struct PlaceWindow {
  llvm::Type* real = nullptr;
  llvm::Value* base = nullptr;        ///< Known in front of the loop.
  const llvm::SCEV* begin = nullptr;  ///< Bytes from there to distance 0, in the first iteration.
  const llvm::SCEV* count = nullptr;  ///< Iterations behind the first one.
  std::int64_t step = 0;              ///< Bytes.
  llvm::SmallVector<WindowPlace> places;
  llvm::MDNode* scope = nullptr;   ///< For loads and stores of the numbers.
  llvm::MDNode* others = nullptr;  ///< What they have nothing in common with.
};

/// Lets variables hold the numbers as long as iterations use them: each iteration loads the number
/// that it is the first to use and stores the one that it is the last to use.
///
/// Does nothing where no number is used by two iterations, or few of many.
void keep_in_variables(const PlaceWindow& window, llvm::Loop& loop, llvm::DominatorTree& dominators,
                       llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution);

}  // namespace ddx::compiler::memory
