/// \file
/// Jumps to labels whose addresses are values.

#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/ValueMap.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace ddx::compiler::memory {

/// Whether a function has such jumps. It cannot be inlined: tables have the labels of its blocks.
[[nodiscard]] bool has_computed_jumps(const llvm::Function& function);

/// Replaces the jumps of `copy`, which was cloned from `from`, by comparisons with the labels of
/// `from`: tables in memory have those. `values` has the blocks of `copy` by those of `from`.
void replace_computed_jumps(const llvm::Function& from, llvm::Function& copy,
                            const llvm::ValueToValueMapTy& values);

}  // namespace ddx::compiler::memory
