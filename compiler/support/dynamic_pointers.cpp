#include "compiler/support/template_types.h"
#include "compiler/support/types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"

namespace ddx::compiler {

using clang::CXXRecordDecl;
using clang::FieldDecl;
using clang::QualType;

namespace {

bool is_smart_pointer(const CXXRecordDecl* record) {
  return record && in_library(record) && record->getIdentifier() &&
         (record->getName() == "unique_ptr" || record->getName() == "shared_ptr" ||
          record->getName() == "weak_ptr" ||
          record->getName().starts_with("__shared_ptr"));  // Its bases have its operators.
}

QualType plain(QualType type) {
  return type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

}  // namespace

QualType Types::pointee_type(QualType type) {
  type = plain(type);
  if (type->isPointerType()) {
    return type->getPointeeType();
  }
  const CXXRecordDecl* found = record(type);
  const QualType held = llvm::cast<clang::ClassTemplateSpecializationDecl>(found)
                            ->getTemplateArgs()
                            .get(0)
                            .getAsType();
  return held->isArrayType() ? held->getAsArrayTypeUnsafe()->getElementType() : held;
}

bool Types::is_dynamic_pointer(QualType type) {
  type = plain(type);
  if (type->isPointerType()) {
    const CXXRecordDecl* pointee = type->getPointeeCXXRecordDecl();
    // The structs of C libraries (FILE) are handles.
    const bool opaque = pointee &&
                        pointee->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
                        context_.getSourceManager().isInSystemHeader(pointee->getLocation());
    return pointee && !opaque && !in_library(pointee) && !pointee->isLambda() &&
           may_hold_real(type->getPointeeType());
  }
  const CXXRecordDecl* found = record(type);
  return is_smart_pointer(found) && may_hold_real(pointee_type(type));
}

bool Types::owns_array(const FieldDecl* field) {
  const auto* record = llvm::dyn_cast<CXXRecordDecl>(field->getParent());
  return record && !in_library(record) && field->getType()->isPointerType() &&
         is_real(field->getType()->getPointeeType()) && has_destructor(record);
}

bool Types::holds_dynamic_pointer(QualType type) {
  type = plain(type);
  const auto [found, is_new] = holds_dynamic_pointer_.try_emplace(type.getTypePtr(), false);
  if (!is_new) {
    return found->second;  // False for a class that is being looked at.
  }
  bool result = is_dynamic_pointer(type) || is_dynamic_function(type);
  const CXXRecordDecl* const held = record(type);
  if (held && held->getIdentifier() && held->getName() == "DifferentiableFunction") {
    return false;  // Has a derivative of its own.
  }
  if (const auto* array = type->getAsArrayTypeUnsafe()) {
    result = holds_dynamic_pointer(array->getElementType());
  } else if (!result && type->isPointerType()) {
    result = holds_dynamic_pointer(type->getPointeeType());
  } else if (!result && held) {
    result = llvm::any_of(template_types(held),
                          [&](QualType argument) { return holds_dynamic_pointer(argument); });
    if (!in_library(held)) {
      result = result ||
               llvm::any_of(held->fields(),
                            [&](const FieldDecl* field) {
                              return owns_array(field) || holds_dynamic_pointer(field->getType());
                            }) ||
               llvm::any_of(held->bases(), [&](const clang::CXXBaseSpecifier& base) {
                 return holds_dynamic_pointer(base.getType());
               });
    }
  }
  return holds_dynamic_pointer_[type.getTypePtr()] = result;
}

}  // namespace ddx::compiler
