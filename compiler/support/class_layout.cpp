#include "compiler/support/class_layout.h"

#include "compiler/support/types.h"

namespace ddx::compiler {

using clang::CXXRecordDecl;
using clang::FieldDecl;
using clang::QualType;

const FieldDecl* named_member(const FieldDecl* field) {
  const clang::RecordDecl* record = field->getType()->getAsRecordDecl();
  return record && Types::is_shared_name(record) ? *record->field_begin() : field;
}

bool Types::is_shared_name(const clang::RecordDecl* record) {
  if (!record->isUnion() || !record->isAnonymousStructOrUnion() || record->field_empty()) {
    return false;
  }
  const QualType type = record->field_begin()->getType();
  return is_real(type) && !type.isVolatileQualified() &&
         llvm::all_of(record->fields(), [&](const FieldDecl* field) {
           return field->getType().getCanonicalType() == type.getCanonicalType();
         });
}

QualType Types::member_type(const FieldDecl* field) {
  return named_member(field)->getType();
}

/// Whether a class made by one of the macros lists a field. In a class template the members
/// of the instance's may not be instantiated; the pattern has them.
bool Types::lists(const CXXRecordDecl* macro, const FieldDecl* field) {
  if (!macro->hasDefinition()) {
    macro = macro->getInstantiatedFromMemberClass();
  }
  return macro && !macro->lookup(named_member(field)->getDeclName()).empty();
}

bool Types::hides_base(const CXXRecordDecl* record) {
  const CXXRecordDecl* tangent = record ? declared_tangent(record) : nullptr;
  return tangent && tangent->getDeclContext() == record &&
         llvm::any_of(record->bases(), [&](const clang::CXXBaseSpecifier& base) {
           return has_tangent(base.getType());
         });
}

bool Types::has_tangent(const FieldDecl* field) {
  const auto* owner = llvm::cast<CXXRecordDecl>(field->getParent());
  if (const CXXRecordDecl* tangent = declared_tangent(owner); tangent && tangent != owner) {
    if (tangent->getDeclContext() != owner || !named_member(field)->getIdentifier()) {
      return false;
    }
    return lists(tangent, field);
  }
  const QualType type = field->getType();
  return !type->isPointerType() && !type->isReferenceType() && has_tangent(type);
}

bool Types::is_left_out(const FieldDecl* field) {
  const auto* owner = llvm::cast<CXXRecordDecl>(field->getParent());
  const CXXRecordDecl* tangent = declared_tangent(owner);
  return tangent && tangent->getDeclContext() == owner && !has_tangent(field);
}

const FieldDecl* Types::unlisted_field(const CXXRecordDecl* record) {
  const CXXRecordDecl* tangent = declared_tangent(record);
  if (!tangent || tangent->getDeclContext() != record) {
    return nullptr;
  }
  const CXXRecordDecl* excluded = nullptr;
  clang::IdentifierInfo& name = context_.Idents.get("DdxNoDerivative");
  for (const clang::NamedDecl* found : record->lookup(&name)) {
    excluded = llvm::dyn_cast<CXXRecordDecl>(found);
  }
  for (const FieldDecl* field : record->fields()) {
    const bool listed = lists(tangent, field) || (excluded && lists(excluded, field));
    if (!listed && named_member(field)->getIdentifier() && has_tangent(field->getType())) {
      return named_member(field);
    }
  }
  return nullptr;
}

const FieldDecl* Types::field_without_tangent(const CXXRecordDecl* record) {
  const CXXRecordDecl* tangent = declared_tangent(record);
  if (!tangent || tangent == record || tangent->getDeclContext() != record) {
    return nullptr;
  }
  for (const FieldDecl* field : record->fields()) {
    const FieldDecl* member = named_member(field);  // Of an anonymous union, its first.
    if (lists(tangent, field) && lacks_tangent(member->getType())) {
      return member;
    }
  }
  return nullptr;
}

}  // namespace ddx::compiler
