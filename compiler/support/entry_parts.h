/// \file
/// Entries by function pointer, function by function.

#pragma once

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>

namespace ddx::compiler {

/// What has been written of entries that cannot be written yet: where functions of one type are
/// differentiated through pointers, and one of them calls the derivative of another, that entry
/// has to wait for a part of itself. Each part is a function of its own, with the entry's
/// parameters, and so is what the unit knows of the entry. Lives as long as the unit.
class EntryParts {
 public:
  /// The name of the function that serves `entry` for `target`; empty where there is none yet.
  [[nodiscard]] llvm::StringRef find(const clang::FunctionDecl* entry,
                                     const clang::FunctionDecl* target) const {
    const auto found = names_.find({entry->getCanonicalDecl(), target->getCanonicalDecl()});
    return found == names_.end() ? llvm::StringRef() : llvm::StringRef(found->second);
  }

  void add(const clang::FunctionDecl* entry, const clang::FunctionDecl* target, std::string name) {
    names_[{entry->getCanonicalDecl(), target->getCanonicalDecl()}] = std::move(name);
  }

  /// The name of the function that serves `entry` for all functions of this unit; empty where there
  /// is none yet.
  [[nodiscard]] llvm::StringRef find_own(const clang::FunctionDecl* entry) const {
    const auto found = own_.find(entry->getCanonicalDecl());
    return found == own_.end() ? llvm::StringRef() : llvm::StringRef(found->second);
  }

  void add_own(const clang::FunctionDecl* entry, std::string name) {
    own_[entry->getCanonicalDecl()] = std::move(name);
  }

 private:
  llvm::DenseMap<std::pair<const clang::FunctionDecl*, const clang::FunctionDecl*>, std::string>
      names_;
  llvm::DenseMap<const clang::FunctionDecl*, std::string> own_;
};

}  // namespace ddx::compiler
