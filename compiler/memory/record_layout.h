/// \file
/// How values lie in a record on the tape.

#pragma once

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Type.h"

namespace ddx::compiler::memory {

constexpr std::uint64_t record_align = 16;  ///< What the tape gives.

/// The alignment that a value of `type` has in a record: as in memory, within what the tape gives,
/// so that reals on the tape have tangents and cotangents too.
std::uint64_t align_in_record(const llvm::DataLayout& layout, llvm::Type* type);

/// Adds room for a value of `type` to a record of `size` bytes and returns its distance from the
/// begin.
unsigned add_room(const llvm::DataLayout& layout, llvm::Type* type, unsigned& size);

/// The bytes to push for a record of `size` bytes.
unsigned pushed_size(unsigned size);

}  // namespace ddx::compiler::memory
