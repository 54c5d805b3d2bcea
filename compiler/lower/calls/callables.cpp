#include "compiler/lower/calls/callables.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/calls.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/support/called_operator.h"
#include "compiler/support/expression_text.h"
#include "compiler/support/function_names.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// What is below the wrappers that leave the value as it is.
const Expr* bare(const Expr* expression) {
  for (;;) {
    const Expr* before = expression;
    expression = expression->IgnoreParenImpCasts();
    if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
      expression = cleanups->getSubExpr();
    } else if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
      expression = temporary->getSubExpr();
    } else if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(expression)) {
      expression = bound->getSubExpr();
    } else if (const auto* constant = dyn_cast<ConstantExpr>(expression)) {
      expression = constant->getSubExpr();
    } else if (const auto* parameter = dyn_cast<SubstNonTypeTemplateParmExpr>(expression)) {
      expression = parameter->getReplacement();
    } else if (const auto* cast = dyn_cast<ExplicitCastExpr>(expression);
               cast && !isa<CXXDynamicCastExpr>(cast) && cast->getCastKind() != CK_BaseToDerived) {
      expression = cast->getSubExpr();
    }
    if (expression == before) {
      return expression;
    }
  }
}

bool is_library_call(const CallExpr* call, llvm::StringRef name) {
  const FunctionDecl* callee = call->getDirectCallee();
  return callee && in_library(callee) && callee->getIdentifier() && callee->getName() == name;
}

/// How a variable is used in a function.
struct Uses {
  std::vector<const Expr*> assigned;
  bool escapes = false;  ///< Some use may change it in a way that is not an assignment to its name.
};

void find_uses(const Stmt* statement, const VarDecl* variable, bool reads, Uses& uses) {
  if (!statement) {
    return;
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
    uses.escapes = uses.escapes || (reference->getDecl() == variable && !reads);
    return;
  }
  const auto names_it = [&](const Expr* expression) {
    const auto* reference = dyn_cast<DeclRefExpr>(expression->IgnoreParens());
    return reference && reference->getDecl() == variable;
  };
  if (const auto* operation = dyn_cast<BinaryOperator>(statement);
      operation && operation->getOpcode() == BO_Assign && names_it(operation->getLHS())) {
    uses.assigned.push_back(operation->getRHS());
    return find_uses(operation->getRHS(), variable, false, uses);
  }
  if (const auto* call = dyn_cast<CXXOperatorCallExpr>(statement);
      call && call->getOperator() == OO_Equal && names_it(call->getArg(0))) {
    uses.assigned.push_back(call->getArg(1));
    return find_uses(call->getArg(1), variable, false, uses);
  }
  const auto* cast = dyn_cast<ImplicitCastExpr>(statement);
  const bool value_only =
      cast && (cast->getCastKind() == CK_LValueToRValue ||
               (cast->getCastKind() == CK_NoOp && cast->getType().isConstQualified()));
  const auto* called = dyn_cast<CallExpr>(statement);
  const bool moved = called && is_library_call(called, "move");
  const bool invokes =
      called && (is_library_call(called, "invoke") || is_library_call(called, "apply"));
  const bool captures = isa<LambdaExpr>(statement);
  for (const Stmt* child : statement->children()) {
    const bool is_called = invokes && child == called->getArg(0);
    find_uses(child, variable,
              value_only || captures || moved || is_called || (reads && isa<ParenExpr>(statement)),
              uses);
  }
}

Uses uses_of(const VarDecl* variable) {
  Uses uses;
  const QualType type = variable->getType().getNonReferenceType();
  if (type.isConstQualified() || type->isFunctionType()) {
    return uses;
  }
  const auto* function = dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod());
  if (!function || !function->hasBody()) {
    uses.escapes = true;
    return uses;
  }
  find_uses(function->getBody(), variable, false, uses);
  return uses;
}

}  // namespace

const CXXMethodDecl* call_operator(const CXXRecordDecl* record) {
  if (record->isLambda()) {
    return record->getLambdaCallOperator();
  }
  const CXXMethodDecl* found = nullptr;
  for (const NamedDecl* named :
       record->lookup(record->getASTContext().DeclarationNames.getCXXOperatorName(OO_Call))) {
    const auto* method = dyn_cast<CXXMethodDecl>(named);
    if (found || !method || in_library(record)) {
      return nullptr;
    }
    found = method;
  }
  return found;
}

const CXXMethodDecl* operator_of(const Binding& closure) {
  if (closure.function) {
    return cast<CXXMethodDecl>(closure.function);
  }
  const CXXMethodDecl* only = call_operator(closure.closure->record);
  return only && !only->getDescribedFunctionTemplate() ? only : nullptr;
}

Binding as_called_by(const FunctionDecl* caller, Binding target) {
  if (target.kind == Binding::Kind::Closure && !operator_of(target)) {
    target.function = called_operator(caller, target.closure->record);
  }
  return target;
}

bool is_call_operator(const FunctionDecl* function) {
  const auto* method = dyn_cast<CXXMethodDecl>(function);
  return method && method->isInstance() && method->getOverloadedOperator() == OO_Call;
}

bool is_rebound(const VarDecl* variable) {
  const Uses uses = uses_of(variable);
  return uses.escapes || !uses.assigned.empty();
}

Binding Callables::fixed_target(const Expr* expression) {
  expression = bare(expression);
  Binding found;
  if (const auto* operation = dyn_cast<UnaryOperator>(expression);
      operation && (operation->getOpcode() == UO_AddrOf || operation->getOpcode() == UO_Deref ||
                    operation->getOpcode() == UO_Plus)) {
    return fixed_target(operation->getSubExpr());
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    if (const auto* function = dyn_cast<FunctionDecl>(reference->getDecl())) {
      found.kind = Binding::Kind::Function;
      found.function = function;
    } else if (const auto* field = dyn_cast<FieldDecl>(reference->getDecl())) {
      found.kind = Binding::Kind::Member;
      found.member = field;
    } else if (const auto* variable = dyn_cast<VarDecl>(reference->getDecl())) {
      const auto known = scope_.bindings.find(variable);
      if (known != scope_.bindings.end()) {
        return known->second.stands_for_callable() ? known->second : Binding{};
      }
      const Expr* init = variable->getAnyInitializer();
      const bool constant = variable->isConstexpr() || variable->getType().isConstQualified();
      return init && constant && variable->hasGlobalStorage() ? fixed_target(init) : Binding{};
    }
    return found;
  }
  if (const auto* member = dyn_cast<MemberExpr>(expression)) {
    const Binding* part = scope_.known_member(member);
    return part && part->stands_for_callable() ? *part : Binding{};
  }
  if (const auto* lambda = dyn_cast<LambdaExpr>(expression); lambda && is_closed(*lambda)) {
    found.kind = Binding::Kind::Closure;
    found.closure = std::make_shared<ScalarizedObject>();
    found.closure->record = lambda->getLambdaClass();
    return found;
  }
  if (isa<CXXMemberCallExpr>(expression)) {
    found.function = function_from_lambda(expression);
    found.kind = found.function ? Binding::Kind::Function : Binding::Kind::None;
    return found;
  }
  if (const auto* call = dyn_cast<CallExpr>(expression)) {
    const bool passes = is_library_call(call, "move") || is_library_call(call, "forward") ||
                        is_library_call(call, "ref") || is_library_call(call, "cref") ||
                        is_library_call(call, "addressof");
    return passes && call->getNumArgs() == 1 ? fixed_target(call->getArg(0)) : Binding{};
  }
  if (const auto* construction = dyn_cast<CXXConstructExpr>(expression)) {
    const QualType type = construction->getType();
    return (Types::is_function_object(type) || Types::is_closure(type)) &&
                   construction->getNumArgs() == 1
               ? as_called_by(construction->getConstructor(), fixed_target(construction->getArg(0)))
               : Binding{};
  }
  return found;
}

Binding Callables::callable(const Expr* expression) {
  if (const auto meant = scope_.meant.find(expression); meant != scope_.meant.end()) {
    return meant->second;
  }
  if (const Binding fixed = fixed_target(expression); fixed.kind != Binding::Kind::None) {
    // A copy of what a call may change has a state of its own.
    const Expr* source = expression->IgnoreImplicit();
    while (const auto* made = dyn_cast<CXXConstructExpr>(source)) {
      if (made->getNumArgs() == 0) {
        break;
      }
      source = made->getArg(0)->IgnoreImplicit();
    }
    const CXXMethodDecl* const called =
        fixed.closure && fixed.closure->record ? call_operator(fixed.closure->record) : nullptr;
    const bool copies = fixed.kind == Binding::Kind::Closure && expression->isPRValue() &&
                        source->isLValue() && called && !called->isConst();
    return copies ? scalarized_objects_.copy_closure(fixed, "closure") : fixed;
  }
  expression = bare(expression);
  if (const auto* construction = dyn_cast<CXXConstructExpr>(expression);
      construction && Types::is_function_object(construction->getType()) &&
      construction->getNumArgs() == 1) {
    return as_called_by(construction->getConstructor(), callable(construction->getArg(0)));
  }
  return function_object(expression);
}

/// A lambda or another object with a call operator: a copy, where a call may change it.
Binding Callables::function_object(const Expr* expression) {
  const CXXRecordDecl* record = Types::record(expression->getType());
  const CXXMethodDecl* method = record ? call_operator(record) : nullptr;
  if (!method) {
    return {};
  }
  const bool copies = expression->isGLValue() && !method->isConst();
  if (context_.types.is_scalarized(expression->getType())) {
    Binding made = scalarized_objects_.scalarized(expression);
    if (made.kind == Binding::Kind::Object) {
      made = scalarized_objects_.scalarized_at(made.path);
    }
    return copies && made.kind == Binding::Kind::Closure
               ? scalarized_objects_.copy_closure(made, "closure")
               : made;
  }
  Binding made;
  const auto object = expression->isGLValue() ? places_.lvalue(expression)
                                              : std::optional(places_.materialise(expression));
  if (!object) {
    return made;
  }
  made.kind = Binding::Kind::Functor;
  made.function = method;
  made.path = *object;
  if (expression->isGLValue()) {
    made.path.steps.clear();
    made.path.root =
        builder_.new_root(Root::Kind::Local, "function", object->type, expression->getExprLoc());
    builder_.keep(made.path.root);
    Value* copy = builder_.load(*object, expression->getExprLoc());
    ir::Statement* declaration =
        builder_.add(ir::Statement::Kind::Declare, expression->getExprLoc());
    declaration->root = made.path.root;
    declaration->value = copy;
  }
  made.path.type = made.path.root->type;
  return made;
}

bool Callables::declare_callable(const VarDecl* variable) {
  const Expr* init = variable->getInit();
  const Binding target = init && !is_rebound(variable) ? callable(init) : Binding{};
  if (target.kind == Binding::Kind::None) {
    return false;
  }
  scope_.bindings[variable] = target;
  return true;
}

Value* Callables::call_target(const Binding& target, const Expr* source,
                              llvm::ArrayRef<const Expr*> arguments,
                              std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  const QualType type = source->getType();
  Value* value = nullptr;
  switch (target.kind) {
    case Binding::Kind::Function: {
      const auto* method = dyn_cast<CXXMethodDecl>(target.function);
      if (const CXXMethodDecl* called = operator_behind(target.function)) {
        Binding lambda;
        lambda.kind = Binding::Kind::Closure;
        lambda.closure = std::make_shared<ScalarizedObject>();
        lambda.closure->record = called->getParent();
        value = calls_.lower_call(called, source, Receiver(lambda), arguments, reference);
      } else if (method && method->isInstance()) {
        value = calls_.lower_call(method, source, Receiver(arguments.front()),
                                  arguments.drop_front(), reference);
      } else {
        value = calls_.lower_call(target.function, source, {}, arguments, reference);
      }
      break;
    }
    case Binding::Kind::Closure: {
      const CXXMethodDecl* method = operator_of(target);
      if (!method) {
        return rejections_.unsupported(source, Diagnostic::UnsupportedFunctionPointer);
      }
      value = calls_.lower_call(method, source, Receiver(target), arguments, reference);
      break;
    }
    case Binding::Kind::Functor: {
      Binding object = target;
      object.kind = Binding::Kind::Object;
      value = calls_.lower_call(target.function, source, Receiver(std::move(object)), arguments,
                                reference);
      break;
    }
    case Binding::Kind::Member:
      if (const auto object = places_.object_path(Receiver(arguments.front()))) {
        *reference = field_path(*object, target.member);
        return nullptr;
      }
      return rejections_.unsupported(source, Diagnostic::UnsupportedPointerToMember);
    default:
      return rejections_.unsupported(source, Diagnostic::UnsupportedFunctionPointer);
  }
  const bool scalar = value && type->isScalarType() && !type->isPointerType();
  return scalar ? expressions_.convert(value, type, where) : value;
}

std::optional<Value*> Callables::lower_by_rule(const CallSite& site) {
  if (!is_std(site.callee, {"invoke"}) || site.arguments.empty()) {
    return std::nullopt;
  }
  const Expr* called = site.arguments[0];
  const llvm::ArrayRef<const Expr*> passed = site.arguments.drop_front();
  if (const CXXMethodDecl* chosen = operator_called_by(site.callee, called)) {
    return calls_.lower_call(chosen, site.source, called, passed, site.reference);
  }
  const Binding target = callable(called);
  return target.kind == Binding::Kind::None
             ? std::nullopt
             : std::optional(call_target(target, site.source, passed, site.reference));
}

}  // namespace ddx::compiler
