/// \file
/// States for the optimiser that the tape lies apart from all that programs access.

#pragma once

#include "llvm/IR/Function.h"

namespace ddx::compiler::memory {

/// Gives the stores of records of a forward sweep an alias scope that all else in it has nothing in
/// common with. Loops then need no check whether they overwrite what they read.
void mark_tape(llvm::Function& forward);

}  // namespace ddx::compiler::memory
