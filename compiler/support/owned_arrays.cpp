/// Members that point to an array of numbers which their object deletes.

#include "compiler/support/types.h"

#include "clang/AST/ExprCXX.h"

namespace ddx::compiler {

using clang::CXXRecordDecl;
using clang::FieldDecl;
using clang::FunctionDecl;
using clang::Stmt;

namespace {

/// True where `pointer` names the member called `name`, of whatever object.
bool names_member(const clang::Expr* pointer, llvm::StringRef name) {
  pointer = pointer->IgnoreParenImpCasts();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(pointer)) {
    return member->getMemberDecl()->getIdentifier() && member->getMemberDecl()->getName() == name;
  }
  const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(pointer);
  return member && member->getMember().isIdentifier() &&
         member->getMember().getAsIdentifierInfo()->getName() == name;
}

bool deletes(const Stmt* statement, llvm::StringRef name) {
  if (!statement) {
    return false;
  }
  const auto* removal = llvm::dyn_cast<clang::CXXDeleteExpr>(statement);
  return (removal && names_member(removal->getArgument(), name)) ||
         llvm::any_of(statement->children(),
                      [&](const Stmt* child) { return deletes(child, name); });
}

/// What is written for `function`, if need be for the template that it is made from.
const Stmt* written(const FunctionDecl* function) {
  const FunctionDecl* definition = nullptr;
  if (function->hasBody(definition)) {
    return definition->getBody();
  }
  const FunctionDecl* pattern = function->getTemplateInstantiationPattern();
  return pattern && pattern->hasBody(definition) ? definition->getBody() : nullptr;
}

}  // namespace

bool Types::owns_array(const FieldDecl* field) {
  const auto* record = llvm::dyn_cast<CXXRecordDecl>(field->getParent());
  if (!record || in_library(record) || !field->getType()->isPointerType() ||
      !is_real(field->getType()->getPointeeType()) || !field->getIdentifier() ||
      !has_destructor(record)) {
    return false;
  }
  const auto [found, is_new] = owned_arrays_.try_emplace(field, false);
  if (is_new) {
    for (const clang::CXXMethodDecl* method : record->methods()) {
      found->second = found->second || deletes(written(method), field->getName());
    }
  }
  return found->second;
}

}  // namespace ddx::compiler
