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

/// True where the reverse sweep of `derivative` for several rows is compiled into its callers, and
/// what it calls into it, in front of all optimisations: it is short enough. Compiled by itself it
/// would load two neighbours of the residuals for each number that it needs twice, which keeps them
/// in memory, and each such load waits for both stores. Measured on bundle adjustment: 57 ns
/// instead of 73.
bool is_compiled_into_callers(const ir::Derivative& derivative);

}  // namespace ddx::compiler
