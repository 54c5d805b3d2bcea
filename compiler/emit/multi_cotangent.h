/// \file
/// Which derivatives have a reverse sweep that computes several rows of a Jacobian at once.

#pragma once

#include "compiler/ir/derivative.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace ddx::compiler {

/// True where all cotangents that the reverse sweep of `derivative` meets, and those of what it
/// calls, are numbers or arrays and vectors of them: such a sweep can carry several at once.
/// `met`: the derivatives that are being looked at, for those that call themselves.
bool can_batch_cotangents(const ir::Derivative& derivative, Types& types,
                          llvm::SmallPtrSetImpl<const ir::Derivative*>& met);

}  // namespace ddx::compiler
