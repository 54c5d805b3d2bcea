/// \file
/// Whether the end of an object's life runs code of the program, which the analysis of shapes does
/// not execute.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/DenseMap.h"

namespace ddx::compiler::shapes {

/// Answers by type, and keeps the answers.
class Destruction {
 public:
  explicit Destruction(const clang::ASTContext& ast) : ast_(ast) {}

  /// Whether the destructor of an object, of a part of it or of what it owns is of the program.
  bool runs_program(clang::QualType type);

 private:
  bool runs(const clang::CXXRecordDecl& record);
  bool owned_runs(const clang::ClassTemplateSpecializationDecl& made);
  bool argument_runs(const clang::TemplateArgument& argument);

  const clang::ASTContext& ast_;
  llvm::DenseMap<const clang::CXXRecordDecl*, bool> known_;
};

}  // namespace ddx::compiler::shapes
