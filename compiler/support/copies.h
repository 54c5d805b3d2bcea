/// \file
/// How objects are made, copied and moved, and what that does to memory that they lead to.

#pragma once

#include "compiler/support/types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"

#include <set>

namespace ddx::compiler {

/// Classifies types by their constructors and assignments; remembers the answers.
class Copies {
 public:
  Copies(clang::ASTContext& context, Types& types) : context_(context), types_(types) {}

  /// True when to copy (to move) an object may make or change something in memory that it leads
  /// to, by a constructor or an assignment written for its class or for a part of it.
  bool copy_works(clang::QualType type);
  bool move_works(clang::QualType type);

  /// True where some class among the parts of `type` has a copy or a move, written for it, that
  /// does not give the copy the numbers that the object has.
  bool copies_by_hand(clang::QualType type);

  /// The same for one copy or move constructor.
  bool copying_works(const clang::CXXConstructorDecl* constructor);

  /// True for objects, also in arrays, pairs and tuples, that empty braces do not make or for which
  /// they run a constructor of the program: they are constructed part by part, in raw storage.
  bool needs_storage(clang::QualType type);

  /// True for objects that cannot be copied: what reads one as a whole moves it.
  bool cannot_copy(clang::QualType type);

 private:
  bool works(clang::QualType type, bool moves);
  bool parts_work(const clang::CXXRecordDecl* record, bool moves);
  bool only_moves(const clang::FunctionDecl* function, std::set<const clang::FunctionDecl*>& met);
  bool only_moves(const clang::Stmt* statement, std::set<const clang::FunctionDecl*>& met);
  bool is_by_hand(const clang::CXXMethodDecl* copies);

  clang::ASTContext& context_;
  Types& types_;
  llvm::DenseMap<const clang::Type*, bool> copies_by_hand_;
  llvm::DenseMap<const clang::Type*, bool> cannot_copy_;
  llvm::DenseMap<const clang::Type*, bool> copy_works_;
  llvm::DenseMap<const clang::Type*, bool> move_works_;
};

}  // namespace ddx::compiler
