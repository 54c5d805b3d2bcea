/// Text that moves pointers about is carried over as it stands. These look for what must not hide
/// in it: numbers that go into an object, and code of the program that reaches memory.

#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

void add_bodies(const FunctionTemplateDecl& pattern, std::vector<const Stmt*>& into) {
  for (const FunctionDecl* made : pattern.specializations()) {
    if (made->hasBody()) {
      into.push_back(made->getBody());
    }
  }
}

/// The bodies that a call of the object or function `value` may run.
std::vector<const Stmt*> bodies_behind(const Expr* value) {
  std::vector<const Stmt*> result;
  if (const auto* reference = dyn_cast<DeclRefExpr>(value)) {
    const auto* function = dyn_cast<FunctionDecl>(reference->getDecl());
    const FunctionDecl* definition = nullptr;
    if (function && !in_library(function) && function->hasBody(definition)) {
      result.push_back(definition->getBody());
    }
  }
  const CXXRecordDecl* record = Types::record(value->getType());
  const bool is_function =
      record && record->getIdentifier() && record->getName() == "DifferentiableFunction";
  if (!record || in_library(record) || is_function) {
    return result;
  }
  for (const Decl* member : record->decls()) {
    const auto* method = dyn_cast<CXXMethodDecl>(member);
    if (method && method->getOverloadedOperator() == OO_Call && method->hasBody()) {
      result.push_back(method->getBody());
    }
    const auto* pattern = dyn_cast<FunctionTemplateDecl>(member);
    if (pattern && pattern->getTemplatedDecl()->getOverloadedOperator() == OO_Call) {
      add_bodies(*pattern, result);
    }
  }
  return result;
}

/// True where only which of several things happens depends on the numbers in `statement`.
bool decides(const Stmt* statement) {
  if (const auto* operation = dyn_cast<BinaryOperator>(statement)) {
    return operation->isComparisonOp() || operation->isLogicalOp();
  }
  const auto* cast = dyn_cast<CastExpr>(statement);
  return cast && (cast->getCastKind() == CK_FloatingToIntegral ||
                  cast->getCastKind() == CK_FloatingToBoolean);
}

/// True for a body that may do more than look.
bool changes_something(const Stmt* statement) {
  if (!statement) {
    return false;
  }
  const auto* operation = dyn_cast<BinaryOperator>(statement);
  const auto* unary = dyn_cast<UnaryOperator>(statement);
  const auto* call = dyn_cast<CallExpr>(statement);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
  const bool looks =
      callee && in_library(callee) && (callee->isConstexpr() || (method && method->isConst()));
  if ((operation && operation->isAssignmentOp()) || (unary && unary->isIncrementDecrementOp()) ||
      isa<CXXNewExpr, CXXDeleteExpr, LambdaExpr>(statement) || (call && !looks)) {
    return true;
  }
  return llvm::any_of(statement->children(),
                      [](const Stmt* child) { return changes_something(child); });
}

}  // namespace

bool Lowering::reaches_memory(const Stmt* statement) {
  if (!statement) {
    return false;
  }
  const auto* expression = dyn_cast<Expr>(statement);
  return (expression && !expression->getType().isNull() &&
          !expression->getType()->isDependentType() &&
          context_.types.holds_link(expression->getType())) ||
         llvm::any_of(statement->children(),
                      [&](const Stmt* child) { return reaches_memory(child); });
}

/// True for a function, a lambda or an object with a call operator that reaches memory when called.
bool Lowering::runs_on_memory(const Expr* value) {
  return llvm::any_of(bodies_behind(value), [&](const Stmt* body) { return reaches_memory(body); });
}

/// True when the text of `statement`, run by the library, would put numbers where nobody sees them,
/// or run code of the program that does more than look.
bool Lowering::hides_work(const Stmt* statement) {
  if (!statement) {
    return false;
  }
  const auto* expression = dyn_cast<Expr>(statement);
  if (!expression) {
    return llvm::any_of(statement->children(),
                        [&](const Stmt* child) { return hides_work(child); });
  }
  if (replaced_.contains(expression) || decides(expression)) {
    return false;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(expression);
      operation && operation->getOpcode() == UO_AddrOf && is_in_memory(operation)) {
    return false;
  }
  const QualType type = expression->getType();
  const auto bodies = bodies_behind(expression);
  if (!bodies.empty()) {
    const bool works = llvm::any_of(
        bodies, [&](const Stmt* body) { return reaches_memory(body) && changes_something(body); });
    return works || !isa<DeclRefExpr, LambdaExpr, CXXConstructExpr, InitListExpr, CastExpr,
                         MaterializeTemporaryExpr, CXXBindTemporaryExpr>(expression);
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expression)) {
    return hides_work(conditional->getTrueExpr()) || hides_work(conditional->getFalseExpr());
  }
  if (const auto* member = dyn_cast<MemberExpr>(expression);
      member && context_.types.only_links(type)) {
    return false;
  }
  const auto makes_elements = [&](const CXXRecordDecl* container) {
    const auto* specialisation = dyn_cast<ClassTemplateSpecializationDecl>(container);
    if (!specialisation || specialisation->getTemplateArgs().size() == 0 ||
        specialisation->getTemplateArgs().get(0).getKind() != TemplateArgument::Type) {
      return false;
    }
    const CXXRecordDecl* element =
        Types::record(specialisation->getTemplateArgs().get(0).getAsType());
    return element && !in_library(element) && element->hasUserProvidedDefaultConstructor();
  };
  const auto* construction = dyn_cast<CXXConstructExpr>(expression);
  const auto* call = dyn_cast<CXXMemberCallExpr>(expression);
  const bool sized = construction && construction->getNumArgs() > 0 &&
                     construction->getArg(0)->getType()->isIntegerType();
  const bool resized = call && call->getMethodDecl() && call->getMethodDecl()->getIdentifier() &&
                       call->getMethodDecl()->getName() == "resize";
  if ((sized && makes_elements(Types::record(type))) ||
      (resized && makes_elements(Types::record(call->getImplicitObjectArgument()->getType())))) {
    return true;
  }
  if (!type->isFunctionType() && !type->isPointerType() &&
      !isa<ImplicitValueInitExpr>(expression)) {
    const bool names = isa<DeclRefExpr, CXXThisExpr, MemberExpr>(expression);
    if (context_.types.may_hold_real(type) && !context_.types.only_links(type) && names) {
      return true;
    }
    if (context_.types.carries(type) && !context_.types.only_links(type) &&
        (isa<CallExpr>(expression) || Types::is_real(type)) && !isa<FloatingLiteral>(expression)) {
      return true;
    }
  }
  if (const auto* access = dyn_cast<CXXOperatorCallExpr>(expression);
      access && access->getOperator() == OO_Subscript) {
    return llvm::any_of(llvm::drop_begin(access->arguments()),
                        [&](const Expr* argument) { return hides_work(argument); });
  }
  return llvm::any_of(statement->children(), [&](const Stmt* child) { return hides_work(child); });
}

}  // namespace ddx::compiler
