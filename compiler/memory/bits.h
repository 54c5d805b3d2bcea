/// \file
/// Integers that hold the bits of reals: what Clang and libraries make of small structs, of sign
/// masks and of selections in vector code.

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Type.h"

#include <optional>

namespace ddx::compiler::memory {

/// True for integers, and vectors of integers of 32 or 64 bits, that have room for reals.
bool is_bits(const llvm::Type* type);

/// True for a store that may write bytes of a real under another type: of an integer, by a
/// character type or without a type of its own (no TBAA), to something else than a variable of
/// integers.
bool may_write_bytes(const llvm::StoreInst& store);

/// As may_write_bytes, for a load.
bool may_read_bytes(const llvm::LoadInst& load);

/// The number of pieces of 32 bits in a value of such a type, or of reals in a vector.
unsigned pieces_of(const llvm::Type* type);

/// The type of cotangents of a value that holds bits: one double for each 64 bits and one float for
/// each 32, since the bits may be those of either.
llvm::Type* bits_cotangent_type(llvm::Type* type);

/// True for an instruction whose result is made of the bits of its operands.
bool moves_bits(const llvm::Instruction& instruction);

/// From which piece of which operand each piece of the result comes.
struct Piece {
  int operand = -1;  ///< Negative: a constant.
  unsigned piece = 0;
};

/// The pieces of the result of an instruction that only moves them; nothing for others (logic,
/// phis, selections), or where they move by amounts that are not known.
std::optional<llvm::SmallVector<Piece>> moved_pieces(const llvm::Instruction& instruction);

}  // namespace ddx::compiler::memory
