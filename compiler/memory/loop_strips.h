/// \file
/// Loops in strips of iterations.

#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace ddx::compiler::memory {

/// Makes a loop of at most `iterations` iterations of `loop`, and another loop around it:
///
///     do { do { body } while (none of `iterations` are left); } while (some are left);
///
/// `count` is the number of iterations behind the first one, of 64 bits. For loops in simplified
/// form that end at their latch alone, with values that leave them by phis of the exit (LCSSA).
/// Returns false, and changes nothing, for others. Otherwise no analysis is up to date.
bool split_in_strips(llvm::Loop& loop, const llvm::SCEV* count, std::uint64_t iterations,
                     llvm::ScalarEvolution& evolution);

}  // namespace ddx::compiler::memory
