#include "compiler/lower/pointers/dynamic_pointers.h"

#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/expressions/synthesised_code.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/support/function_names.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

bool makes_owner(const FunctionDecl* callee) {
  return is_std(callee, {"make_unique", "make_shared"});
}

/// True for functions that return the address of what they have, not a pointer kept somewhere.
bool returns_address(const Stmt* body) {
  if (!body || isa<LambdaExpr>(body)) {
    return false;
  }
  if (const auto* result = dyn_cast<ReturnStmt>(body); result && result->getRetValue()) {
    const Expr* value = result->getRetValue()->IgnoreParens();
    while (const auto* cast = dyn_cast<ImplicitCastExpr>(value)) {
      if (cast->getCastKind() == CK_ArrayToPointerDecay) {
        return true;
      }
      value = cast->getSubExpr()->IgnoreParens();
    }
    const auto* operation = dyn_cast<UnaryOperator>(value);
    return isa<CXXThisExpr>(value) || (operation && operation->getOpcode() == UO_AddrOf);
  }
  return llvm::any_of(body->children(), [](const Stmt* child) { return returns_address(child); });
}

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

}  // namespace

bool DynamicPointers::is_static_pointer(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (isa<CXXThisExpr>(expression)) {
    return true;
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto found = scope_.bindings.find(dyn_cast<VarDecl>(reference->getDecl()));
    return found != scope_.bindings.end() && found->second.kind == Binding::Kind::Pointer;
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) {
    if (cast->getCastKind() == CK_LValueToRValue) {
      const Expr* variable = cast->getSubExpr()->IgnoreParens();
      if (const auto capture = synthesised_code_.capture_of(variable)) {
        return capture->kind != Binding::Kind::Object || !capture->path.type->isPointerType();
      }
      return isa<DeclRefExpr>(variable) && is_static_pointer(variable);
    }
    return cast->getCastKind() == CK_ArrayToPointerDecay ||
           (cast->getCastKind() != CK_NullToPointer && is_static_pointer(cast->getSubExpr()));
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(expression)) {
    return operation->getOpcode() == UO_AddrOf;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
    const bool left = operation->getLHS()->getType()->isPointerType();
    return operation->isAdditiveOp() &&
           is_static_pointer(left ? operation->getLHS() : operation->getRHS());
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expression)) {
    return is_static_pointer(conditional->getTrueExpr()) ||
           is_static_pointer(conditional->getFalseExpr());
  }
  if (const auto* made = dyn_cast<CallExpr>(expression)) {
    const FunctionDecl* callee = made->getDirectCallee();
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
    if (callee && callee->getQualifiedNameAsString().starts_with("ddx::detail::held_if")) {
      return true;  // What an optional or a variant with a name holds.
    }
    if (callee && in_library(callee)) {  // Iterators denote places that are known.
      return !method ||
             !context_.types.is_dynamic_pointer(context_.ast.getRecordType(method->getParent()));
    }
    const FunctionDecl* body = callee ? replacements_.visible_body(callee) : nullptr;
    return body && returns_address(body->getBody());
  }
  return false;
}

bool DynamicPointers::is_dynamic_pointer_value(const Expr* expression) {
  if (!expression->getType()->isPointerType()) {
    return false;
  }
  if (const auto* allocation = dyn_cast<CXXNewExpr>(expression->IgnoreParenImpCasts())) {
    return allocation->getNumPlacementArgs() == 0 &&
           context_.types.has_tangent(allocation->getAllocatedType());
  }
  if (names_owned_array(expression)) {
    return true;
  }
  const Expr* plain = expression->IgnoreParenImpCasts();
  if (const auto* operation = dyn_cast<BinaryOperator>(plain)) {  // Elsewhere in what is there.
    const bool left = operation->getLHS()->getType()->isPointerType();
    return operation->getOpcode() == BO_Add || operation->getOpcode() == BO_Sub ||
                   operation->isCompoundAssignmentOp()
               ? is_dynamic_pointer_value(left ? operation->getLHS() : operation->getRHS())
               : false;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(plain);
      operation && operation->isIncrementDecrementOp()) {
    return is_dynamic_pointer_value(operation->getSubExpr());
  }
  return context_.types.is_dynamic_pointer(expression->getType()) &&
         !is_static_pointer(expression) && !is_global_pointer(expression);
}

Value* DynamicPointers::lost_pointer(const Expr* expression) {
  Value* value = rejections_.unsupported(expression, Diagnostic::UnsupportedPointer);
  function_.statements.back().always = true;
  return value;
}

/// True for assignments of dynamic pointers and the end of what they lead to.
bool DynamicPointers::changes_dynamic_pointer(const Expr* expression) {
  const Expr* source = expression->IgnoreParens();
  if (const auto* removal = dyn_cast<CXXDeleteExpr>(source)) {
    return is_dynamic_pointer_value(removal->getArgument());
  }
  if (const auto* step = dyn_cast<UnaryOperator>(source);
      step && step->isIncrementDecrementOp() && step->getType()->isPointerType()) {
    return is_dynamic_pointer_value(step->getSubExpr());
  }
  const auto* operation = dyn_cast<BinaryOperator>(source);
  if (!operation || !operation->isAssignmentOp() || !operation->getType()->isPointerType()) {
    return false;
  }
  const Expr* const left = operation->getLHS()->IgnoreParens();
  const Expr* const right = operation->getRHS();
  const bool is_null = right->isNullPointerConstant(context_.ast, Expr::NPC_NeverValueDependent);
  if (operation->isCompoundAssignmentOp() || names_owned_array(left)) {
    return is_dynamic_pointer_value(left) || names_owned_array(left);
  }
  return (context_.types.is_dynamic_pointer(left->getType()) || is_global_pointer(left)) &&
         (is_dynamic_pointer_value(right) || (is_null && is_dynamic_pointer_value(left)));
}

bool DynamicPointers::loses_pointer(const Expr* statement) {
  if (!changes_dynamic_pointer(statement)) {
    return false;
  }
  lost_pointer(statement);
  return true;
}

/// True for what a global variable leads to: nothing active is put there.
bool DynamicPointers::is_global_pointer(const Expr* expression) {
  const Expr* source = below_copies(expression);
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(source)) {
    return is_global_pointer(call->getImplicitObjectArgument());
  }
  if (const auto* call = dyn_cast<CXXOperatorCallExpr>(source)) {
    return call->getNumArgs() > 0 && is_global_pointer(call->getArg(0));
  }
  if (const auto* member = dyn_cast<MemberExpr>(source)) {
    return is_global_pointer(member->getBase());
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(source)) {
    return is_global_pointer(subscript->getBase());
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(source)) {
    return is_global_pointer(operation->getSubExpr());
  }
  const auto* reference = dyn_cast<DeclRefExpr>(source);
  const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->hasGlobalStorage();
}

/// True for a call of the library that makes objects in memory, follows or changes a pointer to
/// them, or changes a container of such pointers.
bool DynamicPointers::pointer_call(const FunctionDecl* callee, const Expr* source,
                                   const Expr* object, llvm::ArrayRef<const Expr*> arguments) {
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  if (!in_library(callee) ||
      (!method && is_named(callee, {"move", "forward", "as_const", "get", "tie"}))) {
    return false;
  }
  const bool leads = object && context_.types.holds_dynamic_pointer(object->getType());
  if (object && is_global_pointer(object)) {
    return method && !method->isConst() && leads &&
           llvm::any_of(arguments, [&](const Expr* argument) {
             return context_.types.holds_dynamic_pointer(argument->getType());
           });
  }
  const bool on_owner = method && object && Types::record(object->getType()) &&
                        context_.types.is_dynamic_pointer(object->getType());
  const bool changes = method && leads &&
                       (callee->getOverloadedOperator() == OO_Equal ||
                        is_named(callee, {"push_back", "emplace_back", "pop_back", "clear",
                                          "resize", "insert", "erase", "assign", "swap", "reserve",
                                          "emplace", "push_front", "pop_front"}));
  const bool swaps =
      !method && is_named(callee, {"swap"}) && llvm::any_of(arguments, [&](const Expr* argument) {
        return context_.types.holds_only_pointers(argument->getType());
      });
  return on_owner || changes || swaps ||
         (makes_owner(callee) && context_.types.may_hold_real(source->getType()));
}

/// True for a member that points to an array which its object may own.
bool DynamicPointers::names_owned_array(const Expr* expression) {
  const auto* member = dyn_cast<MemberExpr>(expression->IgnoreParenImpCasts());
  const auto* field = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  return field && Types::owns_array(field);
}

bool DynamicPointers::reaches_memory(const Stmt* statement) {
  if (!statement) {
    return false;
  }
  const auto* expression = dyn_cast<Expr>(statement);
  return (expression && !expression->getType().isNull() &&
          !expression->getType()->isDependentType() &&
          context_.types.holds_dynamic_pointer(expression->getType())) ||
         llvm::any_of(statement->children(),
                      [&](const Stmt* child) { return reaches_memory(child); });
}

bool DynamicPointers::runs_on_memory(const Expr* value) {
  return llvm::any_of(bodies_behind(value), [&](const Stmt* body) { return reaches_memory(body); });
}

bool DynamicPointers::loses_member(const Path& target, const Expr* source) {
  const bool owns = !target.steps.empty() && target.steps.back().field &&
                    Types::owns_array(target.steps.back().field);
  const bool is_known = target.type->isPointerType() && is_static_pointer(source);
  if (!owns && (is_known || !context_.types.holds_only_pointers(target.type))) {
    return false;
  }
  lost_pointer(source);
  return true;
}

bool DynamicPointers::loses_argument(ir::Statement* call, QualType parameter,
                                     const Expr* argument) {
  const QualType plain = parameter.getNonReferenceType();
  if (!context_.types.holds_only_pointers(plain) ||
      (plain->isPointerType() &&
       (!is_dynamic_pointer_value(argument) || parameter->isReferenceType()))) {
    return false;
  }
  lost_pointer(argument);
  Argument passed;
  passed.kind = Argument::Kind::Text;
  passed.type = plain;
  passed.where = argument->getExprLoc();
  call->arguments.push_back(std::move(passed));
  return true;
}

std::optional<Value*> DynamicPointers::lower_by_rule(const CallSite& site) {
  return !site.of_scalarized && !site.object.known &&
                 pointer_call(site.callee, site.source, site.object.expression, site.arguments)
             ? std::optional(lost_pointer(site.source))
             : std::nullopt;
}

}  // namespace ddx::compiler
