#include "compiler/lower/lowering.h"
#include "compiler/request/registry.h"
#include "compiler/support/called_operator.h"
#include "compiler/support/function_names.h"

#include "llvm/ADT/ScopeExit.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

std::optional<Path> Lowering::object_path(const Receiver& object) {
  if (object.known) {
    return object.known->path;
  }
  return object.expression->getType()->isPointerType() ? pointer(object.expression)
                                                       : lvalue(object.expression);
}

Value* Lowering::call(const Expr* expression, std::optional<Path>* reference) {
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
    const Binding found = callable(target);
    if (found.kind != Binding::Kind::None) {
      return call_target(found, source, arguments, reference);
    }
    return member ? unsupported(source, Diagnostic::UnsupportedMemberPointerCall)
                  : call_by_pointer(target, source, arguments, reference);
  }
  if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(source)) {
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    if (method && Types::is_function_object(arguments[0]->getType())) {
      if (operation->getOperator() == OO_Call) {
        const Binding target = callable(arguments[0]);
        if (target.kind != Binding::Kind::None) {
          return call_target(target, source, llvm::ArrayRef(arguments).drop_front(), reference);
        }
        return unsupported(source, Diagnostic::UnsupportedFunctionPointer);
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
Value* Lowering::unknown_call(const FunctionDecl* callee, const Expr* source) {
  if (is_memory_sweep(callee)) {
    return unsupported(source, Diagnostic::UnsupportedSecondDerivative);
  }
  return in_library(callee)
             ? unsupported(source, Diagnostic::UnsupportedLibraryCall,
                           {callee->getQualifiedNameAsString()})
             : unsupported(source, Diagnostic::UnsupportedHiddenBody, {callee->getNameAsString()});
}

Value* Lowering::lower_call(const FunctionDecl* callee, const Expr* source, const Receiver& object,
                            llvm::ArrayRef<const Expr*> arguments, std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  callee = part_of_entry(callee, arguments);
  check_exchanged(callee, source, object, arguments);
  const bool needs_place = std::exchange(needs_place_, false);
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const bool of_closure = method && method->isInstance() &&
                          is_scalarized(context_.ast.getRecordType(method->getParent()));
  const bool of_lambda = of_closure && method->getParent()->isLambda();
  const auto argument_value = [&](const Expr* argument) -> Value* {
    const Expr* inner = argument->IgnoreParens();
    if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(inner)) {
      return rvalue(temporary->getSubExpr());
    }
    return inner->isGLValue() ? read(inner, where) : rvalue(inner);
  };
  if (callee->getIdentifier() && callee->getName() == "without_derivative" &&
      callee->getQualifiedNameAsString() == "ddx::without_derivative") {
    function_.cuts = true;
    if (arguments[0]->getType()->isScalarType()) {
      return form("$0", source->getType(), {argument_value(arguments[0])}, where);
    }
    const auto path = lvalue(arguments[0]);
    return path ? form("$0", source->getType(), {load(*path, where)}, where)
                : unsupported(source, Diagnostic::UnsupportedArgument);
  }
  if (Value* made = nullptr; !of_closure && !object.known &&
                             pointer_call(callee, source, object.expression, arguments, &made)) {
    return made;
  }
  Value* order = nullptr;
  if (!of_closure && !object.known &&
      iterator_call(callee, source, object.expression, arguments, &order, reference)) {
    return order;
  }
  if (Value* member = nullptr;
      method && !object.known &&
      view_call(method, source, object.expression, arguments, &member, reference)) {
    return member;
  }
  if (runtime_call(callee, source, object.expression, arguments, reference)) {
    // Where an entry is waited for, this function is lowered again; what stands here is not used.
    return function_.is_deferred && !source->getType()->isVoidType()
               ? literal("", source->getType(), where)
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
          const Effects found = effects(later);
          return found.lowers || !found.writes.empty() || !found.callees.empty();
        });
        Value* operand = nullptr;
        if (changes && argument->isGLValue() && !isa<MaterializeTemporaryExpr>(argument)) {
          referred.push_back(lvalue(argument));
          operand = referred.back() ? nullptr : unsupported(argument);
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
          operands[i] = load(*referred[i], where);
        }
      }
      if (operands.size() == rule->arity) {
        Value* value = new_value(Value::Kind::Operation, source->getType(), where);
        value->text = text + ")";
        value->rule = value->has_tangent ? rule : nullptr;
        value->operands.assign(operands.begin(), operands.end());
        define(value);
        return value;
      }
    }
    Value* number = nullptr;
    if (!object.known &&
        complex_call(callee, source, object.expression, arguments, &number, reference)) {
      return number;
    }
    if (Value* split = nullptr; split_call(callee, source, arguments, &split)) {
      return split;
    }
    if (is_std(callee, {"invoke"}) && !arguments.empty()) {
      if (const CXXMethodDecl* chosen = operator_called_by(callee, arguments[0])) {
        return lower_call(chosen, source, arguments[0], arguments.drop_front(), reference);
      }
      const Binding target = callable(arguments[0]);
      if (target.kind != Binding::Kind::None) {
        return call_target(target, source, arguments.drop_front(), reference);
      }
    }
    if (is_std(callee, {"move", "forward", "as_const"})) {
      if (arguments.size() == 1) {
        if (auto path = lvalue(arguments[0])) {
          *reference = path;
          return nullptr;
        }
        return unsupported(source);
      }
    }
    if (is_std(callee, {"data"}) && arguments.size() == 1 && !method) {
      const auto whole = lvalue(arguments[0]);
      if (whole && Types::container(whole->type) != Container::None &&
          Types::container(whole->type) != Container::StdPair) {
        *reference = element_path(whole, nullptr, context_.types.element(whole->type));
        return nullptr;
      }
    }
    if (is_std(callee, {"swap"}) && arguments.size() == 2 &&
        arguments[0]->getType()->isScalarType()) {
      const auto first = lvalue(arguments[0]);
      const auto second = lvalue(arguments[1]);
      if (first && second) {
        Value* one = load(*first, where);
        Value* two = load(*second, where);
        store(*first, two, where);
        store(*second, one, where);
        return nullptr;
      }
    }
    if (Value* held = nullptr; sum_type_function(callee, source, arguments, &held, reference)) {
      return held;
    }
    if (is_std(callee, {"get"}) && arguments.size() == 1) {
      const auto path = lvalue(arguments[0]);
      const Container kind = path ? Types::container(path->type) : Container::None;
      const auto* written = callee->getTemplateSpecializationArgs();
      if (path && written && written->get(0).getKind() == TemplateArgument::Integral) {
        const auto position = written->get(0).getAsIntegral().getZExtValue();
        if (kind == Container::StdArray) {
          *reference = element_path(
              path, literal(std::to_string(position), context_.ast.getSizeType(), where),
              context_.types.element(path->type));
          return nullptr;
        }
      }
      if (kind == Container::StdPair) {
        if (const auto position = part_named(callee, path->type)) {
          *reference = part_path(*path, *position);
          return nullptr;
        }
      }
      return unsupported(source, Diagnostic::UnsupportedLibraryCall,
                         {callee->getQualifiedNameAsString()});
    }
    if (make_parts(callee, source, arguments, reference)) {
      return nullptr;
    }
    if (Value* applied = nullptr; apply(callee, source, arguments, &applied, reference)) {
      return applied;
    }
    if (method && object.expression && method->getOverloadedOperator() == OO_Equal &&
        arguments.size() == 1 && assign_tied(object.expression, arguments[0])) {
      return nullptr;
    }
    if (object.expression && method &&
        !context_.types.has_tangent(context_.ast.getRecordType(method->getParent())) &&
        source->getType()->isVoidType()) {
      // Elements without tangent may be of a class that only moves.
      const Effects found = effects(source);
      const auto text = found.lowers ? std::nullopt : text_of(source);
      const QualType type = context_.ast.getRecordType(method->getParent());
      if (text && !library_may_copy_within(source) &&
          Types::container(type) == Container::StdVector &&
          Types::record(context_.types.element(type))) {
        ir::Statement* kept = add(ir::Statement::Kind::Text, where);
        kept->text = *text;
        note(kept, found);
        return nullptr;
      }
    }
    if (object.expression && method &&
        Types::container(context_.ast.getRecordType(method->getParent())) != Container::None) {
      Value* value = nullptr;
      if (container_call(method, source, object.expression, arguments, &value, reference)) {
        return value;
      }
    }
    const bool assigns = method && object &&
                         (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
    if (assigns && of_closure && !method->isUserProvided()) {
      const Binding to = object.known ? *object.known : scalarized(object.expression);
      if (assign_scalarized(to, scalarized(arguments[0]), where)) {
        return nullptr;
      }
      return unsupported(source, Diagnostic::UnsupportedAssignment);
    }
    const QualType assigned =
        assigns ? context_.ast.getRecordType(method->getParent()) : QualType();
    const bool works = assigns && !in_library(method->getParent()) &&
                       (method->isMoveAssignmentOperator() ? context_.types.move_works(assigned)
                                                           : context_.types.copy_works(assigned));
    if (assigns && !in_library(callee) && only_moves_pointers(callee)) {
      const auto text = dynamic_pointer_text(source);
      if (!text) {
        return lost_pointer(source);
      }
      add_text(*text, where);
      if (auto to = source == discarded_ ? std::nullopt : object_path(object)) {
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
        const std::optional<Path> place = object_path(object);
        const auto assign_arm = [&](const Expr* arm) {
          const auto from = place ? lvalue(arm) : std::nullopt;
          if (from) {
            store(*place, load(*from, where), where);
          } else {
            unsupported(source, Diagnostic::UnsupportedAssignment);
          }
        };
        for_each_arm(conditional, where, assign_arm);
        *reference = place;
        return nullptr;
      }
      std::optional<Path> from = lvalue(right);
      std::optional<Path> to = object_path(object);
      if (from && to && Types::container(to->type) == Container::StdComplex) {
        store_parts(*to, load_parts(*from, where), where);
        *reference = to;
        return nullptr;
      }
      if (from && to) {
        Value* value = load(*from, where);
        empty_moved_here(right);  // `v = longer(std::move(v))`: what it took, it took before.
        store(*to, value, where);
        *reference = to;
        return nullptr;
      }
      return unsupported(source, Diagnostic::UnsupportedAssignment);
    }
    bool depends = of_closure || source->getType()->isVoidType();
    depends = depends || object.known || (object && mentions_real(object.expression));
    for (const Expr* argument : arguments) {
      depends = depends || mentions_real(argument) || is_scalarized(argument->getType());
    }
    // What the result refers to may be written: then it must be known.
    const bool mutable_result = source->isLValue() && !source->getType().isConstQualified() &&
                                context_.types.may_hold_real(source->getType());
    const bool has_place =
        needs_place && source->isGLValue() && !in_library(callee) && visible_body(callee);
    if (!depends && !mutable_result && !has_place) {
      Effects found = effects(source);
      const bool of_a_part = Types::is_real(source->getType()) && !in_library(callee) &&
                             visible_body(callee) && reads_a_part(found);
      if (!found.lowers && !of_a_part && !writes_a_part(callee, found)) {
        if (const auto text = text_of(source)) {
          return text_value(source, found, *text);
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
    return call_virtual(method, source, object, arguments, reference);
  }
  if (callee->hasAttr<ReturnsTwiceAttr>() || callee->getNameAsString() == "_setjmp" ||
      callee->getNameAsString() == "setjmp") {
    Value* value = unsupported(source, Diagnostic::UnsupportedSetjmp);
    function_.statements.back().always = true;
    return value;
  }
  if (const auto plain = registered ? std::nullopt : replacement(callee, source, arguments)) {
    return lower_call(plain->function, source, nullptr, plain->arguments, reference);
  }
  const FunctionDecl* body = registered ? nullptr : visible_body(callee);
  const bool unknown = !registered && (in_library(callee) || !body);
  if (Value* result = nullptr;
      unknown && (inactive_member_call(callee, source, object.expression, arguments, &result) ||
                  inactive_library_call(callee, source, object.expression, arguments, &result))) {
    return result;
  }
  if (unknown) {
    // Inactive work of the library (printing, say) is carried over; the diagnose stage looks at
    // what it touches. What it does to numbers in memory cannot be seen.
    const bool reaches = llvm::any_of(arguments, [&](const Expr* argument) {
      const Expr* given = argument->IgnoreParenImpCasts();
      return given->getType()->isPointerType() &&
             Types::is_real(given->getType()->getPointeeType()) && is_dynamic_pointer_value(given);
    });
    Value* result = unknown_call(callee, source);
    function_.statements.back().always = function_.statements.back().always || reaches;
    return result;
  }
  if (!registered && isa<CoroutineBodyStmt>(body->getBody())) {
    return unsupported(source, Diagnostic::UnsupportedCoroutine, {callee->getNameAsString()});
  }
  const bool outer_casts =
      std::exchange(callee_casts_, !registered && context_.casts_to_derived.reached_from(body));
  const auto restore = llvm::make_scope_exit([&] { callee_casts_ = outer_casts; });
  const QualType result = callee->getReturnType();
  const bool returns_dynamic_pointer = result->isPointerType() &&
                                       context_.types.is_dynamic_pointer(result) &&
                                       is_dynamic_pointer_value(source);
  const bool in_place = !registered && !returns_dynamic_pointer &&
                        (result->isReferenceType() || context_.types.iterator(result) ||
                         context_.types.move_works(result));
  if (in_place || (!registered && is_inlined(body, object, arguments))) {
    if (in_place && !needs_place && !context_.types.may_hold_real(result)) {
      Effects found = effects(source);
      const auto text =
          found.lowers || writes_a_part(callee, found) ? std::nullopt : text_of(source);
      if (text) {
        text_value(source, found, *text);
        return nullptr;
      }
    }
    return call_in_place(body, source, object, arguments, reference);
  }
  if (!registered && is_scalarized(result)) {
    return unsupported(source,
                       Types::is_closure(result) ? Diagnostic::UnsupportedReturnedLambda
                                                 : Diagnostic::UnsupportedReturnedReference,
                       {callee->getNameAsString()});
  }
  const auto forget = llvm::make_scope_exit([&] {
    for (const Expr* argument : arguments) {
      meant_.erase(argument);
    }
  });
  for (unsigned i = 0; i < arguments.size() && i < callee->getNumParams() && !registered; ++i) {
    if (!Types::is_callable(callee->getParamDecl(i)->getType().getNonReferenceType())) {
      continue;
    }
    meant_[arguments[i]] = callable(arguments[i]);
  }
  ir::Statement* made = make(ir::Statement::Kind::Call, where);
  made->callee = registered ? callee : body;
  made->registered = registered;
  made->by_name = !of_closure;
  bool expanded = true;
  if (of_closure) {
    Binding whole = object.known ? *object.known : scalarized(object.expression);
    if (whole.kind == Binding::Kind::Object) {
      whole = scalarized_at(whole.path);
    }
    expanded =
        whole.kind == Binding::Kind::Closure &&
        expand_scalarized(made, *whole.closure,
                          of_lambda ? QualType() : context_.ast.getRecordType(method->getParent()),
                          method->isConst());
    if (!expanded) {
      return unsupported(source, of_lambda ? Diagnostic::UnsupportedForeignLambda
                                           : Diagnostic::UnsupportedExpression);
    }
  } else if (object && method && method->isInstance()) {
    const auto path = object_path(object);
    if (!path) {
      return unsupported(source);
    }
    if (!expand_whole(made, *path, method->isConst())) {
      expand_path(made, *path, false, method->isConst());
    }
  }
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (i >= callee->getNumParams()) {
      return unsupported(source, Diagnostic::UnsupportedVariadic);
    }
    const QualType type = callee->getParamDecl(i)->getType();
    if (!registered && Types::is_callable(type.getNonReferenceType()) &&
        is_rebound(body->getParamDecl(i))) {
      return unsupported(source, Diagnostic::UnsupportedFunctionPointer);
    }
    if (!expand_argument(made, type, arguments[i])) {
      return unsupported_argument(source, arguments[i]);
    }
  }
  note_original(made, source, callee);
  return emit_call(made, result);
}

}  // namespace ddx::compiler
