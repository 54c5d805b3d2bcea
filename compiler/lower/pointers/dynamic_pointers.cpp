#include "compiler/lower/pointers/dynamic_pointers.h"

#include "compiler/lower/calls/callables.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/synthesised_code.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/texts.h"
#include "compiler/support/called_operator.h"
#include "compiler/support/expression_text.h"
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

/// True for an object that says by its members what a call of it does.
bool is_function_with_members(const Expr* object) {
  object = below_copies(object);
  if (const Expr* source = moved(object)) {
    object = below_copies(source);
  }
  const CXXRecordDecl* record = Types::record(object->getType());
  const CXXMethodDecl* method = record && !in_library(record) ? call_operator(record) : nullptr;
  const auto* lambda = dyn_cast<LambdaExpr>(object);
  return method && !record->isEmpty() && !(lambda && is_closed(*lambda));
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

}  // namespace

/// True when a pointer could be made to an object with a name, which has its cotangent elsewhere.
bool DynamicPointers::shows_named_object(const Stmt* statement) {
  if (!statement) {
    return false;
  }
  const auto* expression = dyn_cast<Expr>(statement);
  if (expression && scope_.replaced.contains(expression)) {
    return false;
  }
  const auto is_named_object = [&](const Expr* object) {
    const QualType type = object->getType();
    return context_.types.may_hold_real(type) && !context_.types.holds_only_pointers(type);
  };
  if (const auto* operation = dyn_cast<UnaryOperator>(statement);
      operation && operation->getOpcode() == UO_AddrOf) {
    return is_named_object(operation->getSubExpr());
  }
  if (isa<CXXThisExpr>(statement)) {
    return true;
  }
  if (const auto* member = dyn_cast<MemberExpr>(statement);
      member && isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts())) {
    return false;
  }
  if (const auto* call = dyn_cast<CallExpr>(statement)) {
    const auto* access = dyn_cast<CXXOperatorCallExpr>(call);
    const bool is_element = access && access->getOperator() == OO_Subscript;
    for (const Expr* argument : llvm::drop_begin(call->arguments(), is_element ? 1 : 0)) {
      const Expr* given = below_copies(argument);
      if (given->isGLValue() && !given->getType()->isScalarType() && is_named_object(given)) {
        return true;
      }
    }
  }
  return llvm::any_of(statement->children(),
                      [&](const Stmt* child) { return shows_named_object(child); });
}

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

/// True for a text in which a number changes: that must be lowered.
bool DynamicPointers::changes_number(const Stmt* statement) {
  const auto* expression = dyn_cast_or_null<Expr>(statement);
  if (!statement || (expression && scope_.replaced.contains(expression))) {
    return false;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(statement);
      operation && operation->isAssignmentOp() && Types::is_real(operation->getLHS()->getType())) {
    return true;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(statement);
      operation && operation->isIncrementDecrementOp() && Types::is_real(operation->getType())) {
    return true;
  }
  return llvm::any_of(statement->children(),
                      [this](const Stmt* child) { return changes_number(child); });
}

/// True when `statement` makes objects with numbers, or calls what may do so: it is no text.
bool DynamicPointers::makes_objects(const Stmt* statement) {
  if (!statement || isa<LambdaExpr>(statement)) {
    return false;
  }
  const auto* expression = dyn_cast<Expr>(statement);
  if (expression && (scope_.replaced.contains(expression) || function_from_lambda(expression))) {
    return false;
  }
  if (const auto* allocation = dyn_cast<CXXNewExpr>(statement)) {
    return context_.types.may_hold_real(allocation->getAllocatedType());
  }
  if (const auto* call = dyn_cast<CallExpr>(statement)) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (!callee || (!in_library(callee) && !only_moves_pointers(callee)) || makes_owner(callee) ||
        llvm::any_of(call->arguments(), is_function_with_members)) {
      return true;
    }
  }
  if (const auto* made = dyn_cast<CXXConstructExpr>(statement);
      made && Types::is_function_object(made->getType()) && made->getNumArgs() == 1 &&
      is_function_with_members(made->getArg(0))) {
    return true;
  }
  if (const auto* name = dyn_cast<DeclRefExpr>(statement);
      name && Types::is_function_object(name->getType()) &&
      callables_.fixed_target(name).stands_for_callable()) {
    return true;  // No such object exists yet.
  }
  return (expression && initialisers_.makes_here(expression)) ||
         llvm::any_of(statement->children(),
                      [&](const Stmt* child) { return makes_objects(child); });
}

bool DynamicPointers::only_moves_pointers(const FunctionDecl* callee) {
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  if (!method || method->isUserProvided() ||
      !(method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator())) {
    return false;
  }
  const QualType type = context_.ast.getRecordType(method->getParent());
  return !context_.types.has_tangent(type) && context_.types.holds_only_pointers(type) &&
         !(method->isMoveAssignmentOperator() ? context_.copies.move_works(type)
                                              : context_.copies.copy_works(type));
}

/// True for a member of an object with a name: to read it, memory is not.
bool DynamicPointers::lies_in_named_object(const Expr* place) {
  const Expr* object = place->IgnoreParenImpCasts();
  while (const auto* member = dyn_cast<MemberExpr>(object)) {
    object = member->getBase()->IgnoreParenImpCasts();
    if (member->isArrow() && !isa<CXXThisExpr>(object)) {
      return false;
    }
  }
  if (isa<CXXThisExpr>(object)) {
    return scope_.self.has_value();
  }
  const auto* reference = dyn_cast<DeclRefExpr>(object);
  const auto found = reference ? scope_.bindings.find(dyn_cast<VarDecl>(reference->getDecl()))
                               : scope_.bindings.end();
  return found != scope_.bindings.end() && found->second.kind == Binding::Kind::Object &&
         found->second.path.root;
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

/// True where the library puts elements into another order that hold no number themselves.
bool DynamicPointers::reorders_pointers(const FunctionDecl* callee,
                                        llvm::ArrayRef<const Expr*> arguments) {
  if (arguments.empty() || !callee->getReturnType()->isVoidType() ||
      !is_named(callee, {"sort", "stable_sort", "partial_sort", "nth_element", "reverse"})) {
    return false;
  }
  QualType place = arguments[0]->getType();
  const auto* iterator =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(place->getAsCXXRecordDecl());
  if (iterator && iterator->getName() == "__normal_iterator") {
    place = iterator->getTemplateArgs().get(0).getAsType();
  }
  return place->isPointerType() && context_.types.holds_only_pointers(place->getPointeeType());
}

bool DynamicPointers::pointer_call(const FunctionDecl* callee, const Expr* source,
                                   const Expr* object, llvm::ArrayRef<const Expr*> arguments,
                                   Value** value) {
  if (!in_library(callee) || (!isa<CXXMethodDecl>(callee) &&
                              is_named(callee, {"move", "forward", "as_const", "get", "tie"}))) {
    return false;
  }
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const QualType held = object ? object->getType() : QualType();
  if (object && is_global_pointer(object)) {
    const bool changes = method && !method->isConst() &&
                         context_.types.holds_dynamic_pointer(held) &&
                         llvm::any_of(arguments, [&](const Expr* argument) {
                           return context_.types.holds_dynamic_pointer(argument->getType());
                         });
    *value = changes ? lost_pointer(source) : nullptr;
    return changes;
  }
  const bool on_link =
      method && object && Types::record(held) && context_.types.is_dynamic_pointer(held);
  const OverloadedOperatorKind kind = callee->getOverloadedOperator();
  const bool follows = on_link && (kind == OO_Arrow || kind == OO_Star || kind == OO_Subscript ||
                                   is_named(callee, {"get"}));
  if (follows || (makes_owner(callee) && context_.types.may_hold_real(source->getType()))) {
    *value = lost_pointer(source);
    return true;
  }
  const bool changes_container =
      method && object && !on_link && context_.types.holds_dynamic_pointer(held) &&
      (kind == OO_Equal || is_named(callee, {"push_back", "emplace_back", "pop_back", "clear",
                                             "resize", "insert", "erase", "assign", "swap",
                                             "reserve", "emplace", "push_front", "pop_front"}));
  const bool of_links = changes_container && context_.types.holds_only_pointers(
                                                 context_.ast.getRecordType(method->getParent()));
  const bool swaps =
      !method && is_named(callee, {"swap"}) && arguments.size() == 2 &&
      (context_.types.holds_only_pointers(arguments[0]->getType()) ||
       (is_dynamic_pointer_value(arguments[0]) && is_dynamic_pointer_value(arguments[1])));
  const bool reorders = !method && reorders_pointers(callee, arguments);
  if (!(on_link || of_links || swaps || reorders) ||
      llvm::any_of(arguments, [&](const Expr* argument) {
        return is_global_pointer(argument) &&
               context_.types.holds_dynamic_pointer(argument->getType());
      })) {
    return false;
  }
  const auto text = dynamic_pointer_text(source);
  if (!text) {
    *value = lost_pointer(source);
    return true;
  }
  const SourceLocation where = source->getExprLoc();
  if (source->getType()->isVoidType() || (source->isGLValue() && (kind == OO_Equal || of_links))) {
    add_text(*text, where);
    return true;
  }
  *value = texts_.text_value(source, text->effects, text->text);
  return true;
}

/// True for a member that points to an array which its object deletes.
bool DynamicPointers::names_owned_array(const Expr* expression) {
  const auto* member = dyn_cast<MemberExpr>(expression->IgnoreParenImpCasts());
  const auto* field = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  return field && context_.types.owns_array(field);
}

std::optional<Value*> DynamicPointers::lower_by_rule(const CallSite& site) {
  Value* value = nullptr;
  return !site.of_scalarized && !site.object.known &&
                 pointer_call(site.callee, site.source, site.object.expression, site.arguments,
                              &value)
             ? std::optional(value)
             : std::nullopt;
}

}  // namespace ddx::compiler
