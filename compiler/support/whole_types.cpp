// What holds of a type as a whole, with all that its objects hold. Classes may hold others of their
// kind, in vectors.

#include "compiler/support/whole_types.h"

#include "llvm/ADT/STLExtras.h"

namespace ddx::compiler {

using clang::CXXRecordDecl;
using clang::FieldDecl;
using clang::QualType;

namespace {

/// As the function below, except for classes that have been `met`.
bool is_discrete(QualType type, Types& types, llvm::SmallPtrSetImpl<const CXXRecordDecl*>& met) {
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isIntegralOrEnumerationType()) {
    return !type->isAnyCharacterType() && !type->isStdByteType();
  }
  if (type->isConstantArrayType() || Types::container(type) == Container::StdArray ||
      Types::container(type) == Container::StdVector ||
      Types::container(type) == Container::StdDeque) {
    return is_discrete(types.element(type), types, met);
  }
  const CXXRecordDecl* found = Types::record(type);
  if (!found || in_library(found) || found->isUnion() || found->isPolymorphic() ||
      found->isEmpty()) {
    return Types::is_bit_vector(type);
  }
  if (!met.insert(found).second) {
    return true;
  }
  // Not of another class that derives from theirs: members and bases are what they are declared to.
  const auto is_discrete_part = [&](QualType part) {
    return is_discrete(part, types, met) || Types::is_hollow(part);
  };
  return llvm::all_of(found->fields(),
                      [&](const FieldDecl* field) { return is_discrete_part(field->getType()); }) &&
         llvm::all_of(found->bases(), [&](const clang::CXXBaseSpecifier& base) {
           return is_discrete_part(base.getType());
         });
}

/// As the function below, except for classes that have been `met`: they hold others of their kind.
bool is_self_contained(QualType type, Types& types,
                       llvm::SmallPtrSetImpl<const CXXRecordDecl*>& met) {
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isArithmeticType() || type->isEnumeralType() || type->isFunctionPointerType()) {
    return true;
  }
  const CXXRecordDecl* found = Types::record(type);
  const Container kind = Types::container(type);
  if (kind == Container::StdPair || kind == Container::SumType) {
    return llvm::all_of(Types::parts(type),
                        [&](QualType part) { return is_self_contained(part, types, met); });
  }
  if (kind == Container::StdMap) {
    return is_self_contained(Types::key(type), types, met) &&
           is_self_contained(Types::mapped(type), types, met);
  }
  if (kind != Container::None) {
    return is_self_contained(types.element(type), types, met);
  }
  const auto in_std = [&](llvm::StringRef name) {
    return found->isInStdNamespace() && found->getIdentifier() && found->getName() == name;
  };
  if (!found || in_std("basic_string") || in_std("vector") || in_std("integer_sequence") ||
      in_std("source_location")) {
    return found != nullptr;
  }
  if (types.is_leaf(found) ||
      (found->getIdentifier() && found->getName() == "DifferentiableFunction") ||
      !found->lookup(&found->getASTContext().Idents.get("DdxSelfContained")).empty()) {
    return true;
  }
  if (in_std("optional") || in_std("tuple") || in_std("variant")) {
    const auto& holder = *llvm::cast<clang::ClassTemplateSpecializationDecl>(found);
    const clang::TemplateArgument& first = holder.getTemplateArgs()[0];
    const auto held = first.getKind() == clang::TemplateArgument::Pack
                          ? first.pack_elements()
                          : llvm::ArrayRef<clang::TemplateArgument>(first);
    return llvm::all_of(held, [&](const clang::TemplateArgument& one) {
      return !one.getAsType()->isReferenceType() && is_self_contained(one.getAsType(), types, met);
    });
  }
  if (!met.insert(found).second) {
    return true;
  }
  return !in_library(found) && llvm::all_of(found->fields(), [&](const FieldDecl* field) {
    return !field->getType()->isReferenceType() && is_self_contained(field->getType(), types, met);
  }) && llvm::all_of(found->bases(), [&](const clang::CXXBaseSpecifier& base) {
    return is_self_contained(base.getType(), types, met);
  });
}

}  // namespace

bool is_discrete(QualType type, Types& types) {
  llvm::SmallPtrSet<const CXXRecordDecl*, 4> met;
  return is_discrete(type, types, met);
}

bool is_copyable(QualType type) {
  const CXXRecordDecl* record = Types::record(type.getNonReferenceType());
  if (!record) {
    return true;
  }
  if (record->isAbstract()) {
    return false;
  }
  if (record->needsImplicitCopyConstructor()) {
    return !record->defaultedCopyConstructorIsDeleted();
  }
  return llvm::any_of(record->ctors(), [](const clang::CXXConstructorDecl* constructor) {
    return constructor->isCopyConstructor() && !constructor->isDeleted();
  });
}

bool is_self_contained(QualType type, Types& types) {
  llvm::SmallPtrSet<const CXXRecordDecl*, 4> met;
  return is_self_contained(type, types, met);
}

}  // namespace ddx::compiler
