/// \file
/// Reverse mode of bits that are not followed.

#pragma once

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
  LostCotangents(llvm::Function& function, const Activity& activity, const Kinds& kinds,
                 Unit& unit);

  /// Begins the reverse sweep, where `builder` is at its entry.
  void begin(llvm::Value* sweep, llvm::IRBuilder<>& builder);

  /// Notes that `is_lost` (i32) is not 0.
  void note(llvm::Value* is_lost, llvm::IRBuilder<>& builder);

  /// Notes that a cotangent is not zero: a real, or a vector of reals.
  void note_if_any(llvm::Value* cotangent, llvm::IRBuilder<>& builder);

  /// Returns the cotangent of the real whose bits `cast` gives, NaN where it is lost.
  llvm::Value* add_lost(llvm::CastInst& cast, llvm::Value* cotangent, llvm::IRBuilder<>& builder);

  /// True for a load from which such bits come: reversed by mark().
  bool is_loaded(llvm::LoadInst& load) const { return origins_.contains(&load); }
  void mark(llvm::LoadInst& load, llvm::Value* address, llvm::IRBuilder<>& builder);

  /// Around the reverse sweep of a callee.
  void before_callee(llvm::CallBase& call, llvm::IRBuilder<>& builder);
  void behind_callee(llvm::CallBase& call, llvm::IRBuilder<>& builder);

  /// Ends the reverse sweep.
  void end(llvm::IRBuilder<>& builder);

 private:
  llvm::Value* noted(llvm::IRBuilder<>& builder);
  void pass(llvm::IRBuilder<>& builder);

  Unit& unit_;
  LostBits::Values origins_;
  bool takes_bits_ = false;  ///< From arguments.
  bool returns_bits_ = false;
  llvm::Value* sweep_ = nullptr;
  llvm::AllocaInst* note_ = nullptr;
};

}  // namespace ddx::compiler::memory
