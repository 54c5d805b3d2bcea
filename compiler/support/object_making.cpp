/// \file
/// How an object comes to be: whether empty braces make it, whether it can be copied.

#include "compiler/support/copies.h"
#include "compiler/support/template_types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

namespace ddx::compiler {

using clang::CXXConstructorDecl;
using clang::CXXRecordDecl;
using clang::QualType;

/// True where a class that declares no constructor is made without arguments: its members and bases
/// are.
static bool makes_members(const CXXRecordDecl* record);

/// True where a class has a constructor without arguments that may be called.
static bool is_made_without_arguments(const CXXRecordDecl* record) {
  if (!record->hasDefinition() || record->needsImplicitDefaultConstructor()) {
    return record->hasDefinition() && makes_members(record);
  }
  return llvm::any_of(record->ctors(), [](const CXXConstructorDecl* constructor) {
    return constructor->isDefaultConstructor() && !constructor->isDeleted();
  });
}

static bool makes_members(const CXXRecordDecl* record) {
  const auto is_made = [](QualType type) {
    const CXXRecordDecl* const part = Types::record(type);
    const bool may_be_left = !type.isConstQualified() || (part && part->allowConstDefaultInit());
    return may_be_left && (!part || in_library(part) || is_made_without_arguments(part));
  };
  return llvm::all_of(record->fields(),
                      [&](const clang::FieldDecl* field) {
                        QualType type = field->getType();
                        while (const auto* array = type->getAsArrayTypeUnsafe()) {
                          type = array->getElementType();
                        }
                        return field->hasInClassInitializer() ||
                               (!type->isReferenceType() && is_made(type));
                      }) &&
         llvm::all_of(record->bases(),
                      [&](const clang::CXXBaseSpecifier& base) { return is_made(base.getType()); });
}

bool Copies::needs_storage(QualType type) {
  const Container kind = Types::container(type);
  if (kind == Container::CArray || kind == Container::StdArray) {
    return needs_storage(types_.element(type));
  }
  if (kind == Container::StdPair) {
    return llvm::any_of(Types::parts(type), [&](QualType part) { return needs_storage(part); });
  }
  const CXXRecordDecl* const found = kind == Container::None ? Types::record(type) : nullptr;
  return found && !in_library(found) && !types_.is_leaf(found) &&
         (!is_made_without_arguments(found) || found->hasUserProvidedDefaultConstructor());
}

/// True where the class itself, not one of its parts, has a constructor that copies.
static bool has_copy_constructor(const CXXRecordDecl* record) {
  if (record->needsImplicitCopyConstructor()) {
    return !record->defaultedCopyConstructorIsDeleted();
  }
  return llvm::any_of(record->ctors(), [](const CXXConstructorDecl* constructor) {
    return constructor->isCopyConstructor() && !constructor->isDeleted();
  });
}

bool Copies::cannot_copy(QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (const auto* array = type->getAsArrayTypeUnsafe()) {
    return cannot_copy(array->getElementType());
  }
  const CXXRecordDecl* const found = Types::record(type);
  if (!found || !found->hasDefinition()) {
    return false;
  }
  const auto [place, is_new] = cannot_copy_.try_emplace(type.getTypePtr(), false);
  if (!is_new) {
    return place->second;  // False for a class that is being looked at.
  }
  bool result = !has_copy_constructor(found);
  if (in_library(found)) {
    result = result || (Types::container(type) != Container::None &&
                        llvm::any_of(template_types(found),
                                     [&](QualType argument) { return cannot_copy(argument); }));
  }
  cannot_copy_[type.getTypePtr()] = result;
  return result;
}

}  // namespace ddx::compiler
