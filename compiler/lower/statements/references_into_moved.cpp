// References, pointers and iterators to elements of what is moved from or swapped. They go with the
// elements to another object; here they denote a place in the old one.

#include "compiler/lower/expressions/idempotent_constructors.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/moved_objects.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSet.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// Functions of the library that let objects exchange what they hold, or hand it on.
bool exchanges(const FunctionDecl* callee) {
  static const llvm::StringSet<> names = {
      "swap",        "exchange",  "iter_swap", "swap_ranges",      "sort",
      "stable_sort", "reverse",   "rotate",    "nth_element",      "partial_sort",
      "partition",   "remove_if", "remove",    "stable_partition", "inplace_merge",
      "unique",      "shuffle",   "move",      "move_backward",    "next_permutation"};
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  return in_library(callee) && ((callee->getIdentifier() && names.contains(callee->getName())) ||
                                (method && method->getOverloadedOperator() == OO_Call));
}

/// True for what the library's plain functions (ddx/ad/detail) declare; these are right as they
/// are.
bool is_own(const Decl* declaration) {
  for (const DeclContext* context = declaration->getDeclContext(); context;
       context = context->getParent()) {
    const auto* space = dyn_cast<NamespaceDecl>(context);
    const auto* outer = space ? dyn_cast<NamespaceDecl>(space->getParent()) : nullptr;
    if (outer && space->getName() == "detail" && outer->getName() == "ddx") {
      return true;
    }
  }
  return false;
}

/// The variable or member at the bottom of `expression`, where it is not an object of the
/// function's own.
bool is_of_caller(const Expr* expression) {
  expression = below_copies(expression);
  while (const auto* member = dyn_cast<MemberExpr>(expression)) {
    expression = below_copies(member->getBase());
  }
  if (const auto* subscript = dyn_cast<CXXOperatorCallExpr>(expression)) {
    return subscript->getNumArgs() > 0 && is_of_caller(subscript->getArg(0));
  }
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(expression)) {
    return is_of_caller(call->getImplicitObjectArgument());
  }
  if (const auto* call = dyn_cast<CallExpr>(expression)) {
    return llvm::any_of(call->arguments(), is_of_caller);
  }
  const auto* reference = dyn_cast<DeclRefExpr>(expression);
  const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  return !variable || !variable->hasLocalStorage() ||
         reference->refersToEnclosingVariableOrCapture() ||
         variable->getType()->isReferenceType() || variable->getType()->isPointerType();
}

/// The body of a function of the program; null for others, and for those that have been `met`.
const Stmt* body(const FunctionDecl* function, llvm::SmallPtrSetImpl<const FunctionDecl*>& met) {
  const FunctionDecl* const definition = function->getDefinition();
  const bool is_foreign = !definition || in_library(definition) || is_own(definition);
  return is_foreign || !met.insert(definition).second ? nullptr : definition->getBody();
}

}  // namespace

/// Whether `statement` itself lets objects of the caller be moved from or exchanged that keep
/// sequences.
bool MovedObjects::moves_or_swaps(const Stmt* statement) {
  const auto hands = [&](const Expr* argument) {
    const auto iterator = context_.types.iterator(argument->getType());
    const QualType type = iterator ? iterator->element : argument->getType();
    return !type.isConstQualified() && (iterator || argument->isGLValue()) &&
           holds_sequence(type.getUnqualifiedType()) && is_of_caller(argument);
  };
  const auto* expression = dyn_cast<Expr>(statement);
  if (const Expr* object = expression ? moved(expression) : nullptr) {
    return hands(object);
  }
  const auto* call = dyn_cast<CallExpr>(statement);
  const FunctionDecl* const callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !exchanges(callee)) {
    return false;
  }
  const auto* member = dyn_cast<CXXMemberCallExpr>(call);
  return llvm::any_of(call->arguments(), hands) ||
         (member && hands(member->getImplicitObjectArgument()));
}

/// The same of `function` and all that it calls. Cost: one walk over their bodies, once.
bool MovedObjects::forwards_elements(const FunctionDecl* function) {
  if (const auto known = context_.forwards_arguments.find(function)) {
    return *known;
  }
  llvm::SmallPtrSet<const FunctionDecl*, 8> met;
  const auto found = [&](const auto& self, const Stmt* statement) -> bool {
    if (!statement) {
      return false;
    }
    if (moves_or_swaps(statement)) {
      return true;
    }
    const auto* call = dyn_cast<CallExpr>(statement);
    const FunctionDecl* const callee = call ? call->getDirectCallee() : nullptr;
    const auto known = callee ? context_.forwards_arguments.find(callee) : std::nullopt;
    return (known ? *known : callee && self(self, body(callee, met))) ||
           llvm::any_of(statement->children(),
                        [&](const Stmt* child) { return self(self, child); });
  };
  const bool result = found(found, body(function, met));
  if (!result) {
    // Nor does anything that was met on the way.
    for (const FunctionDecl* other : met) {
      context_.forwards_arguments.add(other, false);
    }
  }
  context_.forwards_arguments.add(function, result);
  return result;
}

/// Whether `place` is among the elements that an object at `object` keeps elsewhere.
bool MovedObjects::is_kept_by(const Path& place, const Path& object) {
  if (place.root != object.root || place.steps.size() <= object.steps.size()) {
    return false;
  }
  QualType type = place.root->type.getNonReferenceType();
  bool elsewhere = false;
  for (std::size_t i = 0; i < place.steps.size(); ++i) {
    const Step& step = place.steps[i];
    const Container kind = type.isNull() ? Container::None : Types::container(type);
    if (i < object.steps.size()) {
      const Step& other = object.steps[i];
      if (step.field != other.field || step.base != other.base || step.part != other.part) {
        return false;
      }
    } else if (step.is_element() && kind != Container::CArray && kind != Container::StdArray) {
      elsewhere = true;
    }
    type = step.field                ? step.field->getType().getNonReferenceType()
           : step.base               ? context_.ast.getRecordType(step.base)
           : type.isNull()           ? type
           : step.part >= 0          ? (kind == Container::StdPair || kind == Container::SumType
                                            ? Types::parts(type)[static_cast<unsigned>(step.part)]
                                            : QualType())
           : kind != Container::None ? context_.types.element(type)
                                     : type;
  }
  return elsewhere;
}

/// Rejects a move or an exchange of what `object` keeps, while a variable that is named later leads
/// into it.
void MovedObjects::check_references(const Path& object, const Expr* source) {
  const VarDecl* found = nullptr;
  for (const auto& [variable, binding] : scope_.bindings) {
    const bool leads =
        variable &&
        (binding.kind == Binding::Kind::Pointer || binding.kind == Binding::Kind::View ||
         (binding.kind == Binding::Kind::Object && variable->getType()->isReferenceType()));
    const Stmt* const body = leads && !is_own(variable) ? body_around(variable) : nullptr;
    if (body && is_kept_by(binding.path, object) &&
        is_named_after(variable, source->getEndLoc(), body, context_.ast.getSourceManager()) &&
        (!found || context_.ast.getSourceManager().isBeforeInTranslationUnit(
                       variable->getLocation(), found->getLocation()))) {
      found = variable;
    }
  }
  if (found) {
    rejections_.unsupported(source, Diagnostic::UnsupportedMoveOfReferred,
                            {found->getNameAsString()});
  }
}

void MovedObjects::check_exchanged(const FunctionDecl* callee, const Expr* source,
                                   const Receiver& receiver,
                                   llvm::ArrayRef<const Expr*> arguments) {
  if (scope_.bindings.empty() || !(exchanges(callee) || forwards_elements(callee))) {
    return;
  }
  const Expr* const object = receiver.expression;
  const std::shared_ptr<ScalarizedObject> closure = receiver.known ? receiver.known->closure
                                                    : object       ? scope_.known_scalarized(object)
                                                                   : nullptr;
  if (closure) {
    for (const Binding& capture : closure->captures) {
      if (capture.kind == Binding::Kind::Object && holds_sequence(capture.path.type)) {
        check_references(capture.path, source);
      }
    }
  }
  llvm::SmallVector<const Expr*, 4> all(arguments);
  if (object) {
    all.push_back(object);
  }
  for (const Expr* argument : all) {
    const auto iterator = context_.types.iterator(argument->getType());
    const QualType type = iterator ? iterator->element : argument->getType();
    if (type.isConstQualified() || !holds_sequence(type.getUnqualifiedType()) ||
        !is_idempotent(argument)) {
      continue;
    }
    const Expr* const place = below_copies(argument);
    if (const auto path = iterator             ? places_.pointer(argument)
                          : place->isGLValue() ? places_.lvalue(place)
                                               : std::nullopt) {
      check_references(*path, source);
    }
  }
}

}  // namespace ddx::compiler
