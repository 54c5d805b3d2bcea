/// \file
/// Which values of a function carry derivatives.

#pragma once

#include "compiler/memory/signature.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace ddx::compiler::memory {

class Unit;

/// The values of a prepared function that depend on memory, on real arguments or on results of
/// calls (varied), and of which memory, calls or the result depend (useful).
class Activity {
 public:
  Activity(const llvm::Function& function, const Signature& signature, Unit& unit);

  /// True for a value whose cotangent may be other than zero and is used.
  bool is_active(const llvm::Value* value) const {
    return useful_.contains(value) && (varied_.contains(value) || perhaps_.contains(value));
  }

  bool is_varied(const llvm::Value* value) const { return varied_.contains(value); }

  /// Makes `now`, which takes the place of `old`, what that is.
  void replace(const llvm::Value* old, const llvm::Value* now);

 private:
  bool vary(const llvm::Instruction& instruction, Unit& unit);
  bool vary_whole(const llvm::Instruction& instruction, Unit& unit);
  void find_varied(const llvm::Function& function, const Signature& signature, Unit& unit);
  void find_useful(const llvm::Function& function, const Signature& signature, Unit& unit);
  void find_leaving(const llvm::Instruction& instruction, const Signature& signature, Unit& unit,
                    llvm::function_ref<void(const llvm::Value*)> use) const;

  llvm::DenseSet<const llvm::Value*> varied_;
  llvm::DenseSet<const llvm::Value*> perhaps_;  ///< Integers that may hold the bits of reals.
  llvm::DenseSet<const llvm::Value*> wholes_;   ///< Structs with such integers.
  llvm::DenseSet<const llvm::Value*> useful_;
};

/// The signature of what a call calls.
Signature signature_of_call(const llvm::CallBase& call, Unit& unit);

/// True for memory that never changes: a constant global variable.
bool is_constant_memory(const llvm::Value* address);

/// True for what a comparison and exchange of integers found in memory.
bool is_exchanged_bits(const llvm::Instruction& instruction);

}  // namespace ddx::compiler::memory
