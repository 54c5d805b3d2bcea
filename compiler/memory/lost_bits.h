/// \file
/// Which integers may hold bits of reals that derivatives do not follow.

#pragma once

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <utility>

namespace ddx::compiler::memory {

/// Some bits of an integer. Of a vector or a struct: one bit for all.
struct BitsOf {
  llvm::Value* value;
  llvm::APInt bits;
};

/// All bits of an integer.
llvm::APInt all_bits_of(const llvm::Value& value);

/// The bits of operands that bits of the result of `user` may be made of: none where it does not
/// move bits. Sums and products make bits of those at lower places.
llvm::SmallVector<BitsOf> moved_bits(llvm::Instruction& user, const llvm::APInt& bits);

/// Whether `value` is where bits come from: arguments, results of calls or parts of them, loads,
/// and casts of reals.
bool is_origin_of_bits(const llvm::Value* value);

/// The call of whose result an integer is a part; null for others.
const llvm::CallBase* call_of_part(const llvm::Value& value);

using VisitedBits = llvm::DenseSet<std::pair<llvm::Value*, llvm::APInt>>;

/// Adds the origins of bits of an integer.
///
/// Bits of reals that Activity does not follow through integers: bytes one by one, what comes from
/// other functions, and what is made of bits by sums and products. Whether they belong to a real
/// that has a tangent or a cotangent is found at run time; a result that depends on one is an error
/// there. `visited` may be shared by several calls.
void find_origins(const BitsOf& integer, VisitedBits& visited,
                  llvm::function_ref<void(const BitsOf&)> add);

/// Whether bits lie in a number of `bytes` bytes that is `distance` bytes behind the begin; of a
/// vector or a struct, true.
bool lie_in(const BitsOf& integer, unsigned distance, unsigned bytes);

/// The bytes in memory from the first to the last one of an integer in which bits lie, as distance
/// and number; of a vector all.
std::pair<std::uint64_t, std::uint64_t> bytes_of(const BitsOf& integer,
                                                 const llvm::DataLayout& layout);

/// Whether the integer `value` may hold bits from an origin.
bool may_hold_bits_of_reals(llvm::Value* value);

}  // namespace ddx::compiler::memory
