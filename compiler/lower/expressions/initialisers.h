/// \file
/// First values of objects.

#pragma once

#include "compiler/lower/part.h"

#include <optional>

namespace ddx::compiler {

/// Gives objects their first values.
class Initialisers : Part {
 public:
  using Part::Part;

  /// Zero for the numbers among the bases and members: what precedes a constructor that no one
  /// wrote in `T()`. It makes the other members itself.
  void zero_numbers(const ir::Path& target, clang::SourceLocation where);
  /// Declares `root` in the forward sweep and gives it its first value.
  void declare_object(ir::Root* root, const clang::Expr* initialiser);
  /// Gives the object at `target` its first value; `raw` where it has not been constructed.
  void initialise(ir::Path target, const clang::Expr* initialiser, bool raw);
  /// Says that an object in raw storage has all its parts.
  void complete_object(ir::Root* root);
  /// `v = {a, b}`: a vector of its own first, for the elements may be made of those of `v`.
  std::optional<ir::Path> assign_elements(ir::Path target,
                                          const clang::CXXStdInitializerListExpr* list);
  /// Rejects construction of a class whose tangent leaves a base class or member out. Returns: that
  /// member, or null.
  const clang::FieldDecl* unlisted(const clang::CXXRecordDecl* record, clang::SourceLocation where);

 private:
  void store_zero(ir::Path target, bool raw, clang::SourceLocation where);
  void initialise_zero(const ir::Path& target, bool raw, clang::SourceLocation where);
  void copy_array(ir::Path target, const ir::Path& source, bool raw, clang::SourceLocation where);
  void initialise_members(const ir::Path& target, llvm::ArrayRef<clang::Expr*> values,
                          clang::SourceLocation where, bool raw);
  void initialise_list(ir::Path target, const clang::InitListExpr* list, bool raw);
  void initialise_construction(ir::Path target, const clang::CXXConstructExpr* construction,
                               bool raw);
  ir::Value* construct_from_numbers(const clang::Expr* source);
  bool initialise_elements(ir::Path target, const clang::CXXStdInitializerListExpr* list);
  bool initialise_vector(ir::Path target, const clang::CXXConstructExpr* construction);
  void construct(const ir::Path& target, ir::Value* value, bool raw, clang::SourceLocation where);
};

}  // namespace ddx::compiler
