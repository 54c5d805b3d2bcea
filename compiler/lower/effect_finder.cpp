/// What an expression that is carried over as text reads and writes.

#include "compiler/lower/effect_finder.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/inactive_places.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
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

/// True for an array that is named where a pointer is needed.
bool is_array(const Expr* pointer) {
  return pointer->IgnoreParenImpCasts()->getType()->isArrayType();
}

bool takes_mutable(QualType parameter) {
  if (parameter->isReferenceType() || parameter->isPointerType()) {
    return !parameter->getPointeeType().isConstQualified();
  }
  return false;
}

/// `begin`, `end` and similar, as members or as functions: they write nothing themselves.
bool makes_iterator(const FunctionDecl* function) {
  static const llvm::StringRef names[] = {"begin",   "cbegin", "end",   "cend", "rbegin",
                                          "crbegin", "rend",   "crend", "data"};
  return function->getIdentifier() && llvm::is_contained(names, function->getName());
}

/// The members of a map that look for a key.
bool finds_key(const FunctionDecl* function) {
  static const llvm::StringRef names[] = {"find",        "count",       "contains",
                                          "lower_bound", "upper_bound", "equal_range"};
  return llvm::is_contained(names, function->getName());
}

/// True for functions of the library that do not write what the iterators handed to them denote.
bool only_reads(const FunctionDecl* function) {
  static const llvm::StringRef names[] = {
      "distance",    "next",          "prev",        "count",       "count_if",
      "find",        "find_if",       "find_if_not", "equal",       "all_of",
      "any_of",      "none_of",       "is_sorted",   "min_element", "max_element",
      "lower_bound", "upper_bound",   "equal_range", "mismatch",    "binary_search",
      "search",      "adjacent_find", "accumulate",  "reduce",      "inner_product"};
  return in_library(function) &&
         (!function->getIdentifier() || llvm::is_contained(names, function->getName()));
}

}  // namespace

void EffectFinder::expose(const Expr* object) {
  if (object->getType().isConstQualified()) {
    return;
  }
  Effects named;
  collect(object, true, named);
  // An object with numbers is followed by its names, except for parts that hold none.
  const bool through_this = isa<CXXThisExpr>(object->IgnoreParenImpCasts());
  const bool plain = !through_this && !context_.types.may_hold_real(object->getType()) &&
                     object->getType()->getBaseElementTypeUnsafe()->isScalarType();
  for (Root* root : named.writes) {
    root->exposed = root->exposed || !root->has_tangent || plain;
  }
}

/// `place` is assigned to. Where it is not a variable, or part of one, by name, it is unknown here
/// what that changes.
void EffectFinder::note_changed(const Expr* place, Effects& into) {
  place = place->IgnoreParens();
  for (;;) {
    if (const auto* member = dyn_cast<MemberExpr>(place);
        member && !member->getMemberDecl()->getType()->isReferenceType() &&
        (!member->isArrow() || isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))) {
      place = member->getBase()->IgnoreParenImpCasts();
    } else if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(place);
               subscript && is_array(subscript->getBase())) {
      place = subscript->getBase()->IgnoreParenImpCasts();
    } else if (const auto* access = dyn_cast<CXXOperatorCallExpr>(place);
               access && access->getOperator() == OO_Subscript &&
               Types::container(access->getArg(0)->getType()) != Container::None) {
      place = access->getArg(0)->IgnoreParenImpCasts();
    } else {
      break;
    }
  }
  const auto* named = dyn_cast<DeclRefExpr>(place);
  into.by_address = into.by_address || (named ? named->getDecl()->getType()->isReferenceType()
                                              : !isa<CXXThisExpr>(place));
  // A pointer or an iterator into an object that is known.
  const Expr* pointer = place;
  if (const auto* member = dyn_cast<MemberExpr>(place); member && member->isArrow()) {
    pointer = member->getBase()->IgnoreParenImpCasts();
  }
  if (const auto* behind = dyn_cast<UnaryOperator>(pointer);
      behind && behind->getOpcode() == UO_Deref) {
    pointer = behind->getSubExpr();
  } else if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(pointer)) {
    pointer = subscript->getBase();
  } else if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(pointer)) {
    pointer = operation->getArg(0);
  }
  const auto* by = dyn_cast<DeclRefExpr>(pointer->IgnoreParenImpCasts());
  const auto* variable = by ? dyn_cast<VarDecl>(by->getDecl()) : nullptr;
  const auto found = variable ? scope_.bindings.find(variable) : scope_.bindings.end();
  if (found != scope_.bindings.end() && found->second.path.root &&
      found->second.path.root->has_tangent) {
    note_binding(found->second, place->getType(), true, into);
  }
}

/// `f` or `&f` for a function `f`.
static bool names_function(const Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  if (const auto* operation = dyn_cast<UnaryOperator>(expression);
      operation && operation->getOpcode() == UO_AddrOf) {
    expression = operation->getSubExpr()->IgnoreParenImpCasts();
  }
  const auto* reference = dyn_cast<DeclRefExpr>(expression);
  return reference && isa<FunctionDecl>(reference->getDecl());
}

void EffectFinder::collect(const Stmt* statement, bool mutates, Effects& into) {
  if (!statement) {
    return;
  }
  if (const auto* expression = dyn_cast<Expr>(statement)) {
    if (scope_.replaced.contains(expression) || function_from_lambda(expression)) {
      return;
    }
    // Only a part of an object is named, or its place: nothing calls it.
    const auto* member = dyn_cast<MemberExpr>(expression);
    const auto* whole = member && isa<FieldDecl>(member->getMemberDecl())
                            ? dyn_cast<DeclRefExpr>(member->getBase()->IgnoreParenImpCasts())
                            : nullptr;
    if (const auto* variable = whole ? dyn_cast<VarDecl>(whole->getDecl()) : nullptr;
        variable && !member->isArrow() && !scope_.known_member(member)) {
      return note_root(variable, mutates, into);
    }
    if (dynamic_pointers_.runs_on_memory(expression)) {
      into.lowers = true;
    }
  }
  if (const auto* place = dyn_cast<Expr>(statement); place && place->isGLValue()) {
    into.costly = into.costly || place->getType().isVolatileQualified();
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
    if (const auto* variable = dyn_cast<VarDecl>(reference->getDecl())) {
      note_root(variable, mutates, into);
    } else if (const auto* binding = dyn_cast<BindingDecl>(reference->getDecl())) {
      const auto part = scope_.bound_to(binding);
      if (part && part->alias) {
        note_binding(*part, binding->getType(), mutates, into);
      } else if (!part || part->kind != Binding::Kind::Object || part->path.root->has_tangent) {
        into.lowers = true;
      } else {
        into.reads.push_back(part->path.root);
        if (mutates) {
          into.writes.push_back(part->path.root);
        }
      }
    }
    return;
  }
  if (const auto* opaque = dyn_cast<OpaqueValueExpr>(statement)) {
    if (const auto place = scope_.places.find(opaque); place != scope_.places.end()) {
      Root* const root = place->second.path.root;
      into.reads.push_back(root);
      if (mutates) {
        into.writes.push_back(root);
      }
      into.lowers = into.lowers || (mutates && context_.types.may_hold_real(opaque->getType()));
    }
    return;
  }
  if (isa<CXXThisExpr>(statement)) {
    if (scope_.self) {
      into.reads.push_back(scope_.self->root);
      if (mutates) {
        into.writes.push_back(scope_.self->root);
        into.lowers = into.lowers || context_.types.may_hold_real(scope_.self->type);
      }
    } else {
      into.lowers = true;
    }
    return;
  }
  if (const auto* cast = dyn_cast<CastExpr>(statement)) {
    const bool reads_value = cast->getCastKind() == CK_LValueToRValue;
    if (cast->getCastKind() == CK_ArrayToPointerDecay) {
      expose(cast->getSubExpr());
    }
    const auto* address = dyn_cast<UnaryOperator>(cast->IgnoreParenImpCasts());
    if (address && address->getOpcode() == UO_AddrOf && cast->getType()->isPointerType() &&
        cast->getType()->getPointeeType().isConstQualified()) {
      into.costly = true;
      return collect(address->getSubExpr(), false, into);  // It may only be looked at.
    }
    into.costly = into.costly || cast->getCastKind() == CK_LValueBitCast;  // Of the object itself.
    collect(cast->getSubExpr(), mutates && !reads_value, into);
    return;
  }
  if (const auto* comparison = dyn_cast<BinaryOperator>(statement);
      comparison && comparison->isEqualityOp() && names_function(comparison->getRHS())) {
    return collect(comparison->getLHS(), false, into);  // Nothing calls the function.
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(statement);
      operation && operation->isAssignmentOp()) {
    if (context_.types.may_hold_real(operation->getLHS()->getType())) {
      into.lowers = true;
    }
    into.costly = true;
    note_changed(operation->getLHS(), into);
    collect(operation->getLHS(), true, into);
    collect(operation->getRHS(), false, into);
    return;
  }
  if (const auto* comparison = dyn_cast<BinaryOperator>(statement);
      comparison && comparison->isEqualityOp() &&
      comparison->getLHS()->getType()->isPointerType()) {
    into.costly = true;
    for (const Expr* side : {comparison->getLHS(), comparison->getRHS()}) {
      const auto* address = dyn_cast<UnaryOperator>(side->IgnoreParenImpCasts());
      const bool named = address && address->getOpcode() == UO_AddrOf;
      const auto* whole =
          named ? dyn_cast<DeclRefExpr>(address->getSubExpr()->IgnoreParens()) : nullptr;
      if (const auto* variable = whole ? dyn_cast<VarDecl>(whole->getDecl()) : nullptr) {
        note_root(variable, false, into);
        continue;
      }
      collect(named ? address->getSubExpr() : side, false, into);  // Nothing is written.
    }
    return;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(statement)) {
    if (operation->isIncrementDecrementOp()) {
      into.lowers = into.lowers || Types::is_real(operation->getType());
      into.costly = true;
      note_changed(operation->getSubExpr(), into);
      collect(operation->getSubExpr(), true, into);
      return;
    }
    const Expr* operand = operation->getSubExpr();
    into.costly = into.costly || operation->getOpcode() == UO_AddrOf;  // Of the object itself.
    into.costly = into.costly || (operation->getOpcode() == UO_Deref && !is_array(operand) &&
                                  !isa<CXXThisExpr>(operand->IgnoreParenImpCasts()));
    if (operation->getOpcode() == UO_AddrOf && !operand->getType().isConstQualified()) {
      Effects pointed;  // What has its address taken may be written by another name.
      collect(operand, true, pointed);
      into.writes.append(pointed.writes.begin(), pointed.writes.end());
      expose(operand);
    }
    collect(operand, mutates, into);
    return;
  }
  if (const auto* lambda = dyn_cast<LambdaExpr>(statement); lambda && is_closed(*lambda)) {
    into.costly = true;
    collect(lambda->getBody(), false, into);
    return;
  }
  if (isa<LambdaExpr, StmtExpr>(statement)) {
    into.lowers = true;
    into.costly = true;
    return;
  }
  if (isa<CXXNewExpr, CXXDeleteExpr>(statement)) {
    into.costly = true;
    for (const Stmt* child : statement->children()) {
      collect(child, isa<CXXDeleteExpr>(statement), into);
    }
    return;
  }
  if (isa<InitListExpr, CXXParenListInitExpr>(statement)) {
    for (const Stmt* child : statement->children()) {
      const auto* bound = dyn_cast_or_null<Expr>(child);  // By name, where it is no value.
      const bool lends = bound && bound->isGLValue() && !bound->getType().isConstQualified();
      if (lends) {
        expose(bound);
      }
      collect(child, lends, into);
    }
    return;
  }
  if (const auto* construction = dyn_cast<CXXConstructExpr>(statement)) {
    into.costly = into.costly || !construction->getConstructor()->isTrivial();
    for (unsigned i = 0; i < construction->getNumArgs(); ++i) {
      const auto* parameters = construction->getConstructor();
      const bool passes_mutable = i < parameters->getNumParams() &&
                                  takes_mutable(parameters->getParamDecl(i)->getType()) &&
                                  !parameters->getParamDecl(i)->getType()->isRValueReferenceType();
      if (passes_mutable) {
        expose(construction->getArg(i));
      }
      collect(construction->getArg(i), passes_mutable, into);
    }
    return;
  }
  if (const auto* call = dyn_cast<CallExpr>(statement)) {
    const FunctionDecl* callee = call->getDirectCallee();
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
    const bool twice =
        callee && (callee->hasAttr<ReturnsTwiceAttr>() || is_named(callee, {"_setjmp", "setjmp"}));
    const bool bits = callee && is_std(callee, {"bit_cast"});
    if (!callee || twice || bits || (method && method->getParent()->isLambda())) {
      into.lowers = true;
      for (const Expr* argument : call->arguments()) {
        collect(argument, false, into);
      }
      return;
    }
    if (!in_library(callee) && !callee->isConstexpr() && mentions_real(statement)) {
      into.callees.push_back(callee);
    }
    if (!in_library(callee) && llvm::any_of(call->children(), [&](const Stmt* part) {
          return isa<Expr>(part) &&
                 context_.types.holds_dynamic_pointer(cast<Expr>(part)->getType()) &&
                 !cast<Expr>(part)->getType()->isFunctionPointerType();
        })) {
      into.lowers = true;  // What lies there may change.
    }
    // What is handed to code that is not looked at, or to get something that may lead back to it.
    const QualType result = callee->getReturnType();
    const bool leads_back = !result->isVoidType() && !result->isArithmeticType();
    const bool may_keep = !in_library(callee) || leads_back;
    into.by_address = into.by_address || !in_library(callee);
    unsigned first = 0;
    const Container kind = method
                               ? Types::container(context_.ast.getRecordType(method->getParent()))
                               : Container::None;
    const bool is_text =
        kind == Container::StdComplex ||
        (kind == Container::StdMap &&
         !context_.types.has_tangent(context_.ast.getRecordType(method->getParent())));
    const Container container = is_text ? Container::None : kind;
    const bool has_elements =
        container != Container::None ||
        (method && Types::is_bit_vector(context_.ast.getRecordType(method->getParent())));
    const bool element_access =
        has_elements && !callee->getDeclName().isIdentifier() &&
        (container != Container::SumType || callee->getOverloadedOperator() != OO_Equal);
    if (container == Container::StdMap && callee->getOverloadedOperator() == OO_Subscript) {
      into.lowers = true;  // It may give the map a key.
    }
    if (isa<CXXOperatorCallExpr>(call) && method && method->isInstance()) {
      if (!element_access && !method->isConst()) {
        into.by_address = true;
        if (leads_back) {
          expose(call->getArg(0));
        }
      }
      collect(call->getArg(0), element_access ? mutates : !method->isConst(), into);
      first = 1;
    } else if (const auto* member_call = dyn_cast<CXXMemberCallExpr>(call)) {
      const Expr* object = member_call->getImplicitObjectArgument();
      // What lies behind a pointer may change, or end, before the reverse sweep.
      into.costly = into.costly || (object->getType()->isPointerType() &&
                                    !inactive_places_.has_known_target(object));
      const bool of_elements =
          has_elements && callee->getDeclName().isIdentifier() &&
          (callee->getName() == "size" || callee->getName() == "empty" ||
           callee->getName() == "at" || callee->getName() == "front" ||
           callee->getName() == "back" || callee->getName() == "value" || makes_iterator(callee) ||
           (container == Container::StdMap && finds_key(callee)));
      // So does `at` of what holds no numbers; a write through its result is noted where it stands.
      const bool query = of_elements || is_std(callee, {"at"});
      if (!method->isConst() && (!query || makes_iterator(callee))) {
        into.by_address = into.by_address || !query;
        if (leads_back) {
          expose(member_call->getImplicitObjectArgument());
        }
      }
      collect(member_call->getImplicitObjectArgument(), query ? mutates : !method->isConst(), into);
    }
    for (unsigned i = first; i < call->getNumArgs(); ++i) {
      const unsigned position = i - first;
      const QualType type = position < callee->getNumParams()
                                ? callee->getParamDecl(position)->getType()
                                : QualType();
      const auto iterator = type.isNull() ? std::nullopt : context_.types.iterator(type);
      const bool passes_mutable =
          !type.isNull() &&
          (takes_mutable(type) ||
           (iterator && !iterator->element.isConstQualified() && !only_reads(callee)));
      const bool forwards = in_library(callee) && callee->getIdentifier() &&
                            (callee->getName() == "move" || callee->getName() == "forward" ||
                             callee->getName() == "get" || makes_iterator(callee));
      if (passes_mutable && !forwards) {
        into.by_address = true;
        if (may_keep) {
          expose(call->getArg(i));
        }
      } else if (forwards && makes_iterator(callee)) {
        expose(call->getArg(i));
      }
      collect(call->getArg(i), forwards ? mutates : passes_mutable, into);
    }
    const bool accessor = element_access || (container != Container::None);
    // What lies behind a pointer or a view may change before the reverse sweep.
    const bool views = (method && method->isInstance() && in_library(callee)) ||
                       llvm::any_of(call->arguments(), [](const Expr* argument) {
                         return argument->getType()->isPointerType();
                       });
    into.costly = into.costly || !(accessor || (callee->isConstexpr() && !views));
    return;
  }
  if (const auto* member = dyn_cast<MemberExpr>(statement)) {
    if (const Binding* part = scope_.known_member(member)) {
      return note_binding(*part, member->getType(), mutates, into);
    }
    if (isa<FieldDecl>(member->getMemberDecl()) && scope_.is_in_scalarized(member->getBase())) {
      into.lowers = true;
    }
    into.costly =
        into.costly || context_.types.is_dynamic_pointer(member->getType());  // Written as text.
    into.costly = into.costly ||
                  (member->isArrow() && !isa<CXXThisExpr>(member->getBase()->IgnoreImpCasts()));
    collect(member->getBase(), mutates, into);
    return;
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(statement)) {
    into.costly = into.costly || !is_array(subscript->getBase());
    collect(is_array(subscript->getBase()) ? subscript->getBase()->IgnoreParenImpCasts()
                                           : subscript->getBase(),
            mutates, into);
    collect(subscript->getIdx(), false, into);
    return;
  }
  if (const auto* with_default = dyn_cast<CXXDefaultArgExpr>(statement)) {
    collect(with_default->getExpr(), false, into);
    return;
  }
  for (const Stmt* child : statement->children()) {
    collect(
        child,
        mutates && isa<ParenExpr, MaterializeTemporaryExpr, ExprWithCleanups, ConditionalOperator>(
                       statement),
        into);
  }
}

}  // namespace ddx::compiler
