/// \file
/// The alignment of variables that hold parts of objects.

#pragma once

#include "llvm/IR/Function.h"

namespace ddx::compiler::memory {

/// Places each variable of bytes, or of a packed struct, at the distance from a multiple of 16 that
/// the memory has from which it is copied, or to which.
///
/// SROA makes such variables of parts of objects, at offset 12 of a struct, say. A part that is
/// copied as a whole may lie anywhere, but the cotangents of its reals have the places of reals.
void align_parts(llvm::Function& function);

}  // namespace ddx::compiler::memory
