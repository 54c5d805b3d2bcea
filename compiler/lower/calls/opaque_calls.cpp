/// Text that moves pointers about is carried over as it stands. These look for what must not hide
/// in it: numbers that go into an object, and code of the program that reaches memory.

#include "compiler/lower/calls/opaque_calls.h"

#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/scope.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/template_types.h"
#include "compiler/support/types.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

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

/// True where only which of several things happens depends on the numbers in `statement`.
bool decides(const Stmt* statement) {
  if (const auto* operation = dyn_cast<BinaryOperator>(statement)) {
    return operation->isComparisonOp() || operation->isLogicalOp();
  }
  const auto* cast = dyn_cast<CastExpr>(statement);
  return cast && (cast->getCastKind() == CK_FloatingToIntegral ||
                  cast->getCastKind() == CK_FloatingToBoolean);
}

/// True for a body that may do more than look.
bool changes_something(const Stmt* statement) {
  if (!statement) {
    return false;
  }
  const auto* operation = dyn_cast<BinaryOperator>(statement);
  const auto* unary = dyn_cast<UnaryOperator>(statement);
  const auto* call = dyn_cast<CallExpr>(statement);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
  const bool looks =
      callee && in_library(callee) && (callee->isConstexpr() || (method && method->isConst()));
  if ((operation && operation->isAssignmentOp()) || (unary && unary->isIncrementDecrementOp()) ||
      isa<CXXNewExpr, CXXDeleteExpr, LambdaExpr>(statement) || (call && !looks)) {
    return true;
  }
  return llvm::any_of(statement->children(),
                      [](const Stmt* child) { return changes_something(child); });
}

/// True for a body in which a number changes, or in a function that it calls.
bool writes_numbers(const Stmt* statement, llvm::SmallPtrSetImpl<const FunctionDecl*>& met) {
  if (!statement) {
    return false;
  }
  const auto* operation = dyn_cast<BinaryOperator>(statement);
  const auto* step = dyn_cast<UnaryOperator>(statement);
  if ((operation && operation->isAssignmentOp() && Types::is_real(operation->getType())) ||
      (step && step->isIncrementDecrementOp() && Types::is_real(step->getType()))) {
    return true;
  }
  const auto* call = dyn_cast<CallExpr>(statement);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  const FunctionDecl* body = nullptr;
  if (callee && !in_library(callee) && callee->hasBody(body) && met.insert(body).second &&
      writes_numbers(body->getBody(), met)) {
    return true;
  }
  return llvm::any_of(statement->children(),
                      [&](const Stmt* child) { return writes_numbers(child, met); });
}

/// Members of the library that hand out what is there, or end it.
bool only_looks(const CXXMethodDecl* member) {
  const OverloadedOperatorKind kind = member->getOverloadedOperator();
  static const llvm::StringSet<> names = {
      "begin",   "end",   "rbegin", "rend",     "cbegin",    "cend",     "front", "back",
      "at",      "data",  "size",   "capacity", "clear",     "pop_back", "swap",  "get",
      "release", "reset", "empty",  "value",    "pop_front", "has_value"};
  return kind == OO_Subscript || kind == OO_Star || kind == OO_Arrow || kind == OO_PlusPlus ||
         kind == OO_MinusMinus || kind == OO_Plus || kind == OO_Minus || kind == OO_PlusEqual ||
         kind == OO_MinusEqual || isa<CXXConversionDecl, CXXDestructorDecl>(member) ||
         (member->getIdentifier() && names.contains(member->getName()));
}

/// The types of what a container or a pair holds, and of what an iterator goes through.
void collect_held(QualType type, llvm::SmallVector<QualType>& into) {
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record || !in_library(record)) {
    return;
  }
  for (const QualType held : template_types(record)) {
    into.push_back(held->isPointerType() ? held->getPointeeType() : held);
  }
}

/// True where an element that moves to other room is moved, and not copied for fear of a throw.
bool moves_without_throw(const CXXRecordDecl* record) {
  return llvm::any_of(record->ctors(),
                      [](const CXXConstructorDecl* constructor) {
                        const auto* type = constructor->getType()->getAs<FunctionProtoType>();
                        return constructor->isMoveConstructor() && !constructor->isDeleted() &&
                               type &&
                               (constructor->isImplicit() || constructor->isDefaulted() ||
                                type->isNothrow());
                      }) ||
         record->needsImplicitMoveConstructor();
}

}  // namespace

bool OpaqueCalls::ends_with_numbers(const CXXRecordDecl* record) {
  const CXXDestructorDecl* destructor = record->getDestructor();
  const FunctionDecl* body =
      destructor && destructor->isUserProvided() ? replacements_.visible_body(destructor) : nullptr;
  llvm::SmallPtrSet<const FunctionDecl*, 4> met;
  return (body && writes_numbers(body->getBody(), met)) ||
         llvm::any_of(record->fields(), [&](const FieldDecl* field) {
           const CXXRecordDecl* part = Types::record(field->getType());
           return part && !field->getType()->isReferenceType() && !in_library(part) &&
                  ends_with_numbers(part);
         });
}

/// True where the library, in the call or construction `source`, copies or makes objects of a class
/// whose constructors do more than move dynamic pointers.
bool OpaqueCalls::library_may_copy(const Expr* source) {
  const auto copies = [&](QualType type) {
    return context_.copies.copy_works(type.getNonReferenceType());
  };
  const auto moves = [&](QualType type) {
    return context_.copies.move_works(type.getNonReferenceType());
  };
  llvm::SmallVector<QualType> held;
  if (const auto* construction = dyn_cast<CXXConstructExpr>(source)) {
    const CXXConstructorDecl* constructor = construction->getConstructor();
    if (!in_library(constructor) || construction->getNumArgs() == 0) {
      return false;
    }
    if (constructor->isCopyOrMoveConstructor()) {
      return context_.copies.copying_works(constructor);
    }
    collect_held(source->getType(), held);
    return llvm::any_of(held, [&](QualType type) { return copies(type) || moves(type); });
  }
  const auto* call = dyn_cast<CallExpr>(source);
  const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !in_library(callee)) {
    return false;
  }
  if (const auto* method = dyn_cast<CXXMethodDecl>(callee); method && method->isInstance()) {
    if (only_looks(method) || method->isConst()) {
      return false;
    }
    const QualType type = context_.ast.getRecordType(method->getParent());
    if (method->isMoveAssignmentOperator()) {
      return moves(type);
    }
    collect_held(type, held);
    const bool appends = method->getIdentifier() &&
                         (method->getName() == "push_back" || method->getName() == "reserve" ||
                          method->getName() == "emplace_back");
    return llvm::any_of(held, [&](QualType element) {
      const CXXRecordDecl* record = Types::record(element);
      const bool settles = appends && !moves(element) && record && moves_without_throw(record);
      const auto* member = dyn_cast<CXXMemberCallExpr>(call);
      const bool as_they_are = !member || llvm::all_of(member->arguments(), [&](const Expr* given) {
        return given->getType()->isIntegerType() ? method->getName() == "reserve"
                                                 : !given->isLValue();
      });
      return (copies(element) || moves(element)) && !(settles && as_they_are);
    });
  }
  if (callee->getIdentifier() &&
      llvm::is_contained({"move", "forward", "as_const", "addressof", "get", "begin", "end", "size",
                          "data", "next", "prev", "distance"},
                         callee->getName())) {
    return false;
  }
  for (const Expr* argument : call->arguments()) {
    held.push_back(argument->getType());
    collect_held(argument->getType().getNonReferenceType(), held);
  }
  const bool only_moves =
      callee->getIdentifier() &&
      llvm::is_contained({"swap", "exchange", "iter_swap", "sort", "stable_sort", "reverse",
                          "rotate", "nth_element", "partial_sort"},
                         callee->getName());
  return llvm::any_of(held,
                      [&](QualType type) { return moves(type) || (!only_moves && copies(type)); });
}

bool OpaqueCalls::library_may_copy_within(const Stmt* statement) {
  const auto* expression = dyn_cast_or_null<Expr>(statement);
  return (expression && library_may_copy(expression)) ||
         (statement && llvm::any_of(statement->children(), [&](const Stmt* child) {
            return library_may_copy_within(child);
          }));
}

bool OpaqueCalls::reaches_memory(const Stmt* statement) {
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

bool OpaqueCalls::runs_on_memory(const Expr* value) {
  return llvm::any_of(bodies_behind(value), [&](const Stmt* body) { return reaches_memory(body); });
}

bool OpaqueCalls::has_opaque_effects(const Stmt* statement) {
  if (!statement) {
    return false;
  }
  const auto* expression = dyn_cast<Expr>(statement);
  if (!expression) {
    return llvm::any_of(statement->children(),
                        [&](const Stmt* child) { return has_opaque_effects(child); });
  }
  if (scope_.replaced.contains(expression) || decides(expression)) {
    return false;
  }
  if (library_may_copy(expression)) {
    return true;
  }
  if (const auto* assignment = dyn_cast<CallExpr>(expression);
      assignment && assignment->getDirectCallee() &&
      dynamic_pointers_.only_moves_pointers(assignment->getDirectCallee())) {
    return llvm::any_of(assignment->arguments(),
                        [&](const Expr* argument) { return has_opaque_effects(argument); });
  }
  const QualType type = expression->getType();
  const auto bodies = bodies_behind(expression);
  if (!bodies.empty()) {
    const bool works = llvm::any_of(
        bodies, [&](const Stmt* body) { return reaches_memory(body) && changes_something(body); });
    return works || !isa<DeclRefExpr, LambdaExpr, CXXConstructExpr, InitListExpr, CastExpr,
                         MaterializeTemporaryExpr, CXXBindTemporaryExpr>(expression);
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expression)) {
    return has_opaque_effects(conditional->getTrueExpr()) ||
           has_opaque_effects(conditional->getFalseExpr());
  }
  if (const auto* member = dyn_cast<MemberExpr>(expression);
      member && context_.types.holds_only_pointers(type)) {
    return false;
  }
  const auto makes_elements = [&](const CXXRecordDecl* container) {
    const auto* specialisation = dyn_cast<ClassTemplateSpecializationDecl>(container);
    if (!specialisation || specialisation->getTemplateArgs().size() == 0 ||
        specialisation->getTemplateArgs().get(0).getKind() != TemplateArgument::Type) {
      return false;
    }
    const CXXRecordDecl* element =
        Types::record(specialisation->getTemplateArgs().get(0).getAsType());
    return element && !in_library(element) && element->hasUserProvidedDefaultConstructor();
  };
  const auto* construction = dyn_cast<CXXConstructExpr>(expression);
  const auto* call = dyn_cast<CXXMemberCallExpr>(expression);
  const bool sized = construction && construction->getNumArgs() > 0 &&
                     construction->getArg(0)->getType()->isIntegerType();
  const bool resized = call && call->getMethodDecl() && call->getMethodDecl()->getIdentifier() &&
                       call->getMethodDecl()->getName() == "resize";
  if ((sized && makes_elements(Types::record(type))) ||
      (resized && makes_elements(Types::record(call->getImplicitObjectArgument()->getType())))) {
    return true;
  }
  if (!type->isFunctionType() && !type->isPointerType() &&
      !isa<ImplicitValueInitExpr>(expression)) {
    const bool names = isa<DeclRefExpr, CXXThisExpr, MemberExpr>(expression);
    if (context_.types.may_hold_real(type) && !context_.types.holds_only_pointers(type) && names) {
      return true;
    }
    if (context_.types.has_tangent(type) && !context_.types.holds_only_pointers(type) &&
        (isa<CallExpr>(expression) || Types::is_real(type)) && !isa<FloatingLiteral>(expression)) {
      return true;
    }
  }
  if (const auto* access = dyn_cast<CXXOperatorCallExpr>(expression);
      access && access->getOperator() == OO_Subscript) {
    return llvm::any_of(llvm::drop_begin(access->arguments()),
                        [&](const Expr* argument) { return has_opaque_effects(argument); });
  }
  return llvm::any_of(statement->children(),
                      [&](const Stmt* child) { return has_opaque_effects(child); });
}

}  // namespace ddx::compiler
