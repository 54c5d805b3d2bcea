// References, pointers and iterators to elements of what is moved from or swapped. They go with the
// elements to another object; here they stand for a place in the old one.

#include "compiler/lower/lowering.h"
#include "compiler/lower/moving_expressions.h"

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

bool names_variable(const Stmt* statement, const VarDecl* variable, SourceLocation behind,
                    const SourceManager& sources) {
  if (!statement) {
    return false;
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
    return reference->getDecl() == variable &&
           (behind.isInvalid() || reference->refersToEnclosingVariableOrCapture() ||
            sources.isBeforeInTranslationUnit(behind, reference->getLocation()));
  }
  const bool loops = isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement);
  const auto lies_within = [&](SourceLocation place) {
    return !sources.isBeforeInTranslationUnit(place, statement->getBeginLoc()) &&
           !sources.isBeforeInTranslationUnit(statement->getEndLoc(), place);
  };
  if (loops && behind.isValid() && lies_within(behind) && !lies_within(variable->getLocation())) {
    behind = SourceLocation();  // In the next iteration.
  }
  return llvm::any_of(statement->children(), [&](const Stmt* child) {
    return names_variable(child, variable, behind, sources);
  });
}

}  // namespace

/// Whether `place` is among the elements that an object at `object` keeps elsewhere.
bool Lowering::is_kept_by(const Path& place, const Path& object) {
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
           : step.part >= 0          ? (kind == Container::StdPair || kind == Container::StdChoice
                                            ? Types::parts(type)[static_cast<unsigned>(step.part)]
                                            : QualType())
           : step.keyed              ? QualType()
           : kind != Container::None ? context_.types.element(type)
                                     : type;
  }
  return elsewhere;
}

/// Rejects a move or an exchange of what `object` keeps, while a variable that is named later leads
/// into it.
void Lowering::check_references(const Path& object, const Expr* source) {
  const VarDecl* found = nullptr;
  for (const auto& [variable, binding] : bindings_) {
    const bool leads =
        variable &&
        (binding.kind == Binding::Kind::Pointer || binding.kind == Binding::Kind::View ||
         (binding.kind == Binding::Kind::Object && variable->getType()->isReferenceType()));
    const Stmt* const body = leads ? body_around(variable) : nullptr;
    if (body && is_kept_by(binding.path, object) &&
        names_variable(body, variable, source->getEndLoc(), context_.ast.getSourceManager()) &&
        (!found || context_.ast.getSourceManager().isBeforeInTranslationUnit(
                       variable->getLocation(), found->getLocation()))) {
      found = variable;
    }
  }
  if (found) {
    unsupported(source, Diagnostic::UnsupportedMoveOfReferred, {found->getNameAsString()});
  }
}

/// The same for a call of the library that lets its arguments exchange what they hold.
void Lowering::check_exchanged(const FunctionDecl* callee, const Expr* source, const Expr* object,
                               llvm::ArrayRef<const Expr*> arguments) {
  if (bindings_.empty() || !exchanges(callee)) {
    return;
  }
  llvm::SmallVector<const Expr*, 4> all(arguments);
  if (object) {
    all.push_back(object);
  }
  for (const Expr* argument : all) {
    const auto cursor = context_.types.cursor(argument->getType());
    const QualType type = cursor ? cursor->element : argument->getType();
    if (type.isConstQualified() || !holds_sequence(type.getUnqualifiedType()) ||
        !is_repeatable(argument)) {
      continue;
    }
    const Expr* const place = below_copies(argument);
    if (const auto path = cursor               ? pointer(argument)
                          : place->isGLValue() ? lvalue(place)
                                               : std::nullopt) {
      check_references(*path, source);
    }
  }
}

}  // namespace ddx::compiler
