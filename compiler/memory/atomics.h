/// \file
/// Atomic operations, by which threads synchronise or change a number together.

#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace ddx::compiler::memory {

/// True for an operation that orders other memory accesses of threads: acquire, release.
bool orders_threads(const llvm::Instruction& instruction);

/// Brings the atomic operations of a prepared function into the form that is differentiated.
///
/// C++ exchanges and compares the bits of numbers; these become operations on the numbers, in
/// sections that the threads pass one after the other (`ddx.atomic.begin`, `ddx.atomic.end`), so
/// that the reverse sweeps pass them in the opposite order. Additions whose result is not used
/// commute and stay. Operations that order other accesses get an event (`ddx.event`): before a
/// release, behind an acquire.
///
/// An exchange that finds the number it expects takes it for the one that was read, as the program
/// does: where others changed the number and changed it back in between, the derivative lacks what
/// they did.
void prepare_atomics(llvm::Function& function);

}  // namespace ddx::compiler::memory
