/// \file
/// What a call of a function may do, found for all functions of a module at once.

#pragma once

#include "compiler/memory/memory_rules.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace ddx::compiler::memory {

class FunctionFacts {
 public:
  FunctionFacts(llvm::Module& module, const MemoryRules& rules);

  /// False for functions that only handle integers and pointers, and whose callees do.
  [[nodiscard]] bool touches_reals(const llvm::Function& function) const {
    return touching_.contains(&function);
  }

  /// Whether a call may end by an exception.
  [[nodiscard]] bool may_throw(const llvm::Function& function) const {
    return throwing_.contains(&function);
  }

 private:
  llvm::DenseSet<const llvm::Function*> touching_;
  llvm::DenseSet<const llvm::Function*> throwing_;
};

}  // namespace ddx::compiler::memory
