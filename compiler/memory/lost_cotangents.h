/// \file
/// Reverse mode of bits that are not followed.

#pragma once

#include "compiler/memory/activity.h"
#include "compiler/memory/calls.h"
#include "compiler/memory/lost_bits.h"
#include "compiler/memory/unit.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace ddx::compiler::memory {

/// Notes, in the reverse sweep of a function, that a real with a cotangent was made of bits that
/// are not followed. From then on the reals that such bits were loaded from, earlier in the
/// program, have lost theirs. One note serves all integers of the function; notes pass between
/// functions where integers do.
class LostCotangents {
 public:
  using Kinds = llvm::DenseMap<const llvm::CallBase*, CallKind>;

  /// Of the prepared function `function`.
  LostCotangents(llvm::Function& function, const Signature& signature, const Activity& activity,
                 const Kinds& kinds, Unit& unit);

  /// Begins the reverse sweep, where `builder` is at its entry.
  void begin(llvm::Value* sweep, llvm::IRBuilder<>& builder);

  /// Notes that `is_lost` (i32) is not 0.
  void note(llvm::Value* is_lost, llvm::IRBuilder<>& builder);

  /// True for an integer that has no cotangent, but may hold bits of reals that have one.
  bool is_lost_part(const llvm::Value* value) const { return parts_.contains(value); }

  /// Notes that such an integer would have a cotangent that is not zero.
  void note_part(llvm::Value* value, llvm::Value* cotangent, llvm::IRBuilder<>& builder);

  /// Returns the cotangent of the reals whose bits `cast` gives that they have by bits which are
  /// not followed: NaN where it is lost.
  llvm::Value* lost_reals(llvm::CastInst& cast, llvm::IRBuilder<>& builder);

  /// Returns the cotangent of an argument, or of the result of a call or a part of it, NaN where it
  /// is lost.
  llvm::Value* add_lost(llvm::Value& value, llvm::Value* cotangent, llvm::IRBuilder<>& builder);

  /// True for a value from which such bits come. Loads are reversed by mark().
  bool is_origin(const llvm::Value& value) const { return origins_.contains(&value); }
  void mark(llvm::LoadInst& load, llvm::Value* address, llvm::IRBuilder<>& builder);

  /// Around the reverse sweep of a callee.
  void before_callee(llvm::CallBase& call, llvm::IRBuilder<>& builder);
  void behind_callee(llvm::CallBase& call, llvm::IRBuilder<>& builder);

  /// Ends the reverse sweep.
  void end(llvm::IRBuilder<>& builder);

 private:
  bool is_followed(const llvm::Value* value, const llvm::Instruction& user,
                   const Activity& activity, const Signature& signature) const;
  void add_use(const BitsOf& use, const Kinds& kinds);
  llvm::Value* lost_number(llvm::Type* real, llvm::IRBuilder<>& builder);
  llvm::Value* noted(llvm::IRBuilder<>& builder);
  void pass(llvm::IRBuilder<>& builder);

  Unit& unit_;
  llvm::DenseMap<const llvm::Value*, llvm::APInt> origins_;
  llvm::DenseMap<const llvm::Value*, llvm::APInt> parts_;  ///< The lost bits of integers.
  bool takes_bits_ = false;                                ///< From arguments.
  bool returns_bits_ = false;
  llvm::Value* sweep_ = nullptr;
  llvm::AllocaInst* note_ = nullptr;
};

}  // namespace ddx::compiler::memory
