/// \file
/// Forward mode of bits that are not followed.

#pragma once

#include "compiler/memory/lost_bits.h"
#include "compiler/memory/unit.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueMap.h"

#include <functional>

namespace ddx::compiler::memory {

/// Computes, beside integers, whether they may hold bits of a real that has a tangent. What is
/// loaded may where such a real lies in that memory; arguments and results of functions may where
/// such bits were passed to any.
class LostTangents {
 public:
  using TangentOf = std::function<llvm::Value*(llvm::Value*)>;

  /// Of a function of forward mode, whose last parameter is `directory`.
  LostTangents(Unit& unit, const Activity& activity, llvm::Argument& directory,
               TangentOf tangent_of)
      : unit_(unit), bits_(activity), directory_(directory), tangent_of_(std::move(tangent_of)) {}

  /// Returns whether the operand `value` of `user` may hold such bits, as an i32 that is 0 or 1;
  /// null where it cannot.
  llvm::Value* of(llvm::Value* value, const llvm::Instruction& user);

  /// As of(); null also where they come only from what was passed to this function.
  llvm::Value* of_loads(llvm::Value* value, const llvm::Instruction& user);

  /// Completes the phis, when all tangents are known.
  void complete();

 private:
  llvm::Value* flag_of(llvm::Value* value);
  llvm::Value* compute(llvm::Value* value);
  llvm::Value* flag_of_origin(llvm::Value* value, llvm::IRBuilder<>& builder);

  Unit& unit_;
  LostBits bits_;
  llvm::Argument& directory_;
  TangentOf tangent_of_;
  llvm::ValueMap<llvm::Value*, llvm::Value*> flags_;  ///< Calls are replaced while this is in use.
  llvm::DenseSet<llvm::Value*> without_origin_;
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::PHINode*>> phis_;
};

}  // namespace ddx::compiler::memory
