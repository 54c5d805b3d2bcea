/// \file
/// Integers that hold the bits of reals: what Clang and libraries make of small structs, of sign
/// masks and of selections in vector code.

#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
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

/// Numbers of the members of such a cotangent.
constexpr unsigned member_f64 = 0;
constexpr unsigned member_f32 = 1;

unsigned bytes_of_member(unsigned member);

/// Calls `visit(member, lane, distance in bytes)` for each number of such a cotangent.
void for_each_lane(const llvm::Type* cotangent,
                   llvm::function_ref<void(unsigned, unsigned, unsigned)> visit);

/// Whether a value of this type holds bits: is_bits, or a struct with such a part.
bool has_bits(const llvm::Type* type);

/// The type of cotangents of a value of which all integers that have room for reals may hold their
/// bits: as cotangent_type, with bits_cotangent_type for these.
llvm::Type* whole_cotangent_type(llvm::Type* type);

/// A cotangent without the parts that `type` lacks, and with zeros for those that it has besides.
llvm::Value* fit_cotangent(llvm::IRBuilderBase& builder, llvm::Value* cotangent, llvm::Type* type);

/// True for an instruction whose result is made of the bits of its operands, in a way that
/// derivatives follow: whole pieces of 32 bits move, or bits are joined by logic.
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
