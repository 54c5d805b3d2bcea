/// A move takes the elements of a sequence away, and a swap gives them to another object. Neither
/// is expressed: a move is a copy, so the object moved from must not be looked at again, and
/// references to elements denote a place in the object that had them.

#include "compiler/lower/statements/moved_objects.h"

#include "compiler/lower/expressions/idempotent_constructors.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/support/function_names.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/readable_names.h"
#include "compiler/support/types.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSet.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// is_named_after in a whole function, whose members' initialisers stand in front of its body.
bool is_named_later(const VarDecl* variable, const Expr* move, const SourceManager& sources) {
  const auto* function = dyn_cast<FunctionDecl>(variable->getDeclContext());
  const auto names = [&](const Stmt* statement) {
    return is_named_after(variable, move->getEndLoc(), statement, sources);
  };
  const auto* constructor = dyn_cast_or_null<CXXConstructorDecl>(function);
  return !function || names(function->getBody()) ||
         (constructor && llvm::any_of(constructor->inits(), [&](const CXXCtorInitializer* part) {
            return names(part->getInit());
          }));
}

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

/// The variable that `object` is, or is a member of, where that is an object of the function's own
/// or one that its caller has let be moved from. Null for others.
const VarDecl* movable_variable(const Expr* object) {
  object = object->IgnoreParenImpCasts();
  while (const auto* member = dyn_cast<MemberExpr>(object)) {
    if (member->isArrow() || !isa<FieldDecl>(member->getMemberDecl()) ||
        member->getMemberDecl()->getType()->isReferenceType()) {
      return nullptr;
    }
    object = member->getBase()->IgnoreParenImpCasts();
  }
  const auto* named = dyn_cast<DeclRefExpr>(object);
  const auto* variable = named ? dyn_cast<VarDecl>(named->getDecl()) : nullptr;
  const bool is_movable = variable && variable->hasLocalStorage() &&
                          !variable->getType()->isLValueReferenceType() &&
                          !named->refersToEnclosingVariableOrCapture();
  return is_movable ? variable : nullptr;  // What is captured may be moved again by another call.
}

/// True where the full expression `around` assigns to all of the variable that it moves from, and
/// names it nowhere else: `v = f(std::move(v))`. The right side comes first; it is a new object,
/// since a variable that is moved to itself may be left empty.
bool is_assigned_again(const Expr* object, const VarDecl* variable, const Stmt* around) {
  const auto names_it = [&](const Expr* expression) {
    const auto* named = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
    return named && named->getDecl() == variable;
  };
  if (const auto* full = dyn_cast<ExprWithCleanups>(around)) {
    around = full->getSubExpr();
  }
  const auto* operation = dyn_cast<BinaryOperator>(around);
  const auto* call = dyn_cast<CXXOperatorCallExpr>(around);
  const bool is_call = call && call->getOperator() == OO_Equal;
  if (!is_call && !(operation && operation->getOpcode() == BO_Assign)) {
    return false;
  }
  const Expr* const to = is_call ? call->getArg(0) : operation->getLHS();
  const Expr* const from = is_call ? call->getArg(1) : operation->getRHS();
  return names_it(to) && names_it(object) && from->IgnoreImplicit()->isPRValue() &&
         mentions(around, variable) == 2;
}

/// True where `binding`, or what it captures, denotes a place that `leads`.
bool refers(const Binding& binding, llvm::function_ref<bool(const Path&)> leads) {
  return binding.closure ? llvm::any_of(binding.closure->captures,
                                        [&](const Binding& part) { return refers(part, leads); })
                         : binding.path.root && leads(binding.path);
}

}  // namespace

/// True where a move of an object of `type` takes elements away.
bool MovedObjects::holds_sequence(QualType type) {
  if (!context_.types.has_tangent(type) || type->isScalarType() ||
      context_.types.is_scalarized(type)) {
    return false;
  }
  const auto holds = [&](QualType part) { return holds_sequence(part); };
  switch (Types::container(type)) {
    case Container::StdVector:
    case Container::StdDeque:
    case Container::StdMap:
      return true;
    case Container::StdComplex:
      return false;
    case Container::StdPair:
    case Container::SumType:
      return llvm::any_of(Types::parts(type), holds);
    case Container::CArray:
    case Container::StdArray:
      return holds(context_.types.element(type));
    case Container::None:
      break;
  }
  const CXXRecordDecl* record = Types::record(type);
  return record && (llvm::any_of(record->fields(),
                                 [&](const FieldDecl* field) { return holds(field->getType()); }) ||
                    llvm::any_of(record->bases(), [&](const CXXBaseSpecifier& base) {
                      return holds(base.getType());
                    }));
}

void MovedObjects::check_moves(const Stmt* full_expression) {
  const FunctionDecl* around =
      scope_.inline_depth > 0 ? scope_.inline_site->callee : function_.key.function;
  const bool replaces = (in_library(around) || is_own(around)) && !is_named(around, {"move"});
  // Plain functions for those of the library give what they move from a value, and the text of
  // derivatives names nothing again that it moves from.
  if (!replaces && !is_synthesised(around)) {
    check_moves(full_expression, full_expression);
  }
}

void MovedObjects::check_moves(const Stmt* statement, const Stmt* around) {
  if (!statement) {
    return;
  }
  if (const auto* lambda = dyn_cast<LambdaExpr>(statement)) {
    for (const Expr* captured : lambda->capture_inits()) {
      check_moves(captured, around);
    }
    return;
  }
  const auto* expression = dyn_cast<Expr>(statement);
  if (const Expr* object = expression ? moved(expression) : nullptr) {
    check_move(object, expression, around);
  }
  for (const Stmt* child : statement->children()) {
    check_moves(child, around);
  }
}

/// `around` is the full expression: what it names besides is looked at in no known order.
void MovedObjects::check_move(const Expr* object, const Expr* move, const Stmt* around) {
  if (!holds_sequence(object->getType())) {
    return;
  }
  const VarDecl* variable = movable_variable(object);
  const bool is_seen_again = variable && !is_assigned_again(object, variable, around) &&
                             (mentions(around, variable) > 1 ||
                              is_named_later(variable, move, context_.ast.getSourceManager()));
  if (!variable || is_seen_again) {
    rejections_.unsupported(move, Diagnostic::UnsupportedMove,
                            {readable_type(object->getType(), context_.ast)});
    return;
  }
  const auto found = scope_.bindings.find(variable);
  if (found == scope_.bindings.end() || !found->second.path.root) {
    return;
  }
  const Root* const root = found->second.path.root;
  // Of an rvalue reference to an object of the caller, the caller has looked at its own references.
  check_references(move, around, variable, [&](const Path& place) { return place.root == root; });
}

/// Whether `statement` itself lets objects that keep sequences be moved from or exchanged.
bool MovedObjects::moves_or_swaps(const Stmt* statement) {
  const auto hands = [&](const Expr* argument) {
    const auto iterator = context_.types.iterator(argument->getType());
    const QualType type = iterator ? iterator->element : argument->getType();
    return !type.isConstQualified() && (iterator || argument->isGLValue()) &&
           holds_sequence(type.getUnqualifiedType());
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
  const auto body = [&](const FunctionDecl* callee) -> const Stmt* {
    const FunctionDecl* const definition = callee->getDefinition();
    const bool is_foreign = !definition || in_library(definition) || is_own(definition);
    return is_foreign || !met.insert(definition).second ? nullptr : definition->getBody();
  };
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
    return (known ? *known : callee && self(self, body(callee))) ||
           llvm::any_of(statement->children(),
                        [&](const Stmt* child) { return self(self, child); });
  };
  const bool result = found(found, body(function));
  if (!result) {
    // Nor does anything that was met on the way.
    for (const FunctionDecl* other : met) {
      context_.forwards_arguments.add(other, false);
    }
  }
  context_.forwards_arguments.add(function, result);
  return result;
}

/// Rejects `source` where a name that is used later, or within `around`, refers to a place that
/// `leads`. Where a variable is `taken` from, names of other functions do not count.
void MovedObjects::check_references(const Expr* source, const Stmt* around, const VarDecl* taken,
                                    Leads leads) {
  const SourceManager& sources = context_.ast.getSourceManager();
  const ValueDecl* found = nullptr;
  const auto look = [&](const ValueDecl* name) {
    const Stmt* const body = is_own(name) ? nullptr : body_around(name);
    if (body && (!taken || (name != taken && name->getDeclContext() == taken->getDeclContext())) &&
        (mentions(around, name) > 0 || is_named_after(name, source->getEndLoc(), body, sources)) &&
        (!found || sources.isBeforeInTranslationUnit(name->getLocation(), found->getLocation()))) {
      found = name;
    }
  };
  for (const auto& [variable, binding] : scope_.bindings) {
    const bool is_alias = variable && (binding.kind != Binding::Kind::Object ||
                                       variable->getType()->isReferenceType());
    if (is_alias && refers(binding, leads)) {
      look(variable);
    }
  }
  for (const auto& [part, binding] : scope_.structured) {
    if (refers(binding, leads)) {
      look(part);
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
  const auto check = [&](const Path& object) {
    check_references(source, in_library(callee) ? nullptr : source, nullptr,
                     [&](const Path& place) {
                       return place.root == object.root && place.steps.size() > object.steps.size();
                     });
  };
  const Expr* const object = receiver.expression;
  const std::shared_ptr<ScalarizedObject> closure = receiver.known ? receiver.known->closure
                                                    : object       ? scope_.known_scalarized(object)
                                                                   : nullptr;
  if (closure) {
    for (const Binding& capture : closure->captures) {
      if (capture.kind == Binding::Kind::Object && holds_sequence(capture.path.type)) {
        check(capture.path);
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
      check(*path);
    }
  }
}

}  // namespace ddx::compiler
