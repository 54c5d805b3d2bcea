/// \file
/// Which integers may hold bits of reals that derivatives do not follow.

#pragma once

#include "compiler/memory/activity.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace ddx::compiler::memory {

/// Bits of reals that Activity does not follow through integers: bytes one by one, what comes from
/// other functions, and what is made of bits by sums and products. Whether they belong to a real
/// that has a tangent or a cotangent is found at run time; a result that depends on one is an error
/// there.
class LostBits {
 public:
  explicit LostBits(const Activity& activity) : activity_(activity) {}

  using Values = llvm::SmallPtrSet<llvm::Value*, 16>;

  /// The operands by which bits that are not followed enter `user`: none where it does not move
  /// bits.
  llvm::SmallVector<llvm::Value*> operands_of(llvm::Instruction& user) const;

  /// Adds the values from which bits come to the operand `value` of `user` that are not followed:
  /// arguments, results of calls, loads, and casts of reals. `visited` is shared by several calls.
  void find_origins(llvm::Value* value, const llvm::Instruction& user, Values& visited,
                    llvm::function_ref<void(llvm::Value*)> add) const;

 private:
  bool is_followed(llvm::Value* value, const llvm::Instruction& user) const;

  const Activity& activity_;
};

/// Whether `value` is where bits come from: see LostBits::find_origins.
bool is_origin_of_bits(const llvm::Value* value);

/// Whether the integer `value` may hold bits from an origin.
bool may_hold_bits_of_reals(llvm::Value* value);

}  // namespace ddx::compiler::memory
