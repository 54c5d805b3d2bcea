#include "compiler/support/casts_to_derived.h"

#include "compiler/support/types.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

namespace ddx::compiler {

bool CastsToDerived::reached_from(const clang::FunctionDecl* function) {
  met_.clear();
  saw_all_ = true;
  const bool found = in_definition(function);
  // Some functions get their bodies only when they are asked for, and with them a cast.
  if (!found && saw_all_) {
    free_.insert(met_.begin(), met_.end());
    free_.insert(function->getCanonicalDecl());
  }
  return found;
}

bool CastsToDerived::in(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* const canonical = function->getCanonicalDecl();
  if (in_library(function) || free_.contains(canonical) || !met_.insert(canonical).second) {
    return false;
  }
  const clang::FunctionDecl* definition = nullptr;
  if (!function->hasBody(definition)) {
    saw_all_ = saw_all_ && !function->isTemplateInstantiation() && !function->isDefaulted();
    return false;
  }
  return in_definition(definition);
}

bool CastsToDerived::in_definition(const clang::FunctionDecl* definition) {
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition);
  return in(definition->getBody()) ||
         (constructor &&
          llvm::any_of(constructor->inits(), [&](const clang::CXXCtorInitializer* initialiser) {
            return in(initialiser->getInit());
          }));
}

bool CastsToDerived::in(const clang::Stmt* statement) {
  if (!statement) {
    return false;
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(statement);
      cast && cast->getCastKind() == clang::CK_BaseToDerived) {
    return true;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement);
      call && call->getDirectCallee() && in(call->getDirectCallee())) {
    return true;
  }
  if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(statement);
      construction && in(construction->getConstructor())) {
    return true;
  }
  return llvm::any_of(statement->children(), [&](const clang::Stmt* child) { return in(child); });
}

}  // namespace ddx::compiler
