#include "compiler/support/holds_reals.h"

#include "compiler/support/containers.h"
#include "compiler/support/template_types.h"
#include "compiler/support/types.h"

#include "clang/AST/DeclTemplate.h"

namespace ddx::compiler {

using clang::CXXRecordDecl;
using clang::FieldDecl;
using clang::QualType;

namespace {

bool declares(const CXXRecordDecl* record, llvm::StringRef name) {
  return record && record->hasDefinition() &&
         !record->lookup(&record->getASTContext().Idents.get(name)).empty();
}

}  // namespace

bool says_it_holds_reals(const CXXRecordDecl* record) {
  return declares(record, "DdxHoldsReals");
}

bool may_hold_real(QualType type, std::set<const clang::Type*>& met, bool exact,
                   Types* skipped_pointers) {
  type = type.getNonReferenceType().getCanonicalType();
  if (skipped_pointers &&
      (skipped_pointers->is_dynamic_pointer(type) || Types::is_dynamic_function(type))) {
    return false;
  }
  if (type->isRealFloatingType() || type->isAnyComplexType()) {
    return true;
  }
  if (!met.insert(type.getTypePtr()).second) {
    return false;
  }
  if (type->isPointerType()) {
    return type->isVoidPointerType() ||
           may_hold_real(type->getPointeeType(), met, false, skipped_pointers);
  }
  if (const auto* array = type->getAsArrayTypeUnsafe()) {
    return may_hold_real(array->getElementType(), met, false, skipped_pointers);
  }
  if (const auto* vector = type->getAs<clang::VectorType>()) {
    return may_hold_real(vector->getElementType(), met, false, skipped_pointers);
  }
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) {
    return false;
  }
  if (in_std(record, "any") || in_std(record, "function")) {
    return true;
  }
  if (says_it_holds_reals(record) || declares(record, "DdxHoldsNoReals")) {
    return says_it_holds_reals(record);
  }
  if (exact && Types::is_hollow(type)) {
    return false;
  }
  // As std::less of objects with reals. A base class may be empty where what derives from it is
  // not.
  if (record->isEmpty() && (exact || in_library(record))) {
    return false;
  }
  // What a class of the program is made of, its members say.
  if (!(skipped_pointers && !in_library(record)) &&
      llvm::any_of(template_types(record), [&](QualType argument) {
        return may_hold_real(argument, met, false, skipped_pointers);
      })) {
    return true;
  }
  if (in_library(record)) {
    return false;
  }
  if (record->isPolymorphic() && !exact) {
    return true;  // Of a derived class, perhaps.
  }
  for (const FieldDecl* field : record->fields()) {
    const bool leads = skipped_pointers && Types::owns_array(field);
    if (!leads && may_hold_real(field->getType(), met, false, skipped_pointers)) {
      return true;
    }
  }
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    if (may_hold_real(base.getType(), met, exact, skipped_pointers)) {
      return true;
    }
  }
  return false;
}

namespace {

/// True for std::stack, std::queue and std::priority_queue that may hold reals.
bool is_adaptor(const clang::DeclContext* context) {
  const auto* record = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(context);
  if (!record || !record->isInStdNamespace() || !record->getIdentifier() ||
      (record->getName() != "stack" && record->getName() != "queue" &&
       record->getName() != "priority_queue")) {
    return false;
  }
  const QualType element = record->getTemplateArgs().get(0).getAsType();
  const CXXRecordDecl* held = element->getAsCXXRecordDecl();
  if (element->isPointerType() ||
      (held && held->isInStdNamespace() && held->getIdentifier() &&
       (held->getName() == "unique_ptr" || held->getName() == "shared_ptr"))) {
    return false;  // What is pointed to lies elsewhere.
  }
  std::set<const clang::Type*> met;
  return may_hold_real(element, met);
}

}  // namespace

bool in_library(const clang::Decl* declaration) {
  if (const auto* record = llvm::dyn_cast<CXXRecordDecl>(declaration);
      record && is_adaptor(record)) {
    return false;
  }
  const clang::NamespaceDecl* outermost = nullptr;
  for (const clang::DeclContext* context = declaration->getDeclContext(); context;
       context = context->getParent()) {
    if (is_adaptor(context)) {
      return false;
    }
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context)) {
      outermost = space;
    }
  }
  return outermost && (outermost->isStdNamespace() || outermost->getName() == "__gnu_cxx");
}

bool Types::is_hollow(QualType type) {
  if (type->isIntegralOrEnumerationType()) {
    return !type->isAnyCharacterType() && !type->isStdByteType();
  }
  const CXXRecordDecl* record = Types::record(type);
  return record && !type->isReferenceType() && !record->isUnion() && !record->isPolymorphic() &&
         !in_library(record) && !says_it_holds_reals(record) &&
         llvm::all_of(record->fields(),
                      [](const FieldDecl* field) { return is_hollow(field->getType()); }) &&
         llvm::all_of(record->bases(), [](const clang::CXXBaseSpecifier& base) {
           return is_hollow(base.getType());
         });
}

bool Types::may_hold_real(QualType type) {
  std::set<const clang::Type*> met;
  return compiler::may_hold_real(type, met);
}

bool Types::variable_may_hold_real(QualType type) {
  std::set<const clang::Type*> met;
  return compiler::may_hold_real(type, met, !type->isReferenceType());
}

bool Types::may_hold_real_before_pointers(QualType type) {
  const clang::Type* const key = type.getNonReferenceType().getCanonicalType().getTypePtr();
  if (const auto known = before_pointers_.find(key); known != before_pointers_.end()) {
    return known->second;
  }
  std::set<const clang::Type*> met;
  const bool result = compiler::may_hold_real(type, met, true, this);
  return before_pointers_[key] = result;
}

}  // namespace ddx::compiler
