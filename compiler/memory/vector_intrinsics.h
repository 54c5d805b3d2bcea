/// \file
/// Intrinsics of one processor, as instructions that all processors have.

#pragma once

#include "llvm/IR/Function.h"

namespace ddx::compiler::memory {

/// Replaces what vectorised libraries call on x86: horizontal sums, extrema, selections by sign,
/// alternating sums, rounding, and permutations whose places are constants.
void replace_vector_intrinsics(llvm::Function& function);

}  // namespace ddx::compiler::memory
