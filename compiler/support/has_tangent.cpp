/// Which types have a tangent, and what it needs: its shape, or coordinates.

#include "compiler/support/class_layout.h"
#include "compiler/support/types.h"

#include "clang/AST/DeclTemplate.h"

#include <set>

namespace ddx::compiler {

using clang::CXXRecordDecl;
using clang::FieldDecl;
using clang::QualType;

/// The class that DDX_DIFFERENTIABLE makes: a vector space, its own tangent.
bool Types::is_made_tangent(const CXXRecordDecl* record) {
  return record && !record->lookup(&context_.Idents.get("DdxPrimal")).empty();
}

const CXXRecordDecl* Types::declared_tangent(const CXXRecordDecl* record) {
  if (is_made_tangent(record)) {
    return record;
  }
  clang::IdentifierInfo& name = context_.Idents.get("TangentVector");
  for (const clang::NamedDecl* found : record->lookup(&name)) {
    if (const auto* made = llvm::dyn_cast<CXXRecordDecl>(found);
        made && made->isInjectedClassName()) {
      continue;
    }
    if (const auto* type = llvm::dyn_cast<clang::TypeDecl>(found)) {
      return context_.getTypeDeclType(type)->getAsCXXRecordDecl();
    }
  }
  // A leaf may inherit the name; the tangent of a base with fields is not that of the whole.
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    const CXXRecordDecl* found = Types::record(base.getType());
    if (found && is_leaf(found)) {
      return declared_tangent(found);
    }
  }
  return nullptr;
}

bool Types::is_leaf(const CXXRecordDecl* record) {
  const CXXRecordDecl* tangent = record ? declared_tangent(record) : nullptr;
  return tangent && !is_made_tangent(record) && tangent->getDeclContext() != record;
}

bool Types::has_tangent(QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (is_real(type)) {
    return !type->isFloat128Type();
  }
  if (type->isPointerType()) {
    return !type->getPointeeType()->isPointerType() && has_tangent(type->getPointeeType());
  }
  const auto known = has_tangent_.find(type.getTypePtr());
  if (known != has_tangent_.end()) {
    return known->second;
  }
  // A class that reaches itself carries nothing along that way. What is found on the way of classes
  // under way holds for them alone, and is forgotten.
  has_tangent_[type.getTypePtr()] = false;
  const std::size_t before = assumed_.size();
  assumed_.push_back(type.getTypePtr());
  bool result = false;
  const Container kind = container(type);
  const CXXRecordDecl* found = record(type);
  if (kind == Container::StdPair || kind == Container::SumType) {
    result = llvm::any_of(parts(type), [&](QualType part) { return has_tangent(part); });
  } else if (kind == Container::StdMap) {
    result = has_tangent(mapped(type));
  } else if (kind != Container::None) {
    result = !element(type)->isPointerType() && has_tangent(element(type));
  } else if (found && found->isLambda()) {
    result = true;  // Expanded into its captures wherever it is used.
  } else if (found && declared_tangent(found)) {
    result = true;
  } else if (found && is_shared_name(found)) {
    result = true;
  } else if (found && !in_library(found) && !found->isUnion()) {
    for (const FieldDecl* field : found->fields()) {
      const QualType field_type = field->getType();
      if (!field_type->isPointerType() && !field_type->isReferenceType() &&
          has_tangent(field_type)) {
        result = true;
      }
    }
    for (const clang::CXXBaseSpecifier& base : found->bases()) {
      result = result || has_tangent(base.getType());
    }
  }
  if (result || before == 0) {
    for (const clang::Type* within : llvm::drop_begin(assumed_, before)) {
      if (!has_tangent_[within]) {
        has_tangent_.erase(within);
      }
    }
    assumed_.resize(before);
  }
  has_tangent_[type.getTypePtr()] = result;
  return result;
}

bool Types::counts(QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (is_real(type)) {
    return has_tangent(type);
  }
  const CXXRecordDecl* found = record(type);
  const Container kind = container(type);
  if (kind == Container::StdPair || kind == Container::SumType) {
    return llvm::any_of(parts(type), [&](QualType part) { return counts(part); });
  }
  if (kind == Container::StdMap) {
    return counts(mapped(type));
  }
  if (kind != Container::None) {
    return counts(element(type));
  }
  return found && declared_tangent(found);
}

bool Types::lacks_tangent(QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (!has_tangent(type) || is_real(type)) {
    return false;
  }
  const CXXRecordDecl* found = record(type);
  switch (container(type)) {
    case Container::CArray:
    case Container::StdArray:
    case Container::StdVector:
    case Container::StdDeque:
      return lacks_tangent(element(type));
    case Container::StdMap:
      return lacks_tangent(mapped(type));
    case Container::StdPair:
    case Container::SumType:
      return llvm::any_of(parts(type), [this](QualType part) { return lacks_tangent(part); });
    case Container::StdComplex:
      return false;
    case Container::None:
      return found && !in_library(found) && !declared_tangent(found);
  }
  return false;
}

bool Types::is_flat_vector(QualType type) {
  const Container kind = container(type);
  return (kind == Container::StdVector || kind == Container::StdDeque) && !is_shaped(element(type));
}

bool Types::is_shaped(QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  switch (container(type)) {
    case Container::StdVector:
    case Container::StdDeque:
      return true;
    case Container::CArray:
    case Container::StdArray:
      return is_shaped(element(type));
    case Container::StdPair:
    case Container::SumType:
      return llvm::any_of(parts(type),
                          [&](QualType part) { return has_tangent(part) && is_shaped(part); });
    case Container::StdMap:  // A key that is missing counts as zero.
      return is_shaped(mapped(type));
    case Container::StdComplex:
      return false;
    case Container::None:
      break;
  }
  const CXXRecordDecl* found = record(type);
  if (!found || is_leaf(found) || found->isLambda() || !met_.insert(found).second) {
    return false;  // Or it is within itself, in a map.
  }
  const bool result = llvm::any_of(found->fields(),
                                   [&](const FieldDecl* field) {
                                     return has_tangent(field) && is_shaped(field->getType());
                                   }) ||
                      llvm::any_of(found->bases(), [&](const clang::CXXBaseSpecifier& base) {
                        return is_shaped(base.getType());
                      });
  met_.erase(found);
  return result;
}

bool Types::has_addresses(QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (is_real(type)) {
    const auto kind = type->castAs<clang::BuiltinType>()->getKind();
    return kind == clang::BuiltinType::Float || kind == clang::BuiltinType::Double ||
           kind == clang::BuiltinType::LongDouble;
  }
  if (!counts(type)) {
    return true;
  }
  switch (container(type)) {
    case Container::StdVector:
    case Container::StdDeque:
    case Container::CArray:
    case Container::StdArray:
    case Container::StdComplex:
      return has_addresses(element(type));
    case Container::StdPair:
    case Container::SumType:
      return llvm::all_of(parts(type), [&](QualType part) { return has_addresses(part); });
    case Container::StdMap:
      return has_addresses(mapped(type));
    case Container::None:
      break;
  }
  const CXXRecordDecl* found = record(type);
  if (found && is_leaf(found)) {
    return !found->isTriviallyCopyable();  // Else not each copy is a call.
  }
  if (!found || !found->hasMemberName(&context_.Idents.get("ddx_fields"))) {
    return false;
  }
  if (!met_.insert(found).second) {
    return true;  // It is within itself, in a vector: its other parts decide.
  }
  const bool result = llvm::all_of(found->fields(),
                                   [&](const FieldDecl* field) {
                                     return !has_tangent(field) || has_addresses(field->getType());
                                   }) &&
                      llvm::all_of(found->bases(), [&](const clang::CXXBaseSpecifier& base) {
                        return has_addresses(base.getType());
                      });
  met_.erase(found);
  return result;
}

bool Types::has_coordinates(QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (!has_tangent(type) || is_real(type)) {
    return true;
  }
  switch (container(type)) {
    case Container::StdVector:
    case Container::StdDeque:
    case Container::StdMap:
    case Container::StdComplex:
      return false;
    case Container::CArray:
    case Container::StdArray:
      return has_coordinates(element(type));
    case Container::StdPair:
    case Container::SumType:
      return llvm::all_of(parts(type), [&](QualType part) { return has_coordinates(part); });
    case Container::None:
      break;
  }
  const CXXRecordDecl* found = record(type);
  return found && !is_leaf(found) &&
         llvm::all_of(found->fields(),
                      [&](const FieldDecl* field) {
                        return !has_tangent(field) || has_coordinates(field->getType());
                      }) &&
         llvm::all_of(found->bases(), [&](const clang::CXXBaseSpecifier& base) {
           return has_coordinates(base.getType());
         });
}

}  // namespace ddx::compiler
