/// \file
/// Whether what a parallel region of OpenMP computes depends on the size of its team.

#pragma once

#include "llvm/IR/Function.h"

namespace ddx::compiler::memory {

/// True where `body`, that of a region, computes with reals in loops and sections that its team
/// shares alone, or where it combines the parts of a reduction, and asks for no number of threads:
/// one thread computes what several do. What a thread keeps from one iteration of such a loop to
/// the next, as it does for reductions, is taken to be no more than that.
///
/// Cost: one walk over the body, and one over each function that it calls by name.
bool is_independent_of_team_size(llvm::Function& body);

}  // namespace ddx::compiler::memory
