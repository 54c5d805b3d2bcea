#include "compiler/support/called_operator.h"

#include "compiler/support/types.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace ddx::compiler {

using namespace clang;

namespace {

/// The function that `statement` calls or names; null for others.
const FunctionDecl* function_named(const Stmt* statement) {
  if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
    return dyn_cast<FunctionDecl>(reference->getDecl());
  }
  if (const auto* member = dyn_cast<MemberExpr>(statement)) {
    return dyn_cast<FunctionDecl>(member->getMemberDecl());
  }
  const auto* construction = dyn_cast<CXXConstructExpr>(statement);
  return construction ? construction->getConstructor() : nullptr;
}

}  // namespace

const CXXMethodDecl* called_operator(const FunctionDecl* caller, const CXXRecordDecl* record) {
  llvm::SmallPtrSet<const FunctionDecl*, 8> bodies;
  llvm::SmallPtrSet<const CXXMethodDecl*, 2> found;
  llvm::SmallVector<const Stmt*> left;
  const auto enter = [&](const FunctionDecl* function) {
    const FunctionDecl* definition = function->getDefinition();
    if (!definition || !definition->getBody() || !bodies.insert(definition).second) {
      return;
    }
    left.push_back(definition->getBody());
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(definition)) {
      for (const CXXCtorInitializer* initializer : constructor->inits()) {
        left.push_back(initializer->getInit());
      }
    }
  };
  enter(caller);
  while (!left.empty()) {
    const Stmt* statement = left.pop_back_val();
    if (const FunctionDecl* named = function_named(statement)) {
      const auto* method = dyn_cast<CXXMethodDecl>(named);
      if (method && method->getOverloadedOperator() == OO_Call &&
          method->getParent()->getCanonicalDecl() == record->getCanonicalDecl()) {
        found.insert(method->getCanonicalDecl());
      } else if (in_library(named)) {
        enter(named);
      }
    }
    for (const Stmt* child : statement->children()) {
      if (child) {
        left.push_back(child);
      }
    }
  }
  return found.size() == 1 ? *found.begin() : nullptr;
}

const CXXMethodDecl* operator_called_by(const FunctionDecl* caller, const Expr* object) {
  const CXXRecordDecl* record = Types::record(object->getType());
  return record && !Types::is_function_object(object->getType()) ? called_operator(caller, record)
                                                                 : nullptr;
}

const FunctionDecl* function_from_lambda(const Expr* expression) {
  const auto* call = dyn_cast<CXXMemberCallExpr>(expression->IgnoreParenImpCasts());
  const auto* conversion =
      call ? dyn_cast_or_null<CXXConversionDecl>(call->getMethodDecl()) : nullptr;
  if (!conversion || !conversion->getParent()->isLambda()) {
    return nullptr;
  }
  const Expr* object = call->getImplicitObjectArgument()->IgnoreImplicit();
  if (!isa<LambdaExpr, DeclRefExpr>(object)) {
    return nullptr;
  }
  CXXMethodDecl* const made = conversion->getParent()->getLambdaStaticInvoker();
  FunctionTemplateDecl* const pattern = made ? made->getDescribedFunctionTemplate() : nullptr;
  if (!pattern) {
    return made;
  }
  void* position = nullptr;
  const TemplateArgumentList* of = conversion->getTemplateSpecializationArgs();
  return of ? pattern->findSpecialization(of->asArray(), position) : nullptr;
}

const CXXMethodDecl* operator_behind(const FunctionDecl* function) {
  const auto* method = dyn_cast<CXXMethodDecl>(function);
  if (!method || !method->isLambdaStaticInvoker()) {
    return nullptr;
  }
  CXXMethodDecl* const called = method->getParent()->getLambdaCallOperator();
  FunctionTemplateDecl* const pattern = called->getDescribedFunctionTemplate();
  if (!pattern) {
    return called;
  }
  void* position = nullptr;
  const TemplateArgumentList* of = method->getTemplateSpecializationArgs();
  return of ? cast_or_null<CXXMethodDecl>(pattern->findSpecialization(of->asArray(), position))
            : nullptr;
}

}  // namespace ddx::compiler
