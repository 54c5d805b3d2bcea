#include "compiler/lower/calls/calls.h"

#include "compiler/lower/calls/callables.h"
#include "compiler/lower/calls/functor_calls.h"
#include "compiler/lower/calls/inactive_calls.h"
#include "compiler/lower/calls/scalar_calls.h"
#include "compiler/lower/calls/without_derivative.h"
#include "compiler/lower/expressions/object_assignments.h"
#include "compiler/lower/expressions/synthesised_code.h"
#include "compiler/lower/library/complex.h"
#include "compiler/lower/library/containers.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/sum_types.h"
#include "compiler/lower/library/tuples.h"
#include "compiler/lower/library/utilities.h"
#include "compiler/lower/library/views.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/moved_objects.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

std::optional<Value*> lower_by_first(llvm::ArrayRef<CallRule*> rules, const CallSite& site) {
  for (CallRule* rule : rules) {
    if (const auto made = rule->lower_by_rule(site)) {
      return made;
    }
  }
  return std::nullopt;
}

}  // namespace

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
    return rejections_.unsupported(source, member ? Diagnostic::UnsupportedMemberPointerCall
                                                  : Diagnostic::UnsupportedFunctionPointer);
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

/// The derivative that is registered for the callee; null where its body is differentiated.
const RegisteredDerivative* Calls::registered_derivative(const CallSite& site) const {
  const RegisteredDerivative* found =
      site.of_lambda() ? nullptr : context_.registry.find(site.callee);
  return found && (found->vjp || function_.key.mode != Mode::Reverse) ? found : nullptr;
}

Value* Calls::lower_call(const FunctionDecl* callee, const Expr* source, const Receiver& object,
                         llvm::ArrayRef<const Expr*> arguments, std::optional<Path>* reference) {
  callee = synthesised_code_.part_of_entry(callee, arguments);
  moved_objects_.check_exchanged(callee, source, object, arguments);
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  CallSite site{callee, method, source, object, arguments, reference};
  site.needs_place = std::exchange(scope_.needs_place, false);
  site.of_scalarized =
      method && method->isInstance() &&
      context_.types.is_scalarized(context_.ast.getRecordType(method->getParent()));
  // What derivatives cannot be registered for. Pointers come first: what loses one is an error
  // whatever the function is.
  CallRule* const first[] = {&without_derivative_, &dynamic_pointers_, &iterators_, &views_,
                             &synthesised_code_,   &functor_calls_};
  if (const auto made = lower_by_first(first, site)) {
    return *made;
  }
  site.registered = registered_derivative(site);
  // std::get of a variant is a sum type's, so these come before tuples. Assignments of containers
  // are members of theirs, so these come before assignments of other objects. What no rule knows
  // stays text if nothing real goes into it.
  CallRule* const others[] = {&scalar_calls_,  &complex_, &callables_,  &utilities_,
                              &sum_types_,     &tuples_,  &containers_, &object_assignments_,
                              &inactive_calls_};
  if (!site.registered) {
    if (const auto made = lower_by_first(others, site)) {
      return *made;
    }
  }
  return call_function(site);
}

}  // namespace ddx::compiler
