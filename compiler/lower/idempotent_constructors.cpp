#include "compiler/lower/idempotent_constructors.h"

#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;

namespace {

constexpr unsigned call_limit = 16;

/// Looks whether a constructor does nothing outside of its object, so that it can run twice.
class Outside {
 public:
  using FindBody = llvm::function_ref<const FunctionDecl*(const FunctionDecl*)>;
  Outside(FindBody find_body, Types& types) : find_body_(find_body), types_(types) {}

  bool runs_alone(const FunctionDecl* function, unsigned depth) {
    const bool hands_out = llvm::any_of(function->parameters(), [&](const ParmVarDecl* parameter) {
      const QualType type = parameter->getType();
      return (type->isReferenceType() && !type.getNonReferenceType().isConstQualified()) ||
             type->isPointerType() || types_.holds_dynamic_pointer(type) ||
             Types::is_callable(type.getNonReferenceType());
    });
    if (hands_out || depth > call_limit || !function->getBody()) {
      return false;
    }
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function)) {
      for (const CXXCtorInitializer* initialiser : constructor->inits()) {
        if (initialiser->isDelegatingInitializer() || initialiser->isBaseVirtual() ||
            !stays_inside(initialiser->getInit(), depth)) {
          return false;
        }
      }
    }
    return stays_inside(function->getBody(), depth);
  }

 private:
  bool stays_inside(const Stmt* statement, unsigned depth) {
    if (!statement) {
      return true;
    }
    if (isa<CXXNewExpr, CXXDeleteExpr, LambdaExpr, StmtExpr, AsmStmt, GotoStmt, CXXTryStmt,
            CXXPseudoDestructorExpr>(statement)) {
      return false;
    }
    if (const auto* with_default = dyn_cast<CXXDefaultInitExpr>(statement)) {
      return stays_inside(with_default->getExpr(), depth);
    }
    if (const auto* argument = dyn_cast<CXXDefaultArgExpr>(statement)) {
      return stays_inside(argument->getExpr(), depth);
    }
    const auto* expression = dyn_cast<Expr>(statement);
    if (expression && !isa<CXXThisExpr>(expression->IgnoreImplicit()) &&
        types_.holds_dynamic_pointer(expression->getType())) {
      return false;
    }
    if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
      const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
      if (variable && variable->hasGlobalStorage() && !variable->getType().isConstQualified()) {
        return false;
      }
    }
    if (const auto* inherited = dyn_cast<CXXInheritedCtorInitExpr>(statement);
        inherited && !follows(inherited->getConstructor(), depth)) {
      return false;
    }
    if (const auto* construction = dyn_cast<CXXConstructExpr>(statement)) {
      const CXXConstructorDecl* constructor = construction->getConstructor();
      if (!in_library(constructor) && !constructor->isTrivial() && !follows(constructor, depth)) {
        return false;
      }
    }
    if (const auto* call = dyn_cast<CallExpr>(statement)) {
      const FunctionDecl* callee = call->getDirectCallee();
      const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
      if (!callee || (method && method->isVirtual())) {
        return false;
      }
      const bool pure = callee->isConstexpr() || find_scalar_rule(callee) ||
                        (in_library(callee) && (method || callee->isInStdNamespace()));
      if (!pure && (in_library(callee) || !follows(callee, depth))) {
        return false;
      }
    }
    return llvm::all_of(statement->children(),
                        [&](const Stmt* child) { return stays_inside(child, depth); });
  }

  bool follows(const FunctionDecl* callee, unsigned depth) {
    const FunctionDecl* body = find_body_(callee);
    return body && runs_alone(body, depth + 1);
  }

  FindBody find_body_;
  Types& types_;
};

bool contains_return(const Stmt* statement) {
  return statement &&
         (isa<ReturnStmt>(statement) || llvm::any_of(statement->children(), contains_return));
}

/// True for what an empty object can be assigned to.
bool can_be_set_back(const FieldDecl* field) {
  const QualType type = field->getType();
  const CXXRecordDecl* record = Types::record(type);
  return !type.isConstQualified() && !type->isReferenceType() && !type->isPointerType() &&
         (!record || Types::container(type) != Container::None ||
          (in_library(record) && record->getIdentifier() && record->getName() == "basic_string") ||
          (!in_library(record) && record->hasTrivialCopyAssignment()));
}

}  // namespace

bool initialises_only(const CXXConstructorDecl* constructor) {
  const auto* body = dyn_cast_or_null<CompoundStmt>(constructor->getBody());
  return (constructor->isTrivial() || (body && body->body_empty())) &&
         llvm::all_of(constructor->inits(), [](const CXXCtorInitializer* initialiser) {
           return !initialiser->isDelegatingInitializer() &&
                  !(initialiser->isBaseInitializer() && initialiser->isBaseVirtual()) &&
                  is_idempotent(initialiser->getInit());
         });
}

bool is_idempotent(const Stmt* statement) {
  if (!statement) {
    return true;
  }
  if (isa<CXXNewExpr, CXXThrowExpr, LambdaExpr, StmtExpr>(statement)) {
    return false;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(statement);
      operation && operation->isAssignmentOp()) {
    return false;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(statement);
      operation && operation->isIncrementDecrementOp()) {
    return false;
  }
  if (const auto* call = dyn_cast<CallExpr>(statement)) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !(callee->isConstexpr() || find_scalar_rule(callee) || in_library(callee))) {
      return false;
    }
  }
  if (const auto* construction = dyn_cast<CXXConstructExpr>(statement);
      construction && !in_library(construction->getConstructor()) &&
      !initialises_only(construction->getConstructor())) {
    return false;
  }
  if (const auto* inherited = dyn_cast<CXXInheritedCtorInitExpr>(statement);
      inherited && !initialises_only(inherited->getConstructor())) {
    return false;
  }
  if (const auto* with_default = dyn_cast<CXXDefaultInitExpr>(statement)) {
    return is_idempotent(with_default->getExpr());
  }
  return llvm::all_of(statement->children(),
                      [](const Stmt* child) { return is_idempotent(child); });
}

/// True where a finished object is as it was after its constructor has run on it once more.
bool Lowering::runs_again(const CXXConstructorDecl* constructor) {
  if (initialises_only(constructor)) {
    return true;
  }
  for (const CXXBaseSpecifier& base : constructor->getParent()->bases()) {
    const CXXRecordDecl* record = base.getType()->getAsCXXRecordDecl();
    if (base.isVirtual() || !record || record->getNumVBases() > 0) {
      return false;
    }
  }
  const auto find_body = [this](const FunctionDecl* callee) { return visible_body(callee); };
  return !contains_return(constructor->getBody()) &&
         llvm::all_of(constructor->inits(),
                      [](const CXXCtorInitializer* initialiser) {
                        return initialiser->isBaseInitializer() ||
                               (initialiser->isMemberInitializer() &&
                                can_be_set_back(initialiser->getMember()));
                      }) &&
         Outside(find_body, context_.types).runs_alone(constructor, 0);
}

}  // namespace ddx::compiler
