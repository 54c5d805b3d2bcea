// Calls of functions that no rule knows, or whose derivatives are registered.

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/arguments.h"
#include "compiler/lower/calls/callables.h"
#include "compiler/lower/calls/calls.h"
#include "compiler/lower/calls/inactive_calls.h"
#include "compiler/lower/calls/inlining.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/effects.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/texts.h"
#include "compiler/support/function_names.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

#include "llvm/ADT/ScopeExit.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

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

/// A call of the library, or of a function whose body cannot be seen.
Value* Calls::call_without_body(const CallSite& site) {
  if (Value* result = nullptr;
      inactive_calls_.inactive_member_call(site.callee, site.source, site.object.expression,
                                           site.arguments, &result) ||
      inactive_calls_.inactive_library_call(site.callee, site.source, site.object.expression,
                                            site.arguments, &result)) {
    return result;
  }
  // Inactive work of the library (printing, say) is carried over; the diagnose stage looks at
  // what it touches. What it does to numbers in memory cannot be seen.
  const bool reaches = llvm::any_of(site.arguments, [&](const Expr* argument) {
    const Expr* given = argument->IgnoreParenImpCasts();
    return given->getType()->isPointerType() &&
           Types::is_real(given->getType()->getPointeeType()) &&
           dynamic_pointers_.is_dynamic_pointer_value(given);
  });
  Value* result = unknown_call(site.callee, site.source);
  function_.statements.back().always = function_.statements.back().always || reaches;
  return result;
}

/// True for a call of a virtual function that only the run of the program can choose.
bool Calls::is_dispatched(const CallSite& site) const {
  const auto* call = dyn_cast<CallExpr>(site.source);
  const auto* member = call ? dyn_cast<MemberExpr>(call->getCallee()->IgnoreParens()) : nullptr;
  return !site.registered && site.method && site.object && site.method->isVirtual() &&
         (!member || member->performsVirtualDispatch(context_.sema.getLangOpts())) &&
         !in_library(site.method) &&
         !(site.object.expression &&
           site.method->getDevirtualizedMethod(site.object.expression, false) == site.method);
}

Value* Calls::call_function(const CallSite& site) {
  const FunctionDecl* callee = site.callee;
  if (is_dispatched(site)) {
    return rejections_.unsupported(site.source, Diagnostic::UnsupportedVirtualCall,
                                   {callee->getQualifiedNameAsString()});
  }
  if (callee->hasAttr<ReturnsTwiceAttr>() || callee->getNameAsString() == "_setjmp" ||
      callee->getNameAsString() == "setjmp") {
    Value* value = rejections_.unsupported(site.source, Diagnostic::UnsupportedSetjmp);
    function_.statements.back().always = true;
    return value;
  }
  if (const auto plain = site.registered
                             ? std::nullopt
                             : replacements_.replacement(callee, site.source, site.arguments)) {
    return lower_call(plain->function, site.source, nullptr, plain->arguments, site.reference);
  }
  const FunctionDecl* body = site.registered ? nullptr : replacements_.visible_body(callee);
  if (!site.registered && (in_library(callee) || !body)) {
    return call_without_body(site);
  }
  if (!site.registered && isa<CoroutineBodyStmt>(body->getBody())) {
    return rejections_.unsupported(site.source, Diagnostic::UnsupportedCoroutine,
                                   {callee->getNameAsString()});
  }
  const QualType result = callee->getReturnType();
  const bool returns_dynamic_pointer = result->isPointerType() &&
                                       context_.types.is_dynamic_pointer(result) &&
                                       dynamic_pointers_.is_dynamic_pointer_value(site.source);
  const bool is_reference = !site.registered && !returns_dynamic_pointer &&
                            (result->isReferenceType() || context_.types.iterator(result));
  if (is_reference ||
      (!site.registered && inlining_.is_inlined(body, site.object, site.arguments))) {
    return call_in_place(site, body, is_reference);
  }
  if (!site.registered && context_.types.is_scalarized(result)) {
    return rejections_.unsupported(site.source,
                                   Types::is_closure(result)
                                       ? Diagnostic::UnsupportedReturnedLambda
                                       : Diagnostic::UnsupportedReturnedReference,
                                   {callee->getNameAsString()});
  }
  return call_with_arguments(site, body);
}

/// Lowers `body` here. `is_reference`: it returns what names an object, and needs no inlining where
/// text can name that.
Value* Calls::call_in_place(const CallSite& site, const FunctionDecl* body, bool is_reference) {
  if (is_reference && !site.needs_place &&
      !context_.types.may_hold_real(site.callee->getReturnType())) {
    Effects found = effects_.of(site.source);
    const auto text = found.lowers || inlining_.writes_a_part(site.callee, found)
                          ? std::nullopt
                          : texts_.text_of(site.source);
    if (text) {
      texts_.text_value(site.source, found, *text);
      return nullptr;
    }
  }
  return inlining_.call_in_place(body, site.source, site.object, site.arguments, site.reference);
}

/// Passes the object of a member function. Returns: the rejected call where that cannot be
/// expressed, else nothing.
std::optional<Value*> Calls::expand_object(const CallSite& site, ir::Statement* call) {
  if (site.of_scalarized) {
    Binding whole = site.object.known ? *site.object.known
                                      : scalarized_objects_.scalarized(site.object.expression);
    if (whole.kind == Binding::Kind::Object) {
      whole = scalarized_objects_.scalarized_at(whole.path);
    }
    const QualType of =
        site.of_lambda() ? QualType() : context_.ast.getRecordType(site.method->getParent());
    if (whole.kind != Binding::Kind::Closure ||
        !arguments_.expand_scalarized(call, *whole.closure, of, site.method->isConst())) {
      return rejections_.unsupported(site.source, site.of_lambda()
                                                      ? Diagnostic::UnsupportedForeignLambda
                                                      : Diagnostic::UnsupportedExpression);
    }
  } else if (site.object && site.method && site.method->isInstance()) {
    const auto path = places_.object_path(site.object);
    if (!path) {
      return rejections_.unsupported(site.source);
    }
    arguments_.expand_path(call, *path, false, site.method->isConst());
  }
  return std::nullopt;
}

Value* Calls::call_with_arguments(const CallSite& site, const FunctionDecl* body) {
  const FunctionDecl* callee = site.callee;
  const auto forget = llvm::make_scope_exit([&] {
    for (const Expr* argument : site.arguments) {
      scope_.meant.erase(argument);
    }
  });
  const auto is_function = [&](unsigned i) {
    return !site.registered &&
           Types::is_callable(callee->getParamDecl(i)->getType().getNonReferenceType());
  };
  for (unsigned i = 0; i < site.arguments.size() && i < callee->getNumParams(); ++i) {
    if (is_function(i)) {
      scope_.meant[site.arguments[i]] = callables_.callable(site.arguments[i]);
    }
  }
  ir::Statement* made = builder_.make(ir::Statement::Kind::Call, site.where());
  made->callee = site.registered ? callee : body;
  made->registered = site.registered;
  made->by_name = !site.of_scalarized;
  if (const auto rejected = expand_object(site, made)) {
    return *rejected;
  }
  for (unsigned i = 0; i < site.arguments.size(); ++i) {
    if (i >= callee->getNumParams()) {
      return rejections_.unsupported(site.source, Diagnostic::UnsupportedVariadic);
    }
    if (is_function(i) && is_rebound(body->getParamDecl(i))) {
      return rejections_.unsupported(site.source, Diagnostic::UnsupportedFunctionPointer);
    }
    if (!arguments_.expand_argument(made, callee->getParamDecl(i)->getType(), site.arguments[i])) {
      return rejections_.unsupported_argument(site.source, site.arguments[i]);
    }
  }
  replacements_.note_original(made, site.source, callee);
  return arguments_.emit_call(made, callee->getReturnType());
}

}  // namespace ddx::compiler
