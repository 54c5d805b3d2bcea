#include "compiler/lower/library/moving_expressions.h"

#include "clang/AST/ASTContext.h"

#include <cstdlib>

namespace ddx::compiler {

using namespace clang;

const Expr* below_copies(const Expr* expression) {
  for (;;) {
    expression = expression->IgnoreParenImpCasts();
    if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
      expression = temporary->getSubExpr();
    } else if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
      expression = cleanups->getSubExpr();
    } else if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(expression)) {
      expression = bound->getSubExpr();
    } else {
      return expression;
    }
  }
}

const Expr* moved(const Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  if (const auto* cast = dyn_cast<ExplicitCastExpr>(expression)) {
    return cast->isXValue() && cast->getSubExpr()->isGLValue() ? cast->getSubExpr() : nullptr;
  }
  const auto* call = dyn_cast<CallExpr>(expression);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  const bool lets = callee && callee->isInStdNamespace() && callee->getIdentifier() &&
                    (callee->getName() == "move" || callee->getName() == "forward");
  return lets && call->isXValue() && call->getNumArgs() == 1 ? call->getArg(0) : nullptr;
}

bool is_named_after(const ValueDecl* variable, SourceLocation behind, const Stmt* statement,
                    const SourceManager& sources) {
  if (!statement) {
    return false;
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
    return reference->getDecl() == variable &&
           (behind.isInvalid() || reference->refersToEnclosingVariableOrCapture() ||
            sources.isBeforeInTranslationUnit(behind, reference->getLocation()));
  }
  const bool loops = isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement);
  const auto lies_within = [&](SourceLocation place) {
    return !sources.isBeforeInTranslationUnit(place, statement->getBeginLoc()) &&
           !sources.isBeforeInTranslationUnit(statement->getEndLoc(), place);
  };
  if (loops && behind.isValid() && lies_within(behind) && !lies_within(variable->getLocation())) {
    behind = SourceLocation();  // In the next iteration.
  }
  return llvm::any_of(statement->children(), [&](const Stmt* child) {
    return is_named_after(variable, behind, child, sources);
  });
}

const Stmt* body_around(const ValueDecl* variable) {
  const auto* function = dyn_cast<FunctionDecl>(variable->getDeclContext());
  return function ? function->getBody() : nullptr;
}

const VarDecl* named_variable(const Expr* expression) {
  const auto* reference = dyn_cast<DeclRefExpr>(below_copies(expression));
  return reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
}

std::optional<Stepping> stepping(const Expr* expression, ASTContext& context) {
  expression = expression->IgnoreParenImpCasts();
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
    expression = cleanups->getSubExpr()->IgnoreParenImpCasts();
  }
  const auto constant = [&](const Expr* amount, long sign) -> std::optional<long> {
    Expr::EvalResult result;
    return amount->EvaluateAsInt(result, context)
               ? std::optional<long>(sign * result.Val.getInt().getExtValue())
               : std::nullopt;
  };
  if (const auto* operation = dyn_cast<UnaryOperator>(expression);
      operation && operation->isIncrementDecrementOp()) {
    return Stepping{operation->getSubExpr(), operation->isIncrementOp() ? 1 : -1};
  }
  if (const auto* compound = dyn_cast<CompoundAssignOperator>(expression)) {
    const auto amount =
        constant(compound->getRHS(), compound->getOpcode() == BO_AddAssign ? 1 : -1);
    return amount ? std::optional(Stepping{compound->getLHS(), *amount}) : std::nullopt;
  }
  const auto* call = dyn_cast<CXXOperatorCallExpr>(expression);
  if (!call) {
    return std::nullopt;
  }
  switch (call->getOperator()) {
    case OO_PlusPlus:
      return Stepping{call->getArg(0), 1};
    case OO_MinusMinus:
      return Stepping{call->getArg(0), -1};
    case OO_PlusEqual:
    case OO_MinusEqual: {
      const auto amount = constant(call->getArg(1), call->getOperator() == OO_PlusEqual ? 1 : -1);
      return amount ? std::optional(Stepping{call->getArg(0), *amount}) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

std::size_t mentions(const Stmt* statement, const ValueDecl* variable) {
  if (!statement) {
    return 0;
  }
  const auto* reference = dyn_cast<DeclRefExpr>(statement);
  std::size_t count = reference && reference->getDecl() == variable ? 1 : 0;
  for (const Stmt* child : statement->children()) {
    count += mentions(child, variable);
  }
  return count;
}

const Expr* below_initialiser(const Expr* expression) {
  for (;;) {
    expression = expression->IgnoreParens();
    if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
      expression = cleanups->getSubExpr();
    } else if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
      expression = temporary->getSubExpr();
    } else if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(expression)) {
      expression = bound->getSubExpr();
    } else if (const auto* constant = dyn_cast<ConstantExpr>(expression)) {
      expression = constant->getSubExpr();
    } else if (const auto* with_default = dyn_cast<CXXDefaultInitExpr>(expression)) {
      expression = with_default->getExpr();
    } else if (const auto* argument = dyn_cast<CXXDefaultArgExpr>(expression)) {
      expression = argument->getExpr();
    } else if (const auto* parameter = dyn_cast<SubstNonTypeTemplateParmExpr>(expression)) {
      expression = parameter->getReplacement();
    } else if (const auto* cast = dyn_cast<CastExpr>(expression);
               cast && cast->getType()->isRecordType() && !cast->isGLValue() &&
               (cast->getCastKind() == CK_NoOp || cast->getCastKind() == CK_ConstructorConversion ||
                cast->getCastKind() == CK_UserDefinedConversion)) {
      expression = cast->getSubExpr();
    } else {
      return expression;
    }
  }
}

bool is_elided(const CXXConstructExpr* construction) {
  return construction->getConstructor()->isCopyOrMoveConstructor() &&
         construction->getNumArgs() >= 1 && !construction->getArg(0)->isGLValue();
}

bool may_change(const VarDecl* variable, const Stmt* statement) {
  if (!statement) {
    return false;
  }
  const auto names = [&](const Expr* expression) {
    const auto* reference = dyn_cast<DeclRefExpr>(expression->IgnoreParens());
    return reference && reference->getDecl() == variable;
  };
  if (const auto* operation = dyn_cast<BinaryOperator>(statement);
      operation && operation->isAssignmentOp() && names(operation->getLHS())) {
    return true;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(statement);
      operation && (operation->isIncrementDecrementOp() || operation->getOpcode() == UO_AddrOf) &&
      names(operation->getSubExpr())) {
    return true;
  }
  if (const auto* lambda = dyn_cast<LambdaExpr>(statement)) {
    for (const LambdaCapture& capture : lambda->captures()) {
      if (capture.capturesVariable() && capture.getCapturedVar() == variable &&
          capture.getCaptureKind() == LCK_ByRef && !variable->getType().isConstQualified()) {
        return true;
      }
    }
  }
  const auto mutable_argument = [&](const FunctionDecl* callee, unsigned position,
                                    const Expr* argument) {
    if (!names(argument)) {
      return false;
    }
    if (!callee || position >= callee->getNumParams()) {
      return true;
    }
    const QualType type = callee->getParamDecl(position)->getType();
    return type->isReferenceType() && !type->getPointeeType().isConstQualified();
  };
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(statement);
      member && member->getMethodDecl() && !member->getMethodDecl()->isConst() &&
      variable->getType()->isRecordType() && names(member->getImplicitObjectArgument())) {
    return true;
  }
  if (const auto* call = dyn_cast<CXXOperatorCallExpr>(statement);
      call && call->getNumArgs() > 0 && names(call->getArg(0))) {
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
    if (method && !method->isConst()) {
      return true;
    }
  }
  if (const auto* call = dyn_cast<CallExpr>(statement)) {
    const unsigned shift =
        isa<CXXOperatorCallExpr>(call) && isa_and_nonnull<CXXMethodDecl>(call->getDirectCallee())
            ? 1
            : 0;
    for (unsigned i = shift; i < call->getNumArgs(); ++i) {
      if (mutable_argument(call->getDirectCallee(), i - shift, call->getArg(i))) {
        return true;
      }
    }
  }
  if (const auto* construction = dyn_cast<CXXConstructExpr>(statement)) {
    for (unsigned i = 0; i < construction->getNumArgs(); ++i) {
      if (mutable_argument(construction->getConstructor(), i, construction->getArg(i))) {
        return true;
      }
    }
  }
  if (const auto* declaration = dyn_cast<DeclStmt>(statement)) {
    for (const Decl* decl : declaration->decls()) {
      const auto* other = dyn_cast<VarDecl>(decl);
      if (other && other->getType()->isReferenceType() && other->getInit() &&
          names(other->getInit()) && !other->getType()->getPointeeType().isConstQualified()) {
        return true;
      }
    }
  }
  for (const Stmt* child : statement->children()) {
    if (may_change(variable, child)) {
      return true;
    }
  }
  return false;
}

}  // namespace ddx::compiler
