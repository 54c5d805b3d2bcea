/// \file
/// How values lie in a record on the tape.

#pragma once

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Type.h"

namespace ddx::compiler::memory {

/// Adds room for a value of `type` to a record of `size` bytes and returns its distance from the
/// begin. It is aligned as in memory, so that reals on the tape have tangents and cotangents too.
unsigned add_room(const llvm::DataLayout& layout, llvm::Type* type, unsigned& size);

/// The bytes to push for a record of `size` bytes.
unsigned pushed_size(unsigned size);

}  // namespace ddx::compiler::memory
