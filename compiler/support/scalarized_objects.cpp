/// Classes whose objects are replaced by their members.

#include "compiler/support/types.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

#include <set>

namespace ddx::compiler {

using clang::CXXRecordDecl;
using clang::FieldDecl;
using clang::QualType;

namespace {

/// The class derived from `record` that is one of its template arguments, or null.
const CXXRecordDecl* derived_argument(const CXXRecordDecl* record) {
  const auto* specialisation = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (!specialisation) {
    return nullptr;
  }
  for (const clang::TemplateArgument& argument : specialisation->getTemplateArgs().asArray()) {
    if (argument.getKind() != clang::TemplateArgument::Type) {
      continue;
    }
    const CXXRecordDecl* derived = argument.getAsType()->getAsCXXRecordDecl();
    derived = derived && derived->hasDefinition() ? derived->getDefinition() : nullptr;
    if (derived && derived->getNumBases() > 0 && derived->isDerivedFrom(record)) {
      return derived;
    }
  }
  return nullptr;
}

/// True when an object of class `from`, scalarized, has one of class `target` among its parts.
bool reaches(const CXXRecordDecl* from, const CXXRecordDecl* target,
             std::set<const CXXRecordDecl*>& met) {
  const auto part = [&](QualType type) {
    type = type.getNonReferenceType();
    type = type->isPointerType() ? type->getPointeeType() : type;
    const CXXRecordDecl* record = Types::record(type);
    return record && !in_library(record) &&
           (record == target || (met.insert(record).second && reaches(record, target, met)));
  };
  return llvm::any_of(from->fields(),
                      [&](const FieldDecl* field) { return part(field->getType()); }) ||
         llvm::any_of(from->bases(),
                      [&](const clang::CXXBaseSpecifier& base) { return part(base.getType()); });
}

void collect_members(const CXXRecordDecl* record, std::vector<const FieldDecl*>& into) {
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    if (const CXXRecordDecl* part = Types::record(base.getType())) {
      collect_members(part, into);
    }
  }
  into.insert(into.end(), record->field_begin(), record->field_end());
}

/// True for classes that are nothing but their members.
bool is_plain(const CXXRecordDecl* record) {
  const bool is_value = record->getIdentifier() && record->getName() == "DifferentiableFunction";
  return !is_value && !in_library(record) && !record->isUnion() && !record->isPolymorphic() &&
         record->getNumVBases() == 0 && !has_destructor(record) &&
         llvm::none_of(record->fields(),
                       [](const FieldDecl* field) {
                         return field->isBitField() || field->isAnonymousStructOrUnion() ||
                                field->getType().isVolatileQualified();
                       }) &&
         llvm::all_of(record->bases(), [](const clang::CXXBaseSpecifier& base) {
           const CXXRecordDecl* part = Types::record(base.getType());
           return part && is_plain(part);
         });
}

/// True for a function that only looks at things: to run it changes nothing. `met`: those on the
/// way to it.
bool only_looks(const clang::FunctionDecl* function, std::set<const clang::FunctionDecl*>& met);

bool only_looks(const clang::Stmt* statement, std::set<const clang::FunctionDecl*>& met) {
  if (!statement || llvm::isa<clang::CXXThisExpr, clang::DeclRefExpr, clang::IntegerLiteral,
                              clang::CXXBoolLiteralExpr>(statement)) {
    return true;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (!callee || (method && method->isVirtual()) || !only_looks(callee, met)) {
      return false;
    }
  } else if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(statement)) {
    if (operation->isAssignmentOp()) {
      return false;
    }
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement)) {
    if (unary->isIncrementDecrementOp()) {
      return false;
    }
  } else if (!llvm::isa<clang::CompoundStmt, clang::ReturnStmt, clang::NullStmt, clang::MemberExpr,
                        clang::ParenExpr, clang::ImplicitCastExpr, clang::CXXStaticCastExpr>(
                 statement)) {
    return false;
  }
  return llvm::all_of(statement->children(),
                      [&](const clang::Stmt* child) { return only_looks(child, met); });
}

bool only_looks(const clang::FunctionDecl* function, std::set<const clang::FunctionDecl*>& met) {
  const clang::FunctionDecl* definition = nullptr;
  return !in_library(function) && function->hasBody(definition) &&
         (!met.insert(definition).second || only_looks(definition->getBody(), met));
}

}  // namespace

bool has_destructor(const CXXRecordDecl* record) {
  const clang::CXXDestructorDecl* destructor = record->getDestructor();
  if (!destructor || !destructor->isUserProvided()) {
    return false;
  }
  const clang::FunctionDecl* definition = nullptr;
  const clang::FunctionDecl* written = destructor;
  if (!destructor->isDefined(definition) && destructor->getTemplateInstantiationPattern()) {
    written = destructor->getTemplateInstantiationPattern();
  }
  const auto* body = (definition || written->isDefined(definition))
                         ? llvm::dyn_cast_or_null<clang::CompoundStmt>(definition->getBody())
                         : nullptr;
  std::set<const clang::FunctionDecl*> met;
  return destructor->isVirtual() || !body || !only_looks(body, met);
}

/// True where the class of a member, not that of a base, makes it necessary to know the object's
/// members one by one.
bool Types::keeps_references(const CXXRecordDecl* record) {
  const auto refers = [&](const FieldDecl* field) {
    const QualType type = field->getType();
    if (type->isReferenceType()) {
      return has_tangent(type) || is_scalarized(type) || is_callable(type.getNonReferenceType());
    }
    if (type->isPointerType() && !type->isFunctionPointerType()) {
      return has_tangent(type) && !is_scalarized(type->getPointeeType());
    }
    return is_callable(type) || viewed(type) || iterator(type) ||
           (!in_library(field) && is_scalarized(type));
  };
  return llvm::any_of(record->fields(), refers) ||
         llvm::any_of(record->bases(), [&](const clang::CXXBaseSpecifier& base) {
           const CXXRecordDecl* part = Types::record(base.getType());
           return part && keeps_references(part);
         });
}

bool Types::is_pullback(const CXXRecordDecl* record) {
  const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(record->getDeclContext());
  return record->getIdentifier() && record->getName() == "Pullback" && space &&
         space->getIdentifier() && space->getName() == "ddx" &&
         space->getParent()->isTranslationUnit();
}

bool Types::holds_pullback(QualType type) {
  const CXXRecordDecl* found = record(type.getNonReferenceType());
  if (!found || !is_scalarized(type.getNonReferenceType())) {
    return false;
  }
  return is_pullback(found) ||
         llvm::any_of(scalarized_members(type.getNonReferenceType()),
                      [&](const FieldDecl* field) { return holds_pullback(field->getType()); });
}

bool Types::is_scalarized(QualType type) {
  const CXXRecordDecl* found = record(type);
  if (!found || found->isLambda()) {
    return found != nullptr;
  }
  if (is_pullback(found)) {
    return true;
  }
  if (in_library(found)) {
    return false;
  }
  const auto [known, is_new] = scalarized_.try_emplace(found, false);
  if (!is_new) {
    return known->second;
  }
  std::set<const CXXRecordDecl*> met;
  bool result = false;
  if (const CXXRecordDecl* derived = derived_argument(found)) {
    result = is_scalarized(context_.getRecordType(derived));
  } else {
    // What owns memory, or points to what leads on, is an object with dynamic pointers.
    const bool leads_on = llvm::any_of(found->fields(), [&](const FieldDecl* field) {
      const QualType held = field->getType();
      if (is_callable(held)) {
        return false;
      }
      return held->isPointerType()
                 ? holds_dynamic_pointer(held->getPointeeType())
                 : !held->isReferenceType() && holds_only_pointers(held) && !is_scalarized(held);
    });
    result = is_plain(found) && !declared_tangent(found) && keeps_references(found) && !leads_on &&
             !reaches(found, found, met);
  }
  scalarized_[found] = result;
  return result;
}

const CXXRecordDecl* Types::scalarized_class(QualType type) {
  const CXXRecordDecl* found = record(type);
  while (const CXXRecordDecl* derived = derived_argument(found)) {
    found = derived;
  }
  return found;
}

std::vector<const FieldDecl*> Types::scalarized_members(QualType type) {
  std::vector<const FieldDecl*> result;
  collect_members(scalarized_class(type), result);
  return result;
}

}  // namespace ddx::compiler
