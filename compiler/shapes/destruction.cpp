#include "compiler/shapes/destruction.h"

#include "compiler/shapes/classes.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

namespace ddx::compiler::shapes {
namespace {

/// Whether a destructor has statements of the program.
bool acts(const clang::ASTContext& ast, const clang::CXXDestructorDecl& destructor) {
  if (!destructor.isUserProvided() || is_of_std(destructor) || is_of_library(ast, destructor)) {
    return false;
  }
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(destructor.getBody());
  return body == nullptr || !body->body_empty();
}

/// Whether a pointer to the class may own an object of a class that derives from it.
bool may_be_derived(const clang::TemplateArgument& argument) {
  const auto* record = argument.getKind() == clang::TemplateArgument::Type
                           ? argument.getAsType()->getAsCXXRecordDecl()
                           : nullptr;
  const auto* destructor =
      record == nullptr || !record->hasDefinition() ? nullptr : record->getDestructor();
  return destructor != nullptr && destructor->isVirtual();
}

}  // namespace

bool Destruction::runs_program(clang::QualType type) {
  const auto* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || record->hasTrivialDestructor()) {
    return false;
  }
  record = record->getCanonicalDecl();
  const auto [known, is_new] = known_.try_emplace(record, false);
  if (!is_new) {
    return known->second;
  }
  const bool result = runs(*record->getDefinition());
  known_[record] = result;
  return result;
}

bool Destruction::runs(const clang::CXXRecordDecl& record) {
  const clang::CXXDestructorDecl* destructor = record.getDestructor();
  if (destructor != nullptr && acts(ast_, *destructor)) {
    return true;
  }
  if (is_of_std(record)) {
    const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
    return made != nullptr && owned_runs(*made);
  }
  return llvm::any_of(record.bases(),
                      [&](const auto& base) { return runs_program(base.getType()); }) ||
         llvm::any_of(record.fields(),
                      [&](const auto* field) { return runs_program(field->getType()); });
}

/// What a class of the standard library owns has the types of its arguments.
bool Destruction::owned_runs(const clang::ClassTemplateSpecializationDecl& made) {
  const auto arguments = made.getTemplateArgs().asArray();
  const std::string name = class_name(&made);
  if (name == "std::unique_ptr" &&
      class_name(arguments[1].getAsType()->getAsCXXRecordDecl()) != "std::default_delete") {
    return true;
  }
  const bool owns_by_pointer = name == "std::unique_ptr" || name == "std::shared_ptr";
  return (owns_by_pointer && may_be_derived(arguments[0])) ||
         llvm::any_of(arguments, [&](const auto& one) { return argument_runs(one); });
}

bool Destruction::argument_runs(const clang::TemplateArgument& argument) {
  if (argument.getKind() == clang::TemplateArgument::Pack) {
    return llvm::any_of(argument.pack_elements(),
                        [&](const auto& one) { return argument_runs(one); });
  }
  return argument.getKind() == clang::TemplateArgument::Type && runs_program(argument.getAsType());
}

}  // namespace ddx::compiler::shapes
