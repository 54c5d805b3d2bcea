/// \file
/// Whether what a parallel region of OpenMP computes depends on the size of its team.

#pragma once

#include "llvm/IR/Function.h"

namespace ddx::compiler::memory {

/// True where one thread computes what a team of several does: `body`, that of a region, computes
/// with reals only in loops and sections whose iterations the team shares and where it combines the
/// parts of a reduction, and does not ask for the number of threads. Variables that a thread keeps
/// from one iteration of such a loop to the next are taken to be parts of a reduction.
///
/// Cost: one walk over the body, and one over each function that it calls by name.
bool is_independent_of_team_size(llvm::Function& body);

}  // namespace ddx::compiler::memory
