/// \file
/// How objects are made and copied.

#pragma once

#include "compiler/support/types.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"

namespace ddx::compiler {

/// Classifies types by their constructors and assignments; remembers the answers.
class Copies {
 public:
  explicit Copies(Types& types) : types_(types) {}

  /// True where some class among the parts of `type` has a copy or a move written for it, which
  /// need not give the copy the numbers that the object has.
  bool copies_by_hand(clang::QualType type);

  /// True for objects, also in arrays, pairs and tuples, that empty braces do not make or for which
  /// they run a constructor of the program: they are constructed part by part, in raw storage.
  bool needs_storage(clang::QualType type);

  /// True for objects that cannot be copied: what reads one as a whole moves it.
  bool cannot_copy(clang::QualType type);

 private:
  Types& types_;
  llvm::DenseMap<const clang::Type*, bool> copies_by_hand_;
  llvm::DenseMap<const clang::Type*, bool> cannot_copy_;
};

}  // namespace ddx::compiler
