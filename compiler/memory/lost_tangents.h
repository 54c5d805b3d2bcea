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

  /// Of a function of forward mode, whose last parameter is `directory`. `tangent_of` returns the
  /// tangent of a real, and of another value null where it has none.
  LostTangents(Unit& unit, llvm::Argument& directory, TangentOf tangent_of)
      : unit_(unit), directory_(directory), tangent_of_(std::move(tangent_of)) {}

  /// Returns whether an integer may hold such bits, as an i32 that is 0 or 1; null where it cannot.
  llvm::Value* of(llvm::Value* value);

  /// As of(); null also where they come only from what was passed to this function.
  llvm::Value* of_own(llvm::Value* value);

  /// The tangent of an integer that is not followed, but may hold such bits: NaN where it does,
  /// else zero.
  llvm::Value* tangent_of_lost(llvm::Value* value);

  /// NaN where a tangent is not zero, else zero; a double.
  llvm::Value* if_any(llvm::Value* tangent, llvm::IRBuilder<>& builder);

  /// Completes the phis, when all tangents are known.
  void complete();

 private:
  llvm::Value* of(const BitsOf& integer);
  llvm::Value* compute(const BitsOf& integer);
  llvm::Value* flag_of_origin(const BitsOf& origin);
  llvm::Value* tangent_of_origin(llvm::Value* origin);

  struct Phi {
    llvm::PHINode* phi;
    llvm::PHINode* flag;
    llvm::APInt bits;
  };
  struct Flag {
    llvm::APInt bits;
    llvm::Value* flag;
  };

  Unit& unit_;
  llvm::Argument& directory_;
  TangentOf tangent_of_;
  llvm::ValueMap<llvm::Value*, llvm::SmallVector<Flag, 1>>
      flags_;  ///< Calls are replaced meanwhile.
  llvm::ValueMap<llvm::Value*, llvm::Value*> tangents_;
  VisitedBits without_origin_;
  llvm::SmallVector<Phi> phis_;
};

}  // namespace ddx::compiler::memory
