#include "compiler/lower/statements/bound_expressions.h"

#include "compiler/support/types.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSet.h"

#include <utility>

namespace ddx::compiler {

using namespace clang;

namespace {

/// The object on which `statement` names or calls a member of the library, and that member.
std::pair<const Expr*, const CXXMethodDecl*> library_member(const Stmt* statement) {
  const Expr* object = nullptr;
  const CXXMethodDecl* method = nullptr;
  if (const auto* member = dyn_cast<MemberExpr>(statement)) {
    object = member->getBase();
    method = dyn_cast<CXXMethodDecl>(member->getMemberDecl());
  } else if (const auto* call = dyn_cast<CXXOperatorCallExpr>(statement)) {
    object = call->getArg(0);
    method = dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
  }
  const bool found = method && in_library(method);
  return {found ? object : nullptr, found ? method : nullptr};
}

/// What `statement` changes by the name that stands in it; null for others.
const Expr* changed_at(const Stmt* statement) {
  if (const auto* operation = dyn_cast<BinaryOperator>(statement)) {
    return operation->isAssignmentOp() ? operation->getLHS() : nullptr;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(statement)) {
    return operation->isIncrementDecrementOp() ? operation->getSubExpr() : nullptr;
  }
  return library_member(statement).first;
}

}  // namespace

bool keeps_size(const CXXMethodDecl* method) {
  static const llvm::StringSet<> names = {"size",   "data",  "at",      "front",  "back",
                                          "empty",  "begin", "end",     "cbegin", "cend",
                                          "rbegin", "rend",  "crbegin", "crend"};
  return method->isConst() || method->getOverloadedOperator() == OO_Subscript ||
         (method->getIdentifier() && names.contains(method->getName()));
}

bool keeps_elements(const CXXMethodDecl* method) {
  static const llvm::StringSet<> names = {"push_back", "emplace_back", "pop_back", "reserve"};
  return keeps_size(method) || (method->getIdentifier() && names.contains(method->getName()));
}

const ValueDecl* named_object(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    return reference->getDecl();
  }
  const auto* member = dyn_cast<MemberExpr>(expression);
  return member ? member->getMemberDecl() : nullptr;
}

const Expr* below_bases(const Expr* expression) {
  for (;;) {
    expression = expression->IgnoreParens();
    const auto* cast = dyn_cast<CastExpr>(expression);
    if (!cast || (cast->getCastKind() != CK_NoOp && cast->getCastKind() != CK_DerivedToBase &&
                  cast->getCastKind() != CK_UncheckedDerivedToBase)) {
      return expression;
    }
    expression = cast->getSubExpr();
  }
}

bool is_other_name(const Expr* expression) {
  expression = below_bases(expression);
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    return !isa<VarDecl>(reference->getDecl()) ||
           reference->getDecl()->getType()->isReferenceType();
  }
  if (const auto* member = dyn_cast<MemberExpr>(expression)) {
    const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
    return field && (field->getType()->isReferenceType() || field->getParent()->isUnion());
  }
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(expression)) {
    return !element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType();
  }
  if (const auto* call = dyn_cast<CallExpr>(expression)) {  // An element of a container has one.
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
    return !method || !in_library(method) ||
           Types::container(method->getFunctionObjectParameterType()) == Container::None;
  }
  return true;
}

const Expr* looked_at(const Stmt* statement) {
  if (const auto* cast = dyn_cast<CastExpr>(statement)) {
    const bool reads =
        cast->getCastKind() == CK_LValueToRValue ||
        (cast->getCastKind() == CK_NoOp && cast->isGLValue() && cast->getType().isConstQualified());
    return reads ? cast->getSubExpr() : nullptr;
  }
  const auto [object, method] = library_member(statement);
  return object && keeps_size(method) ? object : nullptr;
}

bool forwards(const ValueDecl* variable, const Stmt* statement) {
  if (!statement) {
    return false;
  }
  if (const auto* lambda = dyn_cast<LambdaExpr>(statement)) {
    return llvm::any_of(lambda->captures(), [&](const LambdaCapture& capture) {
      return capture.capturesVariable() && capture.getCapturedVar() == variable &&
             capture.getCaptureKind() == LCK_ByRef;
    });
  }
  if (const auto* named = dyn_cast<DeclRefExpr>(statement)) {
    return named->getDecl() == variable && !named->getType().isConstQualified();
  }
  if (const auto* range = dyn_cast<CXXForRangeStmt>(statement);
      range && named_object(range->getRangeInit()) == variable) {
    return forwards(variable, range->getBody());
  }
  const Expr* own = looked_at(statement);
  own = own ? own : changed_at(statement);
  return llvm::any_of(statement->children(), [&](const Stmt* child) {
    return !(own && child == own && named_object(own) == variable) && forwards(variable, child);
  });
}

}  // namespace ddx::compiler
