/// \file
/// Loads and stores of integers whose width is no multiple of 32 bits.

#pragma once

#include "llvm/IR/Function.h"

namespace ddx::compiler::memory {

/// Splits loads and stores of integers of 40, 48, 56, ... bits in one of a multiple of 32 bits,
/// which may hold reals, and one of the rest. SROA makes them of copies of small structs without
/// the padding at their ends: a float and two characters.
void split_odd_widths(llvm::Function& function);

}  // namespace ddx::compiler::memory
