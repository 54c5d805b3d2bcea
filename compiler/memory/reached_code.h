/// \file
/// The functions of a module that others may lead to.

#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"

namespace ddx::compiler::memory {

/// What can be called from some functions: what they and their callees name, in calls or as
/// addresses, tables of virtual functions included. What a pointer from elsewhere leads to is not
/// known, and not part of it.
class ReachedCode {
 public:
  /// Adds a function, and all that it leads to. Cost: one look at each instruction of these.
  void add(const llvm::Function& function);

  [[nodiscard]] bool contains(const llvm::Function& function) const {
    return met_.contains(&function);
  }

 private:
  llvm::DenseSet<const llvm::Constant*> met_;
};

}  // namespace ddx::compiler::memory
