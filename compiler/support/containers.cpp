#include "compiler/support/containers.h"

#include "compiler/support/holds_reals.h"
#include "compiler/support/template_types.h"
#include "compiler/support/types.h"

#include "clang/AST/DeclTemplate.h"

#include <set>

namespace ddx::compiler {

using clang::CXXRecordDecl;
using clang::QualType;

bool in_std(const CXXRecordDecl* record, llvm::StringRef name) {
  return record && in_library(record) && record->getIdentifier() && record->getName() == name;
}

QualType template_type_argument(const CXXRecordDecl* record, unsigned position) {
  const auto* specialisation = llvm::cast<clang::ClassTemplateSpecializationDecl>(record);
  return specialisation->getTemplateArgs().get(position).getAsType();
}

Container Types::container(QualType type) {
  if (type.isNull()) {
    return Container::None;
  }
  type = type.getNonReferenceType();
  if (type->isConstantArrayType()) {
    return Container::CArray;
  }
  const CXXRecordDecl* found = record(type);
  if (in_std(found, "array")) {
    return Container::StdArray;
  }
  // What is constructed for the tangent or kept as a residual, too, must know nothing: an allocator
  // that refers to a resource of the call outlives it there, or a function that orders or hashes.
  const auto stateless = [&](unsigned position) {
    const CXXRecordDecl* const policy = record(template_type_argument(found, position));
    return policy && policy->isEmpty();
  };
  if (in_std(found, "vector") && !template_type_argument(found, 0)->isBooleanType()) {
    return stateless(1) ? Container::StdVector : Container::None;
  }
  if (in_std(found, "deque")) {
    return stateless(1) ? Container::StdDeque : Container::None;
  }
  const auto is_value = [](QualType part) {
    return !part->isReferenceType() && !part->isPointerType();
  };
  const auto refers = [](QualType part) { return part->isReferenceType(); };
  if ((in_std(found, "pair") && llvm::none_of(parts(type), refers)) ||
      (in_std(found, "tuple") && llvm::all_of(parts(type), is_value) && !parts(type).empty())) {
    return Container::StdPair;
  }
  if (in_std(found, "complex") && is_real(template_type_argument(found, 0))) {
    return Container::StdComplex;
  }
  if (in_std(found, "map") || in_std(found, "unordered_map")) {
    std::set<const clang::Type*> met;
    const bool known = stateless(2) && stateless(3) && (in_std(found, "map") || stateless(4)) &&
                       !compiler::may_hold_real(key(type), met) && !key(type)->isPointerType();
    return known && is_value(mapped(type)) && compiler::may_hold_real(mapped(type), met)
               ? Container::StdMap
               : Container::None;
  }
  if ((is_optional(type) || is_variant(type)) && llvm::all_of(parts(type), is_value)) {
    std::set<const clang::Type*> met;
    return compiler::may_hold_real(type, met) ? Container::SumType : Container::None;
  }
  return Container::None;
}

QualType Types::key(QualType map) {
  return template_type_argument(record(map), 0);
}

QualType Types::mapped(QualType map) {
  return template_type_argument(record(map), 1);
}

bool Types::is_bit_vector(QualType type) {
  const CXXRecordDecl* found = type.isNull() ? nullptr : record(type);
  return in_std(found, "vector") && template_type_argument(found, 0)->isBooleanType();
}

bool Types::is_optional(QualType type) {
  return in_std(record(type), "optional");
}

bool Types::is_variant(QualType type) {
  return in_std(record(type), "variant");
}

std::uint64_t Types::array_size(QualType array) const {
  if (const auto* plain = context_.getAsConstantArrayType(array)) {
    return plain->getSize().getZExtValue();
  }
  const auto* record = llvm::cast<clang::ClassTemplateSpecializationDecl>(Types::record(array));
  return record->getTemplateArgs().get(1).getAsIntegral().getZExtValue();
}

std::vector<QualType> Types::parts(QualType type) {
  return template_types(record(type));
}

QualType Types::element(QualType type) {
  type = type.getNonReferenceType();
  if (const auto* array = context_.getAsArrayType(type)) {
    return array->getElementType();
  }
  const CXXRecordDecl* found = record(type);
  QualType element = template_type_argument(found, 0);
  if (container(type) == Container::StdMap) {
    for (const clang::NamedDecl* named : found->lookup(&context_.Idents.get("value_type"))) {
      element = context_.getTypeDeclType(llvm::cast<clang::TypeDecl>(named)).getCanonicalType();
    }
  }
  return type.isConstQualified() ? element.withConst() : element;
}

std::optional<QualType> Types::wrapped_iterator(QualType type) {
  const CXXRecordDecl* found = record(type);
  return in_std(found, "reverse_iterator") ? std::optional(template_type_argument(found, 0))
                                           : std::nullopt;
}

std::optional<QualType> Types::view_element(QualType type) {
  const CXXRecordDecl* found = type.isNull() ? nullptr : record(type);
  const bool is_list = in_std(found, "initializer_list");
  if (!is_list && !in_std(found, "span")) {
    return std::nullopt;
  }
  const QualType element = template_type_argument(found, 0);
  return is_list ? element.withConst() : element;
}

std::optional<QualType> Types::viewed(QualType type) {
  const auto element = view_element(type);
  return element && has_tangent(*element) ? element : std::nullopt;
}

std::optional<IteratorInfo> Types::iterator(QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (type->isPointerType()) {
    return has_tangent(type) ? std::optional(IteratorInfo{type->getPointeeType(), false})
                             : std::nullopt;
  }
  const CXXRecordDecl* found = record(type);
  if (in_std(found, "__normal_iterator")) {
    const QualType pointer = template_type_argument(found, 0);
    return pointer->isPointerType() ? iterator(pointer) : std::nullopt;
  }
  const auto wrapped = wrapped_iterator(type);
  auto result = wrapped ? iterator(*wrapped) : std::nullopt;
  if (!result || result->reversed) {
    return std::nullopt;
  }
  result->reversed = true;
  return result;
}

}  // namespace ddx::compiler
