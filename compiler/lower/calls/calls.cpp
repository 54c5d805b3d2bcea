#include "compiler/lower/calls/calls.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/arguments.h"
#include "compiler/lower/calls/callables.h"
#include "compiler/lower/calls/inactive_calls.h"
#include "compiler/lower/calls/inlining.h"
#include "compiler/lower/calls/multi_result_functions.h"
#include "compiler/lower/calls/opaque_calls.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/calls/virtual_calls.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/effects.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/idempotent_constructors.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/expressions/synthesised_code.h"
#include "compiler/lower/library/complex.h"
#include "compiler/lower/library/containers.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/sum_types.h"
#include "compiler/lower/library/tuples.h"
#include "compiler/lower/library/views.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/moved_objects.h"
#include "compiler/lower/texts.h"
#include "compiler/request/registry.h"
#include "compiler/rules/scalar_rules.h"
#include "compiler/support/called_operator.h"
#include "compiler/support/function_names.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

#include "llvm/ADT/ScopeExit.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Value* Calls::call(const Expr* expression, std::optional<Path>* reference) {
  const auto* source = cast<CallExpr>(expression->IgnoreParens());
  if (isa<CXXPseudoDestructorExpr>(source->getCallee())) {
    return nullptr;
  }
  llvm::SmallVector<const Expr*> arguments(source->arg_begin(), source->arg_end());
  const FunctionDecl* callee = source->getDirectCallee();
  if (!callee) {
    const Expr* target = source->getCallee()->IgnoreParenImpCasts();
    const auto* member = dyn_cast<BinaryOperator>(target);
    if (member && member->isPtrMemOp()) {  // (object.*member)(...)
      target = member->getRHS();
      arguments.insert(arguments.begin(), member->getLHS());
    }
    const Binding found = callables_.callable(target);
    if (found.kind != Binding::Kind::None) {
      return callables_.call_target(found, source, arguments, reference);
    }
    return member ? rejections_.unsupported(source, Diagnostic::UnsupportedMemberPointerCall)
                  : callables_.call_by_pointer(target, source, arguments, reference);
  }
  if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(source)) {
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    if (method && Types::is_function_object(arguments[0]->getType())) {
      if (operation->getOperator() == OO_Call) {
        const Binding target = callables_.callable(arguments[0]);
        if (target.kind != Binding::Kind::None) {
          return callables_.call_target(target, source, llvm::ArrayRef(arguments).drop_front(),
                                        reference);
        }
        return rejections_.unsupported(source, Diagnostic::UnsupportedFunctionPointer);
      }
    }
    if (method && method->isInstance()) {
      return lower_call(callee, source, arguments[0], llvm::ArrayRef(arguments).drop_front(),
                        reference);
    }
    return lower_call(callee, operation, {}, arguments, reference);
  }
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(source)) {
    return lower_call(callee, source, member->getImplicitObjectArgument(), arguments, reference);
  }
  return lower_call(callee, source, {}, arguments, reference);
}

/// Refuses a call of a function that has no rule and no body to look into.
Value* Calls::unknown_call(const FunctionDecl* callee, const Expr* source) {
  if (is_memory_sweep(callee)) {
    return rejections_.unsupported(source, Diagnostic::UnsupportedSecondDerivative);
  }
  return in_library(callee) ? rejections_.unsupported(source, Diagnostic::UnsupportedLibraryCall,
                                                      {callee->getQualifiedNameAsString()})
                            : rejections_.unsupported(source, Diagnostic::UnsupportedHiddenBody,
                                                      {callee->getNameAsString()});
}

Value* Calls::lower_call(const FunctionDecl* callee, const Expr* source, const Receiver& object,
                         llvm::ArrayRef<const Expr*> arguments, std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  callee = synthesised_code_.part_of_entry(callee, arguments);
  moved_objects_.check_exchanged(callee, source, object, arguments);
  const bool needs_place = std::exchange(scope_.needs_place, false);
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const bool of_closure =
      method && method->isInstance() &&
      context_.types.is_scalarized(context_.ast.getRecordType(method->getParent()));
  const bool of_lambda = of_closure && method->getParent()->isLambda();
  const auto argument_value = [&](const Expr* argument) -> Value* {
    const Expr* inner = argument->IgnoreParens();
    if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(inner)) {
      return expressions_.rvalue(temporary->getSubExpr());
    }
    return inner->isGLValue() ? expressions_.read(inner, where) : expressions_.rvalue(inner);
  };
  if (callee->getIdentifier() && callee->getName() == "without_derivative" &&
      callee->getQualifiedNameAsString() == "ddx::without_derivative") {
    function_.cuts = true;
    if (arguments[0]->getType()->isScalarType()) {
      return builder_.form("$0", source->getType(), {argument_value(arguments[0])}, where);
    }
    const auto path = places_.lvalue(arguments[0]);
    return path ? builder_.form("$0", source->getType(), {builder_.load(*path, where)}, where)
                : rejections_.unsupported(source, Diagnostic::UnsupportedArgument);
  }
  if (Value* made = nullptr;
      !of_closure && !object.known &&
      dynamic_pointers_.pointer_call(callee, source, object.expression, arguments, &made)) {
    return made;
  }
  Value* order = nullptr;
  if (!of_closure && !object.known &&
      iterators_.iterator_call(callee, source, object.expression, arguments, &order, reference)) {
    return order;
  }
  if (Value* member = nullptr;
      method && !object.known &&
      views_.view_call(method, source, object.expression, arguments, &member, reference)) {
    return member;
  }
  if (synthesised_code_.runtime_call(callee, source, object.expression, arguments, reference)) {
    // Where an entry is waited for, this function is lowered again; what stands here is not used.
    return function_.is_deferred && !source->getType()->isVoidType()
               ? builder_.literal("", source->getType(), where)
               : nullptr;
  }
  if (const auto made = functor_call(callee, source, arguments)) {
    return *made;
  }
  const RegisteredDerivative* registered = of_lambda ? nullptr : context_.registry.find(callee);
  if (registered && !registered->vjp && function_.key.mode == Mode::Reverse) {
    registered = nullptr;  // Its body is differentiated.
  }
  if (!registered) {
    if (const ScalarRule* rule = find_scalar_rule(callee)) {
      llvm::SmallVector<Value*, 3> operands;
      std::string text =
          (callee->getBuiltinID() != 0 && !in_library(callee) ? callee->getNameAsString()
                                                              : context_.names.function(callee)) +
          "(";
      // What a parameter refers to is read when all arguments are evaluated: a later one may have
      // changed it.
      llvm::SmallVector<std::optional<Path>, 3> referred;
      for (unsigned i = 0; i < arguments.size(); ++i) {
        const Expr* argument = arguments[i]->IgnoreParens();
        if (isa<CXXDefaultArgExpr>(argument)) {
          break;
        }
        const bool changes = llvm::any_of(arguments.drop_front(i + 1), [&](const Expr* later) {
          const Effects found = effects_.of(later);
          return found.lowers || !found.writes.empty() || !found.callees.empty();
        });
        Value* operand = nullptr;
        if (changes && argument->isGLValue() && !isa<MaterializeTemporaryExpr>(argument)) {
          referred.push_back(places_.lvalue(argument));
          operand = referred.back() ? nullptr : rejections_.unsupported(argument);
        } else {
          referred.push_back(std::nullopt);
          operand = argument_value(argument);
        }
        if (!operand && !referred.back()) {
          return nullptr;
        }
        text += (operands.empty() ? "$" : ", $") + std::to_string(operands.size());
        operands.push_back(operand);
      }
      for (unsigned i = 0; i < operands.size(); ++i) {
        if (referred[i]) {
          operands[i] = builder_.load(*referred[i], where);
        }
      }
      if (operands.size() == rule->arity) {
        Value* value = builder_.new_value(Value::Kind::Operation, source->getType(), where);
        value->text = text + ")";
        value->rule = value->has_tangent ? rule : nullptr;
        value->operands.assign(operands.begin(), operands.end());
        builder_.define(value);
        return value;
      }
    }
    Value* number = nullptr;
    if (!object.known &&
        complex_.complex_call(callee, source, object.expression, arguments, &number, reference)) {
      return number;
    }
    if (Value* split = nullptr;
        multi_result_functions_.split_call(callee, source, arguments, &split)) {
      return split;
    }
    if (is_std(callee, {"invoke"}) && !arguments.empty()) {
      if (const CXXMethodDecl* chosen = operator_called_by(callee, arguments[0])) {
        return lower_call(chosen, source, arguments[0], arguments.drop_front(), reference);
      }
      const Binding target = callables_.callable(arguments[0]);
      if (target.kind != Binding::Kind::None) {
        return callables_.call_target(target, source, arguments.drop_front(), reference);
      }
    }
    if (is_std(callee, {"move", "forward", "as_const"})) {
      if (arguments.size() == 1) {
        if (auto path = places_.lvalue(arguments[0])) {
          *reference = path;
          return nullptr;
        }
        return rejections_.unsupported(source);
      }
    }
    if (is_std(callee, {"data"}) && arguments.size() == 1 && !method) {
      const auto whole = places_.lvalue(arguments[0]);
      if (whole && Types::container(whole->type) != Container::None &&
          Types::container(whole->type) != Container::StdPair) {
        *reference = element_path(whole, nullptr, context_.types.element(whole->type));
        return nullptr;
      }
    }
    if (is_std(callee, {"swap"}) && arguments.size() == 2 &&
        arguments[0]->getType()->isScalarType()) {
      const auto first = places_.lvalue(arguments[0]);
      const auto second = places_.lvalue(arguments[1]);
      if (first && second) {
        Value* one = builder_.load(*first, where);
        Value* two = builder_.load(*second, where);
        builder_.store(*first, two, where);
        builder_.store(*second, one, where);
        return nullptr;
      }
    }
    if (Value* held = nullptr;
        sum_types_.sum_type_function(callee, source, arguments, &held, reference)) {
      return held;
    }
    if (is_std(callee, {"get"}) && arguments.size() == 1) {
      const auto path = places_.lvalue(arguments[0]);
      const Container kind = path ? Types::container(path->type) : Container::None;
      const auto* written = callee->getTemplateSpecializationArgs();
      if (path && written && written->get(0).getKind() == TemplateArgument::Integral) {
        const auto position = written->get(0).getAsIntegral().getZExtValue();
        if (kind == Container::StdArray) {
          *reference = element_path(
              path, builder_.literal(std::to_string(position), context_.ast.getSizeType(), where),
              context_.types.element(path->type));
          return nullptr;
        }
      }
      if (kind == Container::StdPair) {
        if (const auto position = tuples_.part_named(callee, path->type)) {
          *reference = tuples_.part_path(*path, *position);
          return nullptr;
        }
      }
      return rejections_.unsupported(source, Diagnostic::UnsupportedLibraryCall,
                                     {callee->getQualifiedNameAsString()});
    }
    if (tuples_.make_parts(callee, source, arguments, reference)) {
      return nullptr;
    }
    if (Value* applied = nullptr; tuples_.apply(callee, source, arguments, &applied, reference)) {
      return applied;
    }
    if (method && object.expression && method->getOverloadedOperator() == OO_Equal &&
        arguments.size() == 1 && tuples_.assign_tied(object.expression, arguments[0])) {
      return nullptr;
    }
    if (object.expression && method &&
        !context_.types.has_tangent(context_.ast.getRecordType(method->getParent())) &&
        source->getType()->isVoidType()) {
      // Elements without tangent may be of a class that only moves.
      const Effects found = effects_.of(source);
      const auto text = found.lowers ? std::nullopt : texts_.text_of(source);
      const QualType type = context_.ast.getRecordType(method->getParent());
      if (text && !opaque_calls_.library_may_copy_within(source) &&
          Types::container(type) == Container::StdVector &&
          Types::record(context_.types.element(type))) {
        ir::Statement* kept = builder_.add(ir::Statement::Kind::Text, where);
        kept->text = *text;
        effects_.note(kept, found);
        return nullptr;
      }
    }
    if (object.expression && method &&
        Types::container(context_.ast.getRecordType(method->getParent())) != Container::None) {
      Value* value = nullptr;
      if (containers_.container_call(method, source, object.expression, arguments, &value,
                                     reference)) {
        return value;
      }
    }
    const bool assigns = method && object &&
                         (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
    if (assigns && of_closure && !method->isUserProvided()) {
      const Binding to =
          object.known ? *object.known : scalarized_objects_.scalarized(object.expression);
      if (scalarized_objects_.assign_scalarized(to, scalarized_objects_.scalarized(arguments[0]),
                                                where)) {
        return nullptr;
      }
      return rejections_.unsupported(source, Diagnostic::UnsupportedAssignment);
    }
    const QualType assigned =
        assigns ? context_.ast.getRecordType(method->getParent()) : QualType();
    const bool works = assigns && !in_library(method->getParent()) &&
                       (method->isMoveAssignmentOperator() ? context_.types.move_works(assigned)
                                                           : context_.types.copy_works(assigned));
    if (assigns && !in_library(callee) && dynamic_pointers_.only_moves_pointers(callee)) {
      const auto text = dynamic_pointers_.dynamic_pointer_text(source);
      if (!text) {
        return dynamic_pointers_.lost_pointer(source);
      }
      dynamic_pointers_.add_text(*text, where);
      if (auto to = source == scope_.discarded ? std::nullopt : places_.object_path(object)) {
        *reference = std::move(to);
      }
      return nullptr;
    }
    if (assigns && !works &&
        (method->isDefaulted() || method->isTrivial() || in_library(method->getParent()) ||
         context_.types.is_leaf(method->getParent()))) {
      const Expr* right = arguments[0]->IgnoreParens();
      if (const auto* conditional = dyn_cast<ConditionalOperator>(right->IgnoreImpCasts());
          conditional && conditional->isGLValue() &&
          (!object.expression || is_idempotent(object.expression))) {
        const std::optional<Path> place = places_.object_path(object);
        const auto assign_arm = [&](const Expr* arm) {
          const auto from = place ? places_.lvalue(arm) : std::nullopt;
          if (from) {
            builder_.store(*place, builder_.load(*from, where), where);
          } else {
            rejections_.unsupported(source, Diagnostic::UnsupportedAssignment);
          }
        };
        expressions_.for_each_arm(conditional, where, assign_arm);
        *reference = place;
        return nullptr;
      }
      std::optional<Path> from = places_.lvalue(right);
      std::optional<Path> to = places_.object_path(object);
      if (from && to && Types::container(to->type) == Container::StdComplex) {
        complex_.store_parts(*to, complex_.load_parts(*from, where), where);
        *reference = to;
        return nullptr;
      }
      if (from && to) {
        Value* value = builder_.load(*from, where);
        moved_objects_.empty_moved_here(
            right);  // `v = longer(std::move(v))`: what it took, it took before.
        builder_.store(*to, value, where);
        *reference = to;
        return nullptr;
      }
      return rejections_.unsupported(source, Diagnostic::UnsupportedAssignment);
    }
    bool depends = of_closure || source->getType()->isVoidType();
    depends = depends || object.known || (object && effects_.mentions_real(object.expression));
    for (const Expr* argument : arguments) {
      depends = depends || effects_.mentions_real(argument) ||
                context_.types.is_scalarized(argument->getType());
    }
    // What the result refers to may be written: then it must be known.
    const bool mutable_result = source->isLValue() && !source->getType().isConstQualified() &&
                                context_.types.may_hold_real(source->getType());
    const bool has_place = needs_place && source->isGLValue() && !in_library(callee) &&
                           replacements_.visible_body(callee);
    if (!depends && !mutable_result && !has_place) {
      Effects found = effects_.of(source);
      const bool of_a_part = Types::is_real(source->getType()) && !in_library(callee) &&
                             replacements_.visible_body(callee) && reads_a_part(found);
      if (!found.lowers && !of_a_part && !inlining_.writes_a_part(callee, found)) {
        if (const auto text = texts_.text_of(source)) {
          return texts_.text_value(source, found, *text);
        }
      }
    }
  }
  const auto* named_call = dyn_cast<CallExpr>(source);
  const auto* named_member =
      named_call ? dyn_cast<MemberExpr>(named_call->getCallee()->IgnoreParens()) : nullptr;
  const bool dispatched =
      !named_member || named_member->performsVirtualDispatch(context_.sema.getLangOpts());
  if (!registered && method && object && method->isVirtual() && dispatched && !object.resolved &&
      !in_library(method)) {
    return virtual_calls_.call_virtual(method, source, object, arguments, reference);
  }
  if (callee->hasAttr<ReturnsTwiceAttr>() || callee->getNameAsString() == "_setjmp" ||
      callee->getNameAsString() == "setjmp") {
    Value* value = rejections_.unsupported(source, Diagnostic::UnsupportedSetjmp);
    function_.statements.back().always = true;
    return value;
  }
  if (const auto plain =
          registered ? std::nullopt : replacements_.replacement(callee, source, arguments)) {
    return lower_call(plain->function, source, nullptr, plain->arguments, reference);
  }
  const FunctionDecl* body = registered ? nullptr : replacements_.visible_body(callee);
  const bool unknown = !registered && (in_library(callee) || !body);
  if (Value* result = nullptr;
      unknown && (inactive_calls_.inactive_member_call(callee, source, object.expression, arguments,
                                                       &result) ||
                  inactive_calls_.inactive_library_call(callee, source, object.expression,
                                                        arguments, &result))) {
    return result;
  }
  if (unknown) {
    // Inactive work of the library (printing, say) is carried over; the diagnose stage looks at
    // what it touches. What it does to numbers in memory cannot be seen.
    const bool reaches = llvm::any_of(arguments, [&](const Expr* argument) {
      const Expr* given = argument->IgnoreParenImpCasts();
      return given->getType()->isPointerType() &&
             Types::is_real(given->getType()->getPointeeType()) &&
             dynamic_pointers_.is_dynamic_pointer_value(given);
    });
    Value* result = unknown_call(callee, source);
    function_.statements.back().always = function_.statements.back().always || reaches;
    return result;
  }
  if (!registered && isa<CoroutineBodyStmt>(body->getBody())) {
    return rejections_.unsupported(source, Diagnostic::UnsupportedCoroutine,
                                   {callee->getNameAsString()});
  }
  const bool outer_casts = std::exchange(
      scope_.callee_casts, !registered && context_.casts_to_derived.reached_from(body));
  const auto restore = llvm::make_scope_exit([&] { scope_.callee_casts = outer_casts; });
  const QualType result = callee->getReturnType();
  const bool returns_dynamic_pointer = result->isPointerType() &&
                                       context_.types.is_dynamic_pointer(result) &&
                                       dynamic_pointers_.is_dynamic_pointer_value(source);
  const bool in_place = !registered && !returns_dynamic_pointer &&
                        (result->isReferenceType() || context_.types.iterator(result) ||
                         context_.types.move_works(result));
  if (in_place || (!registered && inlining_.is_inlined(body, object, arguments))) {
    if (in_place && !needs_place && !context_.types.may_hold_real(result)) {
      Effects found = effects_.of(source);
      const auto text = found.lowers || inlining_.writes_a_part(callee, found)
                            ? std::nullopt
                            : texts_.text_of(source);
      if (text) {
        texts_.text_value(source, found, *text);
        return nullptr;
      }
    }
    return inlining_.call_in_place(body, source, object, arguments, reference);
  }
  if (!registered && context_.types.is_scalarized(result)) {
    return rejections_.unsupported(source,
                                   Types::is_closure(result)
                                       ? Diagnostic::UnsupportedReturnedLambda
                                       : Diagnostic::UnsupportedReturnedReference,
                                   {callee->getNameAsString()});
  }
  const auto forget = llvm::make_scope_exit([&] {
    for (const Expr* argument : arguments) {
      scope_.meant.erase(argument);
    }
  });
  for (unsigned i = 0; i < arguments.size() && i < callee->getNumParams() && !registered; ++i) {
    if (!Types::is_callable(callee->getParamDecl(i)->getType().getNonReferenceType())) {
      continue;
    }
    scope_.meant[arguments[i]] = callables_.callable(arguments[i]);
  }
  ir::Statement* made = builder_.make(ir::Statement::Kind::Call, where);
  made->callee = registered ? callee : body;
  made->registered = registered;
  made->by_name = !of_closure;
  bool expanded = true;
  if (of_closure) {
    Binding whole =
        object.known ? *object.known : scalarized_objects_.scalarized(object.expression);
    if (whole.kind == Binding::Kind::Object) {
      whole = scalarized_objects_.scalarized_at(whole.path);
    }
    expanded = whole.kind == Binding::Kind::Closure &&
               arguments_.expand_scalarized(
                   made, *whole.closure,
                   of_lambda ? QualType() : context_.ast.getRecordType(method->getParent()),
                   method->isConst());
    if (!expanded) {
      return rejections_.unsupported(source, of_lambda ? Diagnostic::UnsupportedForeignLambda
                                                       : Diagnostic::UnsupportedExpression);
    }
  } else if (object && method && method->isInstance()) {
    const auto path = places_.object_path(object);
    if (!path) {
      return rejections_.unsupported(source);
    }
    if (!virtual_calls_.expand_whole(made, *path, method->isConst())) {
      arguments_.expand_path(made, *path, false, method->isConst());
    }
  }
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (i >= callee->getNumParams()) {
      return rejections_.unsupported(source, Diagnostic::UnsupportedVariadic);
    }
    const QualType type = callee->getParamDecl(i)->getType();
    if (!registered && Types::is_callable(type.getNonReferenceType()) &&
        is_rebound(body->getParamDecl(i))) {
      return rejections_.unsupported(source, Diagnostic::UnsupportedFunctionPointer);
    }
    if (!arguments_.expand_argument(made, type, arguments[i])) {
      return rejections_.unsupported_argument(source, arguments[i]);
    }
  }
  replacements_.note_original(made, source, callee);
  return arguments_.emit_call(made, result);
}

}  // namespace ddx::compiler
