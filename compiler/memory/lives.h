/// \file
/// Where the lives of objects begin.

#pragma once

#include "compiler/memory/unit.h"

#include "llvm/IR/InstrTypes.h"

namespace ddx::compiler::memory {

/// Marks the begin of each life: behind each allocation and at each variable that stays in memory,
/// a call of `ddx.begin` with address and size. In a reverse sweep the cotangents there must be
/// zero: all that was read has been written. Others are bits of reals that were copied as integers.
void mark_lives(llvm::Function& function, Unit& unit);

/// True for a call that mark_lives made.
bool is_begin_of_life(const llvm::CallBase& call);

}  // namespace ddx::compiler::memory
