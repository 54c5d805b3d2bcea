/// \file
/// Which virtual functions a call through a pointer may reach.

#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <optional>

namespace ddx::compiler::memory {

/// The place of its callee in a table to which an object points, in bytes; nothing for others. All
/// virtual calls have one but those through pointers to members.
std::optional<std::uint64_t> virtual_place(const llvm::CallBase& call);

/// The places of the functions of a module in its tables of virtual functions.
class VirtualTables {
 public:
  explicit VirtualTables(const llvm::Module& module);

  /// Whether a call by one of `places` may reach `function`: it has such a place, or its address is
  /// used elsewhere too. Tables without type information count as elsewhere.
  [[nodiscard]] bool may_reach(const llvm::Function& function,
                               const llvm::DenseSet<std::uint64_t>& places) const;

 private:
  void add(const llvm::ConstantArray& functions);

  std::uint64_t pointer_size_;
  llvm::DenseSet<const llvm::ConstantArray*> known_;
  llvm::DenseMap<const llvm::Function*, llvm::DenseSet<std::uint64_t>> places_;
};

}  // namespace ddx::compiler::memory
